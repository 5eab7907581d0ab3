package writer_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/conform/writer"
	"github.com/picaproof/picaproof/formats/shbin"
)

// TestCrashOfDefects: one crash is one cause, whether programs or sources of known defects show
// it.
func TestCrashOfDefects(t *testing.T) {
	known := map[string]bool{}
	for k := range source.Picasso.Defects() {
		text, _ := source.Picasso.Sources(&source.Picasso.Defects()[k])
		known[text.Files[0]] = true
	}
	for name, crashes := range map[string]func(text string) bool{
		"defects":              func(text string) bool { return known[text] },
		"defects and programs": func(text string) bool { return known[text] || strings.Contains(text, ".constfa (") },
	} {
		r, err := writer.Run(context.Background(), writer.Func(func(t *source.Text) ([]byte, error) {
			if crashes(t.Files[0]) {
				panic("out of room")
			}
			return (&planted{}).assemble(t)
		}), writer.Options{Seed: 1, Cases: cases(100)})
		if err != nil {
			t.Fatal(err)
		}
		var crashed []string
		count := 0
		for _, d := range r.Deviations {
			if d.Verdict == report.Crash {
				crashed, count = append(crashed, d.Bucket), d.Count
			}
		}
		if len(crashed) != 1 || !strings.HasPrefix(crashed[0], "panic: out of room") ||
			count < len(source.Picasso.Defects())/2 {
			t.Errorf("%s: %d times %q, want one crash", name, count, crashed)
		}
	}
}

// TestTitles: the name of a refusal has the words of the message, and does not depend on names
// in the source.
func TestTitles(t *testing.T) {
	r, err := writer.Run(context.Background(), writer.Func(func(t *source.Text) ([]byte, error) {
		for n, line := range strings.Split(t.Files[0], "\n") {
			if words := strings.Fields(line); len(words) > 1 && words[0] == ".constfa" {
				return nil, errors.New("in.pica:" + string(rune('1'+n%9)) + ": error: '" +
					words[1] + "': an array (of " + strings.Split(words[1], "[")[0] + ") is not known here")
			}
		}
		return (&planted{}).assemble(t)
	}), writer.Options{Seed: 1, Cases: cases(100)})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range r.Deviations {
		if d.Verdict == report.RefusesValid && !strings.HasPrefix(d.Bucket, "known defect") {
			names = append(names, d.Bucket)
		}
	}
	const want = "refused: error: *: an array (of *) is not known here"
	if len(names) != 1 || !slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, want) }) {
		t.Errorf("got %q, want %q", names, want)
	}
}

// TestFaultBesideDefects: a fault of every file does not count as a known defect, nor does it
// hide one.
func TestFaultBesideDefects(t *testing.T) {
	merging := planted{file: func(f *shbin.File) {
		for e := range f.DVLEs {
			f.DVLEs[e].Merge = 1
		}
	}}
	r, err := writer.Run(context.Background(), writer.Func(merging.assemble), writer.Options{Seed: 1, Cases: 50})
	if err != nil {
		t.Fatal(err)
	}
	baseline, _ := writer.Baseline("picasso")
	b, err := report.ReadBaseline(bytes.NewReader(baseline), report.Levels)
	if err != nil {
		t.Fatal(err)
	}
	if list := b.Against(r.Causes()); len(list) != 1 || !strings.HasPrefix(list[0], "new: merge (wrong tables)") {
		t.Errorf("got %q, want the merge flag alone", list)
	}
}

// noFile writes no file for any source.
type noFile struct{ writer.Func }

// Assemble implements writer.Tool.
func (noFile) Assemble(context.Context, *source.Text) (writer.Answer, error) {
	return writer.Answer{Fate: writer.Nothing, Message: "no output file"}, nil
}

// TestNothingOfDefects: a tool that writes nothing has one cause, not each known defect.
func TestNothingOfDefects(t *testing.T) {
	for _, d := range source.Dialects {
		r, err := writer.Run(context.Background(), noFile{}, writer.Options{Dialect: d, Seed: 1, Cases: 20})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, x := range r.Deviations {
			names = append(names, string(x.Verdict)+": "+x.Bucket)
		}
		if len(names) != 1 {
			t.Errorf("%s: %d causes: %q", d.Name, len(names), names)
		}
	}
}

// TestDefectsOfUnsteady: a tool whose output varies still shows the known defects.
func TestDefectsOfUnsteady(t *testing.T) {
	changing := planted{file: func(f *shbin.File) { f.DVLEs[0].Version = uint16(runs.Add(1)) }}
	r, err := writer.Run(context.Background(), writer.Func(changing.assemble), writer.Options{Seed: 1, Cases: 50})
	if err != nil {
		t.Fatal(err)
	}
	baseline, _ := writer.Baseline("picasso")
	b, err := report.ReadBaseline(bytes.NewReader(baseline), report.Levels)
	if err != nil {
		t.Fatal(err)
	}
	if list := b.Against(r.Causes()); len(list) != 1 || !strings.HasPrefix(list[0], "new: two runs, two results") {
		t.Errorf("got %q, want two results alone", list)
	}
}
