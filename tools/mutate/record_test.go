package main

import (
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var someEntry = entry{identity: identity{"a.go", "f", "boundary", 0, "00000001"}, Outcome: survived, Whole: nobody}

func TestRecordKeepsTheLastLineOfAPlace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "p.jsonl")
	r, err := readRecord(path)
	if err != nil {
		t.Fatal(err)
	}
	later := someEntry
	later.Hash, later.Outcome, later.Whole = "00000002", killed, "p.TestX"
	other := someEntry
	other.Operator = "arithmetic"
	for _, e := range []entry{someEntry, other, later} {
		if err := r.add(e); err != nil {
			t.Fatal(err)
		}
	}
	// A run that is killed during a write leaves a line without an end.
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(`{"file":"a.g`)
	f.Close()
	for _, step := range []string{"read", "saved"} {
		if r, err = readRecord(path); err != nil {
			t.Fatal(err)
		}
		if got := r.sorted(); !slices.Equal(got, []entry{other, later}) {
			t.Errorf("%s: entries are %v", step, got)
		}
		if err := compact(path); err != nil {
			t.Fatal(err)
		}
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); err != nil || len(left) != 1 {
		t.Errorf("files beside the record: %q, %v", left, err)
	}
}

func TestWilson(t *testing.T) {
	for _, c := range []struct {
		hits, n   int
		low, high float64
	}{
		{0, 0, 0, 100}, {0, 10, 0, 27.75}, {10, 10, 72.25, 100},
		{81, 263, 25.53, 36.62}, // Newcombe 1998, table I, method 3
	} {
		low, high := wilson(c.hits, c.n)
		if math.Abs(low-c.low) > 0.01 || math.Abs(high-c.high) > 0.01 {
			t.Errorf("%d of %d: %.2f to %.2f, want %.2f to %.2f", c.hits, c.n, low, high, c.low, c.high)
		}
	}
}

// unitsOf returns the names of the functions and values of a file.
func unitsOf(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Error(err)
		return nil
	}
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, path, text, 0)
	if err != nil {
		t.Fatal(err)
	}
	f := &sourceFile{name: filepath.Base(path), text: text, syntax: syntax, start: syntax.FileStart}
	(&source{fset: fset, info: &types.Info{}}).cut(f)
	var names []string
	for _, u := range f.units {
		names = append(names, u.name)
	}
	return names
}

// TestRecordIsSound compares the committed record with the source. The record may be older
// than the source: "mutate report" counts the mutants to be judged again.
func TestRecordIsSound(t *testing.T) {
	var operatorNames []string
	for _, op := range operators {
		operatorNames = append(operatorNames, op.name)
	}
	files := 0
	err := filepath.WalkDir("record", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		pkg, ok := strings.CutSuffix(strings.TrimPrefix(filepath.ToSlash(path), "record/"), ".jsonl")
		if !ok || !slices.ContainsFunc(plan, func(target target) bool { return target.pkg == pkg }) {
			t.Errorf("%s is no record of a package of the plan", path)
			return nil
		}
		r, err := readRecord(path)
		if err != nil {
			t.Error(err)
			return nil
		}
		units := map[string][]string{}
		var sorted []byte
		for _, e := range r.sorted() {
			sorted = append(sorted, encode(e)...)
			if units[e.File] == nil {
				units[e.File] = unitsOf(t, filepath.Join("..", "..", filepath.FromSlash(pkg), e.File))
			}
			switch {
			case !slices.Contains(units[e.File], e.Unit):
				t.Errorf("%s: %v: no such function or value any more; go -C tools run ./mutate tidy drops it", path,
					e.identity)
			case !slices.Contains(operatorNames, e.Operator) || len(e.Hash) != 8 || e.Change == "":
				t.Errorf("%s: %v is no identity", path, e.identity)
			case !slices.Contains([]outcome{killed, timeout, survived, equivalent}, e.Outcome):
				t.Errorf("%s: %v: outcome %q", path, e.identity, e.Outcome)
			case (e.Outcome == killed || e.Outcome == timeout) != (e.dead(generatedSuite) || e.dead(wholeSuite)):
				t.Errorf("%s: %v: %s by %q and %q", path, e.identity, e.Outcome, e.Generated, e.Whole)
			case e.Outcome == equivalent && e.Reason == "":
				t.Errorf("%s: %v is equivalent and nothing says why", path, e.identity)
			}
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != string(sorted) {
			t.Errorf("%s is not sorted (%v); go -C tools run ./mutate tidy sorts it", path, err)
		}
		return nil
	})
	if err != nil || files == 0 {
		t.Errorf("%d records, %v", files, err)
	}
}
