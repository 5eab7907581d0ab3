package reader_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/picaproof/picaproof/conform/reader"
	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen/files"
	"github.com/picaproof/picaproof/internal/long"
)

// peculiar is a toy that refuses more files than it should.
type peculiar struct {
	toy
	refuses func(f *shbin.File, size int) bool // asked about the files that Parse accepts
}

func (r peculiar) Read(ctx context.Context, format string, data []byte, limit time.Duration) (reader.Reply, error) {
	if f, err := shbin.Parse(data); err == nil && r.refuses(f, len(data)) {
		return reader.Reply{Outcome: reader.Refused, Message: "refused: peculiar"}, nil
	}
	return r.toy.Read(ctx, format, data, limit)
}

// some returns a function that refuses files with a DVLE of a kind.
func some(is func(d *shbin.DVLE) bool) func(f *shbin.File, size int) bool {
	return func(f *shbin.File, _ int) bool {
		return slices.ContainsFunc(f.DVLEs, func(d shbin.DVLE) bool { return is(&d) })
	}
}

// replies is a reader that answers with a function of the file and the number of the request.
type replies struct {
	toy
	reply func(r reader.Reply, data []byte, n int) reader.Reply
	n     *int
}

func (r replies) Shared() bool { return false }

func (r replies) Read(ctx context.Context, format string, data []byte, limit time.Duration) (reader.Reply, error) {
	*r.n++
	reply, err := r.toy.Read(ctx, format, data, limit)
	return r.reply(reply, data, *r.n), err
}

func (r replies) Measure(ctx context.Context, format string, data []byte, limit time.Duration) (reader.Reply, error) {
	return r.Read(ctx, format, data, limit)
}

func answering(reply func(r reader.Reply, data []byte, n int) reader.Reply) reader.Reader {
	return replies{sound, reply, new(int)}
}

// crashed is the reply of a reader that crashes with a stack.
func crashed(where string) reader.Reply {
	fault := "panic in " + where
	return reader.Reply{Outcome: reader.Crashed, Fault: fault, Message: fault}
}

// sound is a toy without a fault.
var sound = toy{"none", true, false}

// tested is a reader with what a verdict on it has to say.
type tested struct {
	name   string
	reader reader.Reader
	must   []string // tables that it must read
	causes string   // verdicts and names
	rules  string   // that are not tested
	unread string   // tables
}

var peculiarities = "refuses valid: refuses: refused: peculiar"

var testedReaders = []tested{
	{name: "right", reader: sound},
	{name: "slow start", reader: answering(func(r reader.Reply, _ []byte, _ int) reader.Reply {
		r.CPU, r.Memory = r.CPU+3*time.Second, r.Memory+100<<20 // every file costs as much
		return r
	})},
	{name: "accepts all", reader: answering(func(reader.Reply, []byte, int) reader.Reply {
		return reader.Reply{Outcome: reader.Accepted}
	}), causes: "accepts invalid: accepts every file"},
	{name: "a DVLE of 64 bytes at the end", reader: peculiar{sound, func(f *shbin.File, size int) bool {
		return f.Layout != nil && size-int(f.Layout.DVLEs[len(f.DVLEs)-1].Offset) == 64
	}}, causes: peculiarities},
	{name: "no label", reader: peculiar{sound, func(f *shbin.File, size int) bool {
		return !some(func(d *shbin.DVLE) bool { return len(d.Labels) > 0 })(f, size)
	}}, causes: peculiarities},
	{name: "two DVLEs", reader: peculiar{sound, func(f *shbin.File, _ int) bool { return len(f.DVLEs) > 1 }},
		causes: peculiarities},
	// Only geometry programs may have 4096 words.
	{name: "a geometry program", reader: peculiar{sound,
		some(func(d *shbin.DVLE) bool { return d.Type == shbin.GeometryShader })},
		causes: peculiarities, rules: "DVLP007"},
	{name: "register 15", reader: peculiar{sound, some(func(d *shbin.DVLE) bool {
		return slices.ContainsFunc(d.Outputs, func(o shbin.Output) bool { return o.Register == 15 })
	})}, causes: peculiarities},
	// All near misses of DVLE041 have such a label.
	{name: "a label up to the end", reader: peculiar{sound, func(f *shbin.File, _ int) bool {
		return slices.ContainsFunc(f.DVLEs, func(d shbin.DVLE) bool {
			return slices.ContainsFunc(d.Labels, func(l shbin.Label) bool {
				return l.Length != shbin.NoLength && int(l.Word+l.Length) == len(f.DVLP.Code)
			})
		})
	}}, causes: peculiarities, rules: "DVLE041"},
	{name: "all of these", reader: peculiar{sound, func(f *shbin.File, _ int) bool {
		return len(f.DVLEs) > 1 || f.DVLEs[0].Type == shbin.GeometryShader || len(f.DVLEs[0].Labels) == 0
	}}, causes: peculiarities, rules: "DVLP007"},

	{name: "ignores constants", reader: toy{"ignores-constants", true, false}, unread: "constants"},
	{name: "ignores labels", reader: toy{"ignores-labels", true, false}, unread: "labels"},
	{name: "ignores outputs", reader: toy{"ignores-outputs", true, false}, unread: "outputs"},
	{name: "ignores uniforms", reader: toy{"ignores-uniforms", true, false}, unread: "uniforms"},
	{name: "ignores symbols", reader: toy{"ignores-symbols", true, false}, unread: "symbols"},
	{name: "ignores descriptors", reader: toy{"ignores-descriptors", true, false}, unread: "descriptors"},
	{name: "ignores lines", reader: toy{"ignores-lines", true, false}, unread: "lines"},
	{name: "ignores file names", reader: toy{"ignores-file_names", true, false}, unread: "file_names"},
	// The entry and the words of labels are bounds of the code.
	{name: "ignores code", reader: toy{"ignores-code", true, false}, unread: "code",
		causes: "accepts invalid: accepts DVLE007; accepts invalid: accepts DVLE040; accepts invalid: accepts DVLE041"},
	{name: "must read lines", reader: toy{"ignores-lines", true, false}, must: []string{"labels", "lines"},
		causes: "accepts invalid: accepts DVLP015; accepts invalid: accepts DVLP017"},
	{name: "one bound missing", reader: toy{"register-off-by-one", true, false},
		causes: "accepts invalid: accepts DVLE032"},
	{name: "two crashes", reader: answering(func(r reader.Reply, data []byte, _ int) reader.Reply {
		f, err := shbin.Parse(data)
		switch {
		case err != nil:
		case len(f.DVLEs[0].Labels) == 3:
			return crashed("labels")
		case len(f.DVLEs[0].Outputs) == 3:
			return crashed("outputs")
		}
		return r
	}), causes: "crash: crash: panic in labels; crash: crash: panic in outputs"},
	{name: "not deterministic", reader: answering(func(r reader.Reply, _ []byte, n int) reader.Reply {
		if n%97 == 0 {
			return reader.Reply{Outcome: reader.Refused, Message: "out of luck"}
		}
		return r
	}), causes: "flaky: refuses: out of luck"},
	{name: "late under load", reader: answering(func(r reader.Reply, _ []byte, n int) reader.Reply {
		if n%37 == 0 && n < 1500 {
			return reader.Reply{Outcome: reader.Hung, Message: "no end"}
		}
		return r
	})},
}

