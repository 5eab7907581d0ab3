// Package stored_test asks of the files that runs leave for later runs: is any other file refused,
// without a panic and without a file outside?
package stored_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/cmd/project"
	"github.com/picaproof/picaproof/conform/journal"
	"github.com/picaproof/picaproof/conform/reader"
	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/fuzz/hunt"
	"github.com/picaproof/picaproof/fuzz/target/parts"
)

// maxInput keeps inputs small: go test minimises a failing input in time quadratic in its
// length.
const maxInput = 1 << 14

// FuzzReport: a report that is read can be merged, compared and written in every form.
func FuzzReport(f *testing.F) {
	r := report.New("conform core", "", "core", 1)
	r.Shard = "1/1"
	d := report.Deviation{Bucket: "dp3 o0", Verdict: report.Console, Opcode: "dp3", Opcodes: []string{"dp3"}, Count: 3,
		Job: json.RawMessage(`{"code":"88000000"}`), Features: []string{"any"}, Members: []report.Member{{Key: "a", Count: 3}}}
	r.Findings, r.Deviations = []report.Deviation{d, d}, []report.Deviation{d}
	r.Suites = []report.Suite{{Name: "alu", Counts: report.Counts{Run: 3}}}
	r.Classes, r.Matrix = []string{"zero"}, []report.Row{{Opcode: "dp3", Cells: []report.Cell{{Judged: 1, Known: 2}}}}
	r.Tables = []report.Table{{Title: "t", Columns: []string{"a", "b"}, Rows: [][]string{{"1", "2"}}}}
	r.Messages = []report.Message{{Text: "text"}}
	r.Profile.Knobs = []report.Knob{{Knob: "storage", DecidedBy: json.RawMessage(`{}`)}}
	for _, kind := range []string{"", "reader", "writer"} {
		r.Kind = kind
		b, err := json.Marshal(r)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > maxInput {
			return
		}
		r, err := report.Read(b)
		if err != nil {
			if !errors.Is(err, report.ErrReport) {
				t.Fatal(err)
			}
			return
		}
		again, err := report.Read(b)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = report.Merge([]*report.Report{again})
		_, _ = report.Merge([]*report.Report{again, again})
		r.Regroup()
		report.WriteChanges(io.Discard, report.Changes(r, again))
		if err := errors.Join(r.WriteText(io.Discard, report.Paint{}), r.WriteHTML(io.Discard),
			r.WriteJUnit(io.Discard), r.WriteAnnotations(io.Discard), json.NewEncoder(io.Discard).Encode(r)); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzBaseline: a baseline is written again as it was read, and so are causes of any name and text.
func FuzzBaseline(f *testing.F) {
	f.Add(parts.Join([]byte("name"), []byte("text"),
		[]byte("crash:_a crash # seen\n# comment\n\ngone flaky # now and then\n")))
	f.Add(parts.Join(nil, []byte("0"), []byte("0")))
	f.Add(parts.Join([]byte("a b_c%\x00\xFF#"), []byte("\x1b[31m\n::error::"), []byte("a%20b skip # \u202Ereason")))
	f.Fuzz(func(t *testing.T, input []byte) {
		if len(input) > maxInput {
			return
		}
		list := parts.Split(input, 3)
		name, reason, text := string(list[0]), string(list[1]), list[2]
		known, _ := report.ReadBaseline(bytes.NewReader(text), report.Levels)
		causes := []report.Cause{{Name: name, Outcome: string(report.Crash), Text: reason, Bad: true}}
		var written bytes.Buffer
		if err := report.WriteBaseline(&written, causes, known); err != nil {
			t.Fatal(err)
		}
		again, err := report.ReadBaseline(&written, report.Levels)
		if err != nil {
			t.Fatal(err)
		}
		if unexpected := again.Against(causes); len(unexpected) > 0 {
			t.Errorf("%q is unexpected: %q", name, unexpected)
		}
	})
}

// FuzzState: the state of a campaign, a reduction, and a journal are refused, or lead to no file
// outside of their directory.
func FuzzState(f *testing.F) {
	f.Add([]byte(`{"seed":1,"targets":[{"name":"alu f24","next":64,"outcomes":{"a":1},"messages":{"a":{"b":2}}}],` +
		`"buckets":[{"target":"alu f24","key":"mul","file":"mul-one-step","count":3}],"corpus":[{"target":"a","points":3}]}`))
	f.Add([]byte(`{"seed":1,"shard":"2/4","targets":[{"name":"shbin","next":128}],"buckets":[{"target":"shbin",` +
		`"key":"written","count":1,"number":70,"text":"t","file":"campaign"}],"corpus":[{"target":"shbin","number":64}]}`))
	f.Add([]byte(`{"input":"AAAA","kept":"x","best":"AA==","memory":""}`))
	f.Add([]byte(`{"picaproof_journal":1,"options":{}}` + "\n" + `{"q":"` +
		"03c3c65f165af679b48e195a58cf13651910544c9e3096120bbde374a345d710" + `","a":{},"raw":{"Fault":"AA=="}}` + "\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > maxInput {
			return
		}
		parent := t.TempDir()
		dir := filepath.Join(parent, "state")
		name := filepath.Join(dir, "campaign.json")
		if err := errors.Join(os.Mkdir(dir, 0o777), os.WriteFile(name, b, 0o666)); err != nil {
			t.Fatal(err)
		}
		if s, err := hunt.Open(dir, 1); err == nil {
			s.Cases()
			merged, err := hunt.Open(filepath.Join(dir, "merged"), 0)
			if err != nil {
				t.Fatal(err)
			}
			_, err = hunt.Merge(merged, []string{dir}, func([]string) ([]hunt.Target, error) { return nil, nil })
			if err != nil && !errors.Is(err, hunt.ErrShards) {
				t.Fatal(err)
			}
			if err := errors.Join(merged.Close(), s.Close()); err != nil {
				t.Fatal(err)
			}
		} else if !errors.Is(err, hunt.ErrState) {
			t.Fatal(err)
		}
		if _, err := hunt.LoadReduction(name, "x", []byte{0, 0, 0}); err != nil &&
			!errors.Is(err, hunt.ErrReduction) && !errors.Is(err, hunt.ErrOtherReduction) {
			t.Fatal(err)
		}
		switch j, err := journal.Open(name, nil); {
		case err == nil:
			r := journal.OfReader(j, reader.Func(func([]byte) (reader.Result, error) { return reader.Result{}, nil }))
			if _, err := r.Read(t.Context(), "gsh", nil, 0); err != nil && !errors.Is(err, journal.ErrJournal) {
				t.Fatal(err)
			}
			if err := j.Close(); err != nil {
				t.Fatal(err)
			}
		case !errors.Is(err, journal.ErrJournal) && !errors.Is(err, journal.ErrOther):
			t.Fatal(err)
		}
		if entries, err := os.ReadDir(parent); err != nil || len(entries) != 1 {
			t.Errorf("%d entries beside the directory, %v", len(entries), err)
		}
	})
}

// FuzzProject: settings that are read have keys and values that the file may have, and an error names the line.
func FuzzProject(f *testing.F) {
	keys := []project.Key{{Name: "colour", Example: `"red"`, Values: []string{"red", "green"}},
		{Name: "names", List: true, Example: `["a"]`}, {Name: "file", Example: `"a.txt"`}}
	f.Add([]byte("# x\ncolour = \"red\"\nnames = ['a', # b\n\"\\u00e9\"]\nfile = \"\"\"\na\"\"\""))
	f.Add([]byte("[colour]\nnames.x = 1\n[[file]]\n\"names\" = { a = [1.5e3, 07:32:00] }"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > maxInput {
			return
		}
		settings, err := project.Parse("f", b, keys)
		if err != nil {
			if !regexp.MustCompile(`^f:[1-9][0-9]*: `).MatchString(err.Error()) {
				t.Errorf("no line in %q", err)
			}
			return
		}
		for _, s := range settings {
			i := slices.IndexFunc(keys, func(k project.Key) bool { return k.Name == s.Key })
			if i < 0 || !keys[i].List && len(s.Values) != 1 ||
				s.Key == "colour" && !slices.Contains(keys[0].Values, s.Values[0]) {
				t.Errorf("%q", s)
			}
		}
	})
}
