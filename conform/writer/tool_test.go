package writer_test

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/conform/writer"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/internal/testmain"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
)

// TestMain makes the test binary an assembler when its first argument is "serve" or "assemble".
func TestMain(m *testing.M) {
	if len(os.Args) > 2 {
		switch os.Args[1] {
		case "serve":
			serve(os.Args[2])
			return
		case "assemble":
			os.Exit(assemble(os.Args[2:]))
		}
	}
	testmain.Run(m)
}

// self is the command line of the test binary.
func self(t *testing.T, arguments string) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return "'" + path + "' " + arguments
}

// serve answers write requests with a fault.
func serve(fault string) {
	plain := planted{}
	if fault == "cmp" {
		plain.file = words(func(_ *shbin.File, i *decode.Inst) { i.CmpX, i.CmpY = i.CmpY, i.CmpX }, pica.CMP)
	}
	answers := 0
	for lines := bufio.NewReader(os.Stdin); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var r struct{ ID, Op, Format, Source, Entry, Stage string }
		if err := json.Unmarshal(line, &r); err != nil || r.Op != "write" || r.Format != "shbin" || r.Entry == "" {
			fmt.Printf(`{"id":%q,"status":"bad-request"}`+"\n", r.ID)
			continue
		}
		geometry := strings.Contains(r.Source, ".gsh")
		if strings.Contains(r.Source, ".gsh variable") {
			switch fault {
			case "exits":
				os.Exit(3)
			case "panics":
				panic("no room")
			case "hangs":
				time.Sleep(time.Hour)
			case "babbles":
				fmt.Println("here you are")
				continue
			case "says crash":
				fmt.Printf(`{"id":%q,"status":"crash","signal":"SIGSEGV"}`+"\n", r.ID)
				continue
			case "says bad-request":
				fmt.Printf(`{"id":%q,"status":"bad-request"}`+"\n", r.ID)
				continue
			case "says timeout":
				fmt.Printf(`{"id":%q,"status":"timeout"}`+"\n", r.ID)
				continue
			}
		}
		if !geometry && fault == "stage" && r.Stage != "vs" {
			os.Exit(4)
		}
		answer := map[string]any{"id": r.ID, "status": "ok"}
		data, err := plain.assemble(&source.Text{Files: []string{r.Source}})
		answer["data"] = data
		if err != nil {
			answer = map[string]any{"id": r.ID, "status": "error", "kind": "malformed", "msg": err.Error()}
		}
		out, _ := json.Marshal(answer)
		switch answers++; {
		case answers%50 == 0 && fault == "answers twice":
			fmt.Println(string(out))
		case answers%21 == 0 && fault == "crashes later":
			panic("spoilt")
		case answers%50 == 0 && fault == "talks":
			fmt.Println("50 sources written")
		}
		fmt.Println(string(out))
	}
}

// protocolFaults are faults of serve with the class of a cause, "" for none, and the only cause, ""
// if there may be several.
var protocolFaults = []struct {
	fault string
	level report.Level
	cause string
}{
	{"none", "", ""}, {"cmp", report.WrongMeaning, ""},
	{"crashes later", report.Crash,
		"behind other sources: panic in github.com/picaproof/picaproof/conform/writer_test.serve"},
	{"stage", "", ""}, {"exits", report.Crash, ""}, {"panics", report.Crash, ""}, {"says crash", report.Crash, ""},
	{"says timeout", report.Hang, ""}, {"babbles", report.Crash, ""}, {"says bad-request", report.Crash, ""},
	{"answers twice", report.Crash, "behind other sources: answers out of step"},
	{"talks", report.Crash, "behind other sources: not an answer"},
}

// TestProtocol: an adapter that speaks the protocol is judged like a command.
func TestProtocol(t *testing.T) {
	for _, x := range protocolFaults[:long.Few(2, 1)] {
		tool := writer.NewProtocol(self(t, "serve '"+x.fault+"'"), time.Minute)
		r, err := writer.Run(t.Context(), tool, writer.Options{Seed: 1, Cases: 60, Tries: 12})
		tool.Close()
		if err != nil {
			t.Fatalf("%s: %v", x.fault, err)
		}
		checkProtocol(t, x.fault, x.level, x.cause, r)
	}
	for _, command := range []string{"true", "echo hello", "/nonexistent/adapter"} {
		tool := writer.NewProtocol(command, time.Minute)
		if _, err := writer.Run(t.Context(), tool, writer.Options{Seed: 1, Cases: 4}); err == nil {
			t.Errorf("%s: judged, though it answers nothing", command)
		}
		tool.Close()
	}
}

// TestProtocolFaults: whatever happens to the process of an adapter is a cause.
func TestProtocolFaults(t *testing.T) {
	for _, x := range long.Items(t, protocolFaults, 0) {
		tool := writer.NewProtocol(self(t, "serve '"+x.fault+"'"), 20*time.Second)
		r, err := writer.Run(t.Context(), tool, writer.Options{Seed: 1, Cases: 300, Tries: 12})
		tool.Close()
		if err != nil {
			t.Fatalf("%s: %v", x.fault, err)
		}
		checkProtocol(t, x.fault, x.level, x.cause, r)
	}
	tool := writer.NewProtocol(self(t, "serve hangs"), 250*time.Millisecond)
	defer tool.Close()
	for text, want := range map[string]writer.Fate{"": writer.Wrote, ".gsh variable c16 4\n": writer.Hung} {
		a, err := tool.Assemble(t.Context(), &source.Text{Files: []string{text + ".proc main\nend\n.end\n"}, Entry: "main"})
		if err != nil || a.Fate != want {
			t.Errorf("hangs: %q: got %v, %v, want %v", text, a.Fate, err, want)
		}
	}
}

