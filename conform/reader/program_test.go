//go:build linux || darwin

package reader_test

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/picaproof/picaproof/conform/kit/kittest"
	"github.com/picaproof/picaproof/conform/reader"
	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/internal/long"
)

// compile compiles a program of testdata: reader.c, which toy is a model of, or bounds.c.
func compile(t *testing.T, source string, options ...string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "reader")
	args := append([]string{"-std=c99", "-O1", "-g", "-Wall", "-Wextra", "-o", program, "testdata/" + source},
		options...)
	if out, err := exec.Command("cc", args...).CombinedOutput(); err != nil {
		if len(options) == 0 {
			if _, missing := exec.LookPath("cc"); missing != nil {
				t.Skip("no C compiler")
			}
		} else if !strings.Contains(string(out), source+":") {
			t.Skipf("cc does not know %v", options)
		}
		t.Fatalf("cc %v: %v\n%s", args, err, out)
	}
	return program
}

// sanitizers are the options of a build in which a wrong access ends the program.
func sanitizers() []string {
	return append(slices.Clone(kittest.Sanitizers), "-fno-sanitize-recover=all")
}

// patient is a time limit that no right program exceeds, on a machine under any load.
const patient = time.Minute

// TestProgram: what a program does with a file becomes a reply: status, signal, files.
func TestProgram(t *testing.T) {
	program := compile(t, "reader.c")
	vectors, err := corpus.Vectors("shbin")
	if err != nil {
		t.Fatal(err)
	}
	file := func(name string) []byte {
		i := slices.IndexFunc(vectors, func(v corpus.Vector) bool { return v.Name == "shbin/"+name })
		if i < 0 {
			t.Fatalf("no vector %s", name)
		}
		return vectors[i].Data
	}
	valid, wrong := file("DVLB002-near-miss"), file("DVLB002-trigger")
	for _, c := range []struct {
		arguments string
		data      []byte
		want      reader.Reply // without costs and standard error
	}{
		{"none {in}", valid, reader.Reply{Outcome: reader.Accepted}},
		{"none {in} {out}", valid, reader.Reply{Outcome: reader.Accepted, Rewritten: valid}},
		{"none {in}", wrong, reader.Reply{Outcome: reader.Refused, Message: "refused: magic"}},
		{"magic {in}", wrong, reader.Reply{Outcome: reader.Accepted}},
		{"empty {in}", nil, reader.Reply{Outcome: reader.Crashed, Fault: "SIGSEGV", Message: "SIGSEGV"}},
		{"writes-nothing {in} {out}", valid, reader.Reply{Outcome: reader.Accepted, NotRewritten: "no output file"}},
		{"writes-directory {in} {out}", valid, reader.Reply{Outcome: reader.Accepted,
			NotRewritten: "an output that is no regular file (d---------)"}},
		{"replaces-input {in}", valid, reader.Reply{Outcome: reader.Accepted, Misdeed: "its input is changed"}},
		{"none {in}; s=$?; rm {in}; exit $s", valid, reader.Reply{Outcome: reader.Accepted, Misdeed: "its input is gone"}},
		{"none {in} {out}; s=$?; cp {in} {out}; exit $s", wrong, reader.Reply{Outcome: reader.Refused,
			Message: "refused: magic", Misdeed: "an output behind a failure"}},
	} {
		r := reader.NewCommand(program + " " + c.arguments)
		got, err := r.Read(t.Context(), "shbin", c.data, patient)
		r.Close()
		if err != nil || got.Outcome != c.want.Outcome || got.Message != c.want.Message || got.Fault != c.want.Fault ||
			got.NotRewritten != c.want.NotRewritten || got.Misdeed != c.want.Misdeed ||
			!slices.Equal(got.Rewritten, c.want.Rewritten) {
			t.Errorf("%s: got %+v, %v, want %+v", c.arguments, got, err, c.want)
		}
		if got.CPU <= 0 {
			t.Errorf("%s: no processor time", c.arguments)
		}
	}
}

// TestPlantedPrograms: faults of the toy that end, stop or slow down a process, or change its files,
// are found in the program, too, in both builds.
func TestPlantedPrograms(t *testing.T) {
	type build struct {
		planted
		sanitized bool
	}
	var list []build
	for _, p := range faults {
		for _, sanitized := range []bool{false, true} {
			plain := !sanitized && p.only == "" && (p.level != report.AcceptsInvalid && p.level != report.RefusesValid)
			if plain || sanitized && p.sanitized != "" {
				list = append(list, build{p, sanitized})
			}
		}
	}
	list = long.Items(t, list, 0)
	programs := map[bool]string{false: compile(t, "reader.c"), true: compile(t, "reader.c", sanitizers()...)}
	for _, b := range list {
		t.Run(fmt.Sprintf("%s/%v", b.fault, b.sanitized), func(t *testing.T) {
			line, limit := programs[b.sanitized]+" "+b.fault+" {in}", 20*time.Second
			if b.writes {
				line += " {out}"
			}
			if b.level == report.Hang {
				limit = time.Second
			}
			r := reader.NewCommand(line)
			defer r.Close()
			b.find(t, verdict(t, r, reader.Options{Repeats: 1, Cases: 5, NoCost: !b.grows, Limit: limit}), b.sanitized)
		})
	}
}

// asModelled is a loader whose crashes are those of testdata/bounds.c; its other answers are those of
// the model.
type asModelled struct {
	loader
	program reader.Reader
}

func (m asModelled) Read(ctx context.Context, format string, data []byte, limit time.Duration) (reader.Reply, error) {
	r, err := m.loader.Read(ctx, format, data, limit)
	if r.Outcome == reader.Crashed {
		return m.program.Read(ctx, format, data, limit)
	}
	return r, err
}

// likeModel is testdata/bounds.c without a missing bound; it compares each answer with the model's.
type likeModel struct {
	reader.Reader
	t *testing.T
}

func (m likeModel) Read(ctx context.Context, format string, data []byte, limit time.Duration) (reader.Reply, error) {
	got, err := m.Reader.Read(ctx, format, data, limit)
	want, _ := loader{}.Read(ctx, format, data, limit)
	if got.Outcome != want.Outcome || strings.TrimPrefix(got.Message, "refused: ") != want.Message {
		m.t.Errorf("got %s %q, want %s %q\n%x", got.Outcome, got.Message, want.Outcome, want.Message, data)
	}
	return got, err
}

// TestBoundsInPrograms: testdata/bounds.c answers as its model does, and each of its missing bounds is
// found, and every rule is tested.
func TestBoundsInPrograms(t *testing.T) {
	list := long.Items(t, append([]string{"none"}, bounds...), 0)
	program := compile(t, "bounds.c", sanitizers()...)
	for _, missing := range list {
		t.Run(missing, func(t *testing.T) {
			r := reader.NewCommand(program + " " + missing + " {in}")
			defer r.Close()
			o := reader.Options{Repeats: 1, Cases: 5, NoCost: true, Limit: patient}
			if missing == "none" {
				causes, rules, unread := outcome(verdict(t, likeModel{r, t}, o))
				if causes+rules+unread != "" {
					t.Errorf("causes %q, not tested %q, not read %q", causes, rules, unread)
				}
				return
			}
			findsBound(t, verdict(t, asModelled{loader{missing}, r}, o), "Sanitizer")
		})
	}
}
