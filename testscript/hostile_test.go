package testscript_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/picaproof/picaproof/cmd/cli"
	"github.com/picaproof/picaproof/conform/reader"
	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/conform/writer"
	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// hostile is text that a terminal, a CI service or a page must not get as it is: it erases the
// screen, reorders the line, forges a line of the report and commands of CI services.
const hostile = "h\x1b[2J\x1b[31m\u202e\u0085\xff\r\n::error::forged\n##[error]forged\t<b>&\"'`%n"

// hostileName is hostile as the name of a file.
var hostileName = strings.ReplaceAll(hostile, "/", "") + ".shbin"

// hostileEngine fails for programs with one of two instructions with a hostile message: with an error, or with a panic.
type hostileEngine struct{ pica.Engine }

func newHostileEngine() pica.Engine { return hostileEngine{impl.New()} }

func (e hostileEngine) Name() string { return hostile }

func (e hostileEngine) Run(job *pica.Job, out *pica.Outcome) error {
	for _, w := range job.Code {
		switch pica.OpcodeOf(w) {
		case pica.MAX:
			return errors.New(hostile)
		case pica.MIN:
			panic(hostile)
		}
	}
	return e.Engine.Run(job, out)
}

// hostileReader refuses, accepts and crashes by the size of a file, with hostile messages.
type hostileReader struct{ insideReader }

func (r hostileReader) Read(_ context.Context, format string, data []byte, _ time.Duration) (reader.Reply, error) {
	reply := reader.Reply{Message: hostile, Fault: hostile, Stderr: hostile, NotRewritten: hostile, Misdeed: hostile}
	reply.Outcome = []reader.Outcome{reader.Refused, reader.Accepted, reader.Crashed, reader.Accepted}[len(data)/4%4]
	return reply, nil
}

func (r hostileReader) Measure(ctx context.Context, format string, data []byte, t time.Duration) (reader.Reply, error) {
	return r.Read(ctx, format, data, t)
}

// hostileTool is picaproof with an engine, cores, readers and assemblers that say hostile things.
func hostileTool() cli.Tool {
	t := tool()
	t.Engines = maps.Clone(t.Engines)
	t.Engines["hostile"] = newHostileEngine
	t.Core = func(string) adapter.Core {
		p, err := profile.Parse("f24")
		if err != nil {
			panic(err)
		}
		return adapter.InProcess(hostile, p, newHostileEngine)
	}
	t.Reader = func(string) reader.Reader { return hostileReader{} }
	t.Writer = func(string) writer.Tool {
		return writer.Func(func(t *source.Text) ([]byte, error) {
			switch len(t.Files[0]) % 4 {
			case 0:
				panic(hostile)
			case 1:
				return nil, errors.New(hostile)
			case 2:
				return []byte(hostile), nil
			}
			return assemble(t)
		})
	}
	return t
}