func checkProtocol(t *testing.T, fault string, level report.Level, cause string, r *report.Report) {
	t.Helper()
	var names []string
	for _, d := range r.Deviations {
		if !strings.HasPrefix(d.Bucket, "known defect") {
			names = append(names, string(d.Verdict)+": "+d.Bucket)
		}
	}
	if level == "" && len(names) > 0 || level != "" &&
		!slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, string(level)+": ") }) {
		t.Errorf("%s: want %q, got %q", fault, level, names)
	}
	if want := string(level) + ": " + cause; cause != "" && !slices.Equal(names, []string{want}) {
		t.Errorf("%s: want %q alone, got %q", fault, want, names)
	}
}

// assemble is the command line of an assembler of one of the dialects.
func assemble(arguments []string) int {
	flags := flag.NewFlagSet("assemble", flag.ContinueOnError)
	dialect := flags.String("dialect", "picasso", "")
	out := flags.String("o", "", "")
	dir := flags.String("dir", "", "")
	entry := flags.String("e", "main", "")
	geometry := flags.Bool("g", false, "")
	warn := flags.Bool("warn", false, "")
	if err := flags.Parse(arguments); err != nil {
		return 2
	}
	t := &source.Text{Entry: *entry, Geometry: *geometry}
	for _, name := range flags.Args() {
		b, err := os.ReadFile(name)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 2
		}
		t.Files = append(t.Files, string(b))
	}
	var data []byte
	var err error
	if *dialect == "nihstro" {
		var f *shbin.File
		if f, err = nihstroFile(t); err == nil {
			data, err = f.AppendUnchecked(nil)
		}
	} else {
		data, err = (&planted{}).assemble(t)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if *warn {
		fmt.Fprintln(os.Stderr, "line 3: a warning")
	}
	if *out == "" {
		*out = filepath.Join(*dir, "chosen.shbin")
	}
	if err := os.WriteFile(*out, data, 0o600); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	return 0
}

// TestPlaces: each placeholder of a command line gets its value, and a source that needs a
// missing placeholder is counted.
func TestPlaces(t *testing.T) {
	main := ".proc main\nend\n.end\n"
	two := &source.Text{Files: []string{".proc main\ncall helper\nnop\nend\n.end\n",
		".nodvle\n.proc helper\nnop\n.end\n"}, Entry: "main"}
	one := &source.Text{Files: []string{main}, Entry: "main"}
	second := &source.Text{Files: []string{"start:\n\tnop\n\tend\n"}, Entry: "start"}
	geometry := &source.Text{Files: []string{"main:\n\tsetemitraw 0\n\temit\n\tend\n"}, Entry: "main", Geometry: true}
	for _, x := range []struct {
		dialect, line string
		text          *source.Text
		lacks         string
		words         int // of the output; 0 for a refusal
	}{
		{"picasso", "-o {out} {in} {in2}", one, "", 1},
		{"picasso", "-o {out} {in} {in2}", two, "", 4},
		{"picasso", "-o {out} {in}", two, "no place for a second source: {in2}", 0},
		{"picasso", "-dir {outdir} {in} {in2}", two, "", 4},
		{"nihstro", "-dialect nihstro -o {out} -e {entry} {in}", second, "", 2},
		{"nihstro", "-dialect nihstro -o {out} {in}", second, "no place for the entry: {entry}", 0},
		{"nihstro", "-dialect nihstro -o {out} {gs:-g} {in}", geometry, "", 3},
		{"nihstro", "-dialect nihstro -o {out} {gs:-g} {in}", &source.Text{Files: geometry.Files, Entry: "main"}, "",
			0},
		{"nihstro", "-dialect nihstro -o {out} {in}", geometry, "no place for the option of geometry programs: {gs:-g}",
			0},
	} {
		d, err := source.ByName(x.dialect)
		if err != nil {
			t.Fatal(err)
		}
		tool, err := writer.NewCommand(self(t, "assemble "+x.line), d, 20*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if got := tool.Lacks(x.text); got != x.lacks {
			t.Errorf("%s: lacks %q, want %q", x.line, got, x.lacks)
		}
		if x.lacks != "" {
			tool.Close()
			continue
		}
		a, err := tool.Assemble(context.Background(), x.text)
		tool.Close()
		if err != nil {
			t.Fatal(err)
		}
		if x.words == 0 {
			if a.Fate != writer.Refused {
				t.Errorf("%s: %v, want a refusal", x.line, a.Fate)
			}
			continue
		}
		f, err := shbin.Parse(a.Data)
		if err != nil {
			t.Errorf("%s: %v: %s", x.line, err, a.Stderr)
			continue
		}
		if len(f.DVLP.Code) != x.words {
			t.Errorf("%s: %d words, want %d", x.line, len(f.DVLP.Code), x.words)
		}
	}
	for dialect, fate := range map[*source.Dialect]writer.Fate{&source.Picasso: writer.Wrote,
		&source.Nihstro: writer.Warned} {
		tool, err := writer.NewCommand(self(t, "assemble -warn -dialect nihstro -e start -o {out} {in}"), dialect,
			20*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if a, err := tool.Assemble(context.Background(), second); err != nil || a.Fate != fate || len(a.Data) == 0 {
			t.Errorf("%s: a warning beside a file: %v, %v, want %v", dialect.Name, a.Fate, err, fate)
		}
		tool.Close()
	}
	for _, line := range []string{"tool {in}", "tool {out}", "tool"} {
		if _, err := writer.NewCommand(line, &source.Picasso, 0); err == nil {
			t.Errorf("%q is taken for a command", line)
		}
	}
}