// outcome describes a verdict: causes, rules that were not tested, and tables that were not read.
func outcome(r *report.Report) (causes, rules, unread string) {
	var list []string
	for _, d := range r.Deviations {
		list = append(list, string(d.Verdict)+": "+d.Bucket)
	}
	for _, x := range r.NotTested {
		rules = strings.TrimSpace(rules + " " + x.Name)
	}
	for _, x := range r.NotRead {
		unread += strings.Join(x.Tables, " ")
	}
	return strings.Join(list, "; "), rules, unread
}

// TestTested: the verdict on a reader has its causes and no others, names the rules that no file
// could test, and the tables that the reader does not read.
func TestTested(t *testing.T) {
	for _, x := range long.Items(t, testedReaders, long.Few(len(testedReaders), 12)) {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			r := verdict(t, x.reader, reader.Options{Repeats: 2, Cases: 20, NoCost: true, MustRead: x.must})
			causes, rules, unread := outcome(r)
			if causes != x.causes || rules != x.rules || unread != x.unread {
				t.Errorf("causes %q, want %q; not tested %q, want %q; not read %q, want %q", causes, x.causes, rules,
					x.rules, unread, x.unread)
			}
		})
	}
}

// TestAcceptsNoValid: a reader that refuses every valid file gets no verdict, but its own message.
func TestAcceptsNoValid(t *testing.T) {
	refusing := func(outcome reader.Outcome) reader.Reader {
		return answering(func(r reader.Reply, data []byte, _ int) reader.Reply {
			if _, err := shbin.Parse(data); err != nil {
				return r
			}
			return reader.Reply{Outcome: outcome, Message: "no licence"}
		})
	}
	for name, c := range map[string]struct {
		reader reader.Reader
		want   string
	}{
		"refuses":     {refusing(reader.Refused), "tool {in}: refused: no licence"},
		"unsupported": {refusing(reader.Unsupported), "tool {in}: unsupported: no licence"},
		"ends at NUL": {toy{"ends-at-nul", false, false}, "tool {in}: refused: refused: short file"},
	} {
		o := reader.Options{Formats: []string{"shbin"}, Repeats: 1, Cases: 5, NoCost: true, Name: "tool {in}"}
		_, err := reader.Run(t.Context(), c.reader, o)
		if want := "shbin: " + reader.ErrNoValid.Error() + ": " + c.want; !errors.Is(err, reader.ErrNoValid) ||
			err.Error() != want {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
	r := verdict(t, refusing(reader.Crashed), reader.Options{Repeats: 1, Cases: 5, NoCost: true})
	if causes, _, _ := outcome(r); !strings.HasPrefix(causes, "crash: crash: ") {
		t.Errorf("crashes: %s", causes)
	}
}

// TestStarted: a command that refuses everything is shown as it was run.
func TestStarted(t *testing.T) {
	c := reader.NewCommand("false {in} -o {out}")
	defer c.Close()
	if got, want := c.Started("shbin"), "false in.shbin -o out/out.bin"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestTables: docs/reader.md lists the tables of each format, and a reader can only be told to read
// those.
func TestTables(t *testing.T) {
	page, err := os.ReadFile("../../docs/reader.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, from := range files.Formats {
		names := reader.Tables(from.Name)
		line := "| " + from.Name + " | " + cmp.Or(strings.Join(names, ", "), "none") + " |\n"
		if !bytes.Contains(page, []byte(line)) {
			t.Errorf("docs/reader.md lacks the line: %s", line)
		}
	}
	for names, known := range map[string]bool{"labels": true, "labels,relocations": true, "label": false, "": false} {
		_, err := reader.Run(t.Context(), sound, reader.Options{Formats: []string{"shbin", "dvoj"}, Cases: 1,
			Repeats: 1, NoCost: true, MustRead: strings.Split(names, ",")})
		if errors.Is(err, reader.ErrTable) == known {
			t.Errorf("%q: got %v, the tables are known: %v", names, err, known)
		}
	}
}