// hostileRows are arguments for each command. In them FILE is a file of a hostile name whose tables
// have hostile names, BAD is of no format, GARBAGE is cut, ABSENT does not exist; SOURCE is assembly
// text; JOB, LIST, BASELINE, VECTORS, STATE and ARCHIVE are files of these kinds; TEXT is an argument.
// All have hostile text.
var hostileRows = map[string][]string{
	"adapter kit":  {"TEXT"},
	"adapter self": {"--profile TEXT", "--engine TEXT"},
	"asm":          {"SOURCE", "--dialect picasso SOURCE", "ABSENT", "--emit words SOURCE"},
	"canon":        {"FILE -o OUT", "BAD -o OUT", "GARBAGE -o OUT"},
	"check": {"FILE", "BAD", "GARBAGE", "ABSENT", "DIR", "--baseline BASELINE DIR", "--baseline SOURCE DIR",
		"--as TEXT FILE", "--only TEXT FILE"},
	"compare": {"--random 20 --engine hostile", "FILE --exec core", "--job JOB", "--job JOB --exec core",
		"--random 1 --profile TEXT"},
	"conform core": {"--exec core --suite alu --cases 8 --profile f24"},
	"conform diff": {"LIST LIST2", "LIST BAD"},
	"conform reader": {"--exec reader --cases 4 --repeats 1 --no-cost", "--exec reader --as TEXT",
		"--exec reader --state LIST", "--exec reader --must-read TEXT"},
	"conform writer": {"--exec writer --cases 4 --baseline BASELINE --cases-dir OUT", "--exec writer --state LIST",
		"--dialect TEXT --exec writer"},
	"convert":         {"FILE --to zpsh@4 -o OUT", "FILE --to gsh -o OUT", "BAD --to zpsh -o OUT", "FILE --to TEXT -o OUT"},
	"demo":            {"TEXT"},
	"diff":            {"FILE FILE2", "FILE GARBAGE", "ARCHIVE FILE"},
	"disasm":          {"FILE", "--structured --pretty FILE", "--graph FILE", "GARBAGE", "ARCHIVE", "--entry TEXT FILE"},
	"dump":            {"FILE", "GARBAGE", "BAD", "ARCHIVE"},
	"export hexpat":   {"TEXT", "shbin FILE", "gsh BAD", "shbin ABSENT"},
	"export ksy":      {"TEXT", "shbin FILE"},
	"extract":         {"ARCHIVE --stage TEXT -o OUT", "FILE -o OUT", "FILE --all TEXT", "ARCHIVE --form TEXT"},
	"find":            {"FILE", "BAD GARBAGE", "ABSENT", "DIR", "--extract GARBAGE FILE", "--accept TEXT FILE", "ARCHIVE SOURCE"},
	"fuzz":            {"--state STATE --cases 1", "--state FILE --cases 1", "TEXT"},
	"fuzz export":     {"TEXT -o OUT", "shbin -o FILE"},
	"fuzz merge":      {"STATE --state OUT", "FILE TEXT --state OUT"},
	"gen file":        {"--as TEXT", "--as shbin --mode TEXT"},
	"gen job":         {"--mode TEXT"},
	"init":            {"-o OUT"},
	"interface":       {"FILE", "GARBAGE", "BAD", "ARCHIVE"},
	"lint":            {"FILE", "SOURCE", "BAD", "ABSENT", "--fail-on TEXT FILE"},
	"profiles":        {"TEXT"},
	"reduce":          {"JOB --engine hostile", "GARBAGE -o OUT", "GARBAGE --state LIST -o OUT"},
	"replace":         {"FILE --code TEXT -o OUT", "BAD --code FILE -o OUT", "FILE --control ABSENT --stage TEXT -o OUT"},
	"report merge":    {"LIST LIST2", "BAD"},
	"report show":     {"LIST", "BAD"},
	"roundtrip":       {"FILE", "BAD", "GARBAGE", "DIR"},
	"rules":           {"TEXT"},
	"run":             {"FILE", "FILE --in TEXT=1", "FILE --set TEXT=1", "--entry TEXT FILE", "--profile TEXT FILE"},
	"serve":           {"TEXT"},
	"variation":       {"ARCHIVE --set TEXT=1", "ARCHIVE --program TEXT", "FILE --set TEXT=1"},
	"variations":      {"ARCHIVE", "FILE"},
	"vectors export":  {"--to TEXT"},
	"vectors verify":  {"VECTORS", "VECTORS --engine hostile", "BAD"},
	"help":            {"TEXT"},
	"completion bash": {"TEXT"},
}

// binaries are commands whose output is a file, not text.
var binaries = []string{"asm", "canon", "convert", "extract", "gen file", "reduce", "replace"}

// timed are commands that print how fast they are.
var timed = []string{"compare", "fuzz"}

// hostileFiles writes the files that the words of hostileRows stand for, into a new directory.
func hostileFiles(t *testing.T) (words map[string]string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tree")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	words = map[string]string{"TEXT": hostile, "DIR": dir, "OUT": filepath.Join(dir, "..", "out"),
		"ABSENT": filepath.Join(dir, "absent"+hostileName)}
	write := func(word, name string, data []byte) {
		words[word] = filepath.Join(dir, name)
		if err := os.WriteFile(words[word], data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file := samples.Read(t, "picasso/p04_uniforms.shbin")
	// The name and the text behind its end are of the length of the names that they replace.
	named := bytes.Replace(file, []byte("projection"), []byte("\x1b[2J\u202e::e"), 1)
	named = bytes.Replace(named, []byte("light.color"), []byte("a\n::error::\r"), 1)
	write("FILE", hostileName, named)
	write("FILE2", "2"+hostileName, file)
	write("GARBAGE", "g"+hostileName, named[:len(named)-40])
	write("BAD", "bad"+strings.TrimSuffix(hostileName, ".shbin"), []byte(hostile))
	write("SOURCE", strings.TrimSuffix(hostileName, "shbin")+"pica",
		[]byte(".in "+hostile+" v99\n.alias x "+hostile+"\n.proc main\n\t"+hostile+"\n\tmov r0, "+hostile+"\n\tend\n.end\n"))
	job := new(pica.Job)
	job.Code, job.OutMask, job.Vertices = []uint32{0, 0, 0x88000000}, 1, [][]pica.Vec4{{}}
	job.Profile.Name = "f24"
	text, err := json.Marshal(job)
	if err != nil {
		t.Fatal(err)
	}
	write("JOB", "job"+hostileName, text)
	quoted, err := json.Marshal(hostile)
	if err != nil {
		t.Fatal(err)
	}
	write("VECTORS", "vectors.jsonl", fmt.Appendf(nil,
		`{"name":%s,"symptom":%[1]s,"job":%s,"expect":[{"profiles":["f24"],"verdict":%[1]s,"class":%[1]s}]}`, quoted, text))
	write("BASELINE", "baseline.txt", []byte("x crash # "+strings.ReplaceAll(hostile, "\n", "")+"\n"))
	state := filepath.Join(dir, "state")
	if err := os.Mkdir(state, 0o700); err != nil {
		t.Fatal(err)
	}
	write("STATE", "state/state.json", fmt.Appendf(nil, `{"seed":1,"targets":[{"name":%s}]}`, quoted))
	words["STATE"] = state
	archive := samples.Read(t, "sharcfb/s03_macros_six_variations_le.sharcfb")
	archive = bytes.ReplaceAll(archive, []byte("KERNEL"), []byte("\x1b[2J::"))
	write("ARCHIVE", "a"+strings.TrimSuffix(hostileName, ".shbin")+".sharcfb", archive)
	r := report.New(hostile, "", hostile, 1)
	cause := report.Deviation{Bucket: hostile, Verdict: report.Console, Opcode: hostile, Opcodes: []string{hostile},
		Assembly: hostile, Inputs: []string{hostile}, Where: hostile, Class: hostile, Expected: hostile, Observed: hostile,
		Note: hostile, Stderr: hostile, Reproduce: "true", Provenance: hostile, Source: hostile,
		Members: []report.Member{{Key: hostile, Suite: hostile, Count: 1}}}
	r.Deviations, r.Findings = []report.Deviation{cause}, []report.Deviation{cause}
	r.Messages = []report.Message{{Text: hostile}}
	r.Tables = []report.Table{{Title: hostile, Columns: []string{hostile}, Rows: [][]string{{hostile}}}}
	r.Suites = []report.Suite{{Name: hostile}}
	r.Profile.Nearest, r.Claimed = hostile, hostile
	for i, name := range []string{"LIST", "LIST2"} {
		r.Shard = fmt.Sprintf("%d/2", i+1)
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		write(name, name+".json", text)
		r.Deviations, r.Findings = r.Deviations[:0], r.Findings[:0]
	}
	return words
}

// completed returns the commands that may follow others.
func completed(prefix ...string) (list []string) {
	var out bytes.Buffer
	args := slices.Concat([]string{"__completeNoDesc"}, prefix, []string{""})
	tool().Main(args, strings.NewReader(""), &out, io.Discard)
	for line := range strings.Lines(out.String()) {
		if name := strings.TrimSpace(line); name == strings.ToLower(name) && !strings.HasPrefix(name, ":") {
			list = append(list, name)
		}
	}
	return list
}

// runnerCommand matches a line of --format github.
var runnerCommand = regexp.MustCompile(`^::(error|warning|notice) (file=[^:,]+,line=\d+,)?title=[^:,]+::[^:]`)

var paint = regexp.MustCompile("\x1b\\[[0-9;]*m")

// TestHostile: no command lets hostile text out, in any form: names of files, names in files,
// messages of foreign programs, text of baselines, reports, states and arguments.
func TestHostile(t *testing.T) {
	words := hostileFiles(t)
	for _, name := range completed() {
		if hostileRows[name] != nil || name == "completion" {
			continue
		}
		for _, sub := range completed(name) {
			if path := name + " " + sub; hostileRows[path] == nil {
				t.Errorf("no row for the command %s", path)
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(hostileRows)) {
		t.Run(path, func(t *testing.T) {
			for _, row := range hostileRows[path] {
				args := strings.Fields(path + " " + row)
				for i, word := range args {
					for name, value := range words {
						if before, after, ok := strings.Cut(word, name); ok && before == "" && (after == "" || after[0] == '=') {
							args[i] = value + after
						}
					}
				}
				if testing.Short() && strings.Contains(row, "--exec") {
					continue
				}
				for _, form := range formsOf(path) {
					if form != "text" && strings.Contains(row, "--exec") {
						continue // report show LIST writes the same forms
					}
					judgeHostile(t, path, row, form, append(slices.Clone(args), "--format", form))
				}
			}
		})
	}
}

// formsOf returns the forms of the reports of a command.
func formsOf(path string) []string {
	var out bytes.Buffer
	tool().Main(append(strings.Fields(path), "--format", "none"), strings.NewReader(""), io.Discard, &out)
	_, list, ok := strings.Cut(strings.TrimSpace(out.String()), " prints ")
	if !ok || path == "help" {
		return []string{"text"}
	}
	return strings.Split(list, ", ")
}

func judgeHostile(t *testing.T, path, row, form string, args []string) {
	t.Helper()
	var stdout, stderr, plain bytes.Buffer
	tool := hostileTool()
	status := tool.Main(slices.Concat(args, []string{"--color", "always"}), strings.NewReader(hostile), &stdout, &stderr)
	if status < 0 || status > 2 {
		t.Errorf("%s, %s: exit status %d", row, form, status)
	}
	harmless(t, row+", standard error", "text", stderr.String())
	if slices.Contains(binaries, path) && form == "text" {
		return
	}
	out := stdout.String()
	if form == "text" {
		out = paint.ReplaceAllString(out, "")
	}
	if form == "text" && !slices.Contains(timed, path) && !strings.Contains(row, "--exec") {
		tool.Main(slices.Concat(args, []string{"--color", "never"}), strings.NewReader(hostile), &plain, io.Discard)
		if out != plain.String() {
			t.Errorf("%s: with colours %q, without %q", row, out, plain.String())
		}
	}
	harmless(t, row, form, out)
	if stdout.Len() == 0 {
		return
	}
	switch form {
	case "json", "sarif":
		for d := json.NewDecoder(&stdout); ; {
			var v any
			if err := d.Decode(&v); err == io.EOF {
				break
			} else if err != nil {
				t.Errorf("%s, %s: %v", row, form, err)
				break
			}
		}
	case "junit":
		if err := xml.Unmarshal(stdout.Bytes(), new(struct{})); err != nil {
			t.Errorf("%s, %s: %v", row, form, err)
		}
	case "html":
		if strings.Contains(out, "<b>&") {
			t.Errorf("%s, %s: markup of the text in the page", row, form)
		}
	}
}

// harmless demands that an output has no text that acts.
func harmless(t *testing.T, row, form, out string) {
	t.Helper()
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		bad := !utf8.ValidString(line) ||
			strings.ContainsFunc(line, func(r rune) bool { return !strconv.IsGraphic(r) && r != '\t' })
		start := strings.TrimSpace(line)
		if form == "github" { // each line is a command, and no text in it is one
			bad = bad || !runnerCommand.MatchString(line)
			start = ""
		}
		if strings.HasPrefix(start, "::") || strings.Contains(line, "##[") || form == "text" && strings.HasPrefix(start, "forged") {
			bad = true
		}
		if bad {
			t.Errorf("%s, %s: %q", row, form, line)
			return
		}
	}
}
