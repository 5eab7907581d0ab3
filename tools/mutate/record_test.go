package main

import (
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var someEntry = entry{identity: identity{"a.go", "f", "boundary", 0, "00000001"}, Outcome: survived, Whole: nobody}

func TestRecordKeepsTheLastLineOfAPlace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "p.jsonl")
	r, err := readRecord(path, nil)
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
	want := map[identity]entry{later.place(): later, other.place(): other}
	for _, step := range []string{"cut off", "continued"} {
		if r, err = readRecord(path, nil); err != nil || !maps.Equal(r.entries, want) {
			t.Errorf("%s: entries are %v, %v", step, r.entries, err)
		}
		if err := r.add(other); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOf: an entry counts if it fits the text of its unit, and an equivalent of the repository
// counts more. A mutant without an entry has the reason for an older one.
func TestOf(t *testing.T) {
	explained := someEntry
	explained.Outcome, explained.Whole, explained.Reason, explained.Change = equivalent, "", "why", "a => b"
	newer := someEntry
	newer.Hash, newer.Change = "00000002", "c => b"
	m := func(hash, change string) *mutant {
		m := &mutant{identity: someEntry.identity, Change: change}
		m.Hash = hash
		return m
	}
	for _, c := range []struct {
		name    string
		entry   entry
		mutant  *mutant
		want    entry
		isKnown bool
	}{
		{"an equivalent", someEntry, m("00000001", "a => b"), explained, true},
		{"another change", someEntry, m("00000001", "a => c"), entry{Reason: "why"}, false},
		{"another text", someEntry, m("00000002", "c => b"), entry{Reason: "why"}, false},
		{"another text, judged", newer, m("00000002", "c => b"), newer, true},
	} {
		r := record{entries: map[identity]entry{c.entry.place(): c.entry},
			equivalents: map[identity]entry{explained.place(): explained}}
		if got, known := r.of(c.mutant); got != c.want || known != c.isKnown {
			t.Errorf("%s: got %v, %t; want %v, %t", c.name, got, known, c.want, c.isKnown)
		}
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

// scoreOf matches the line of a package in the results.
var scoreOf = regexp.MustCompile(
	`^\S+ \d+/\d+ \d+ (whole|\d+\.\d-\d+\.\d%) \d{4}-\d{2}-\d{2} [0-9a-f]{12}$`)

// TestResultsAreSound compares the results of the repository with the source.
func TestResultsAreSound(t *testing.T) {
	var operatorNames []string
	for _, op := range operators {
		operatorNames = append(operatorNames, op.name)
	}
	all, err := readResults("results.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range plan {
		if line := strings.Join(all.of(target.pkg).score, " "); !scoreOf.MatchString(line) {
			t.Errorf("%s has the score %q", target.pkg, line)
		}
	}
	for pkg, r := range all {
		if !slices.ContainsFunc(plan, func(target target) bool { return target.pkg == pkg }) {
			t.Errorf("%s is no package of the plan", pkg)
			continue
		}
		units, places := map[string][]string{}, map[identity]bool{}
		for _, e := range r.equivalents {
			if units[e.File] == nil {
				units[e.File] = unitsOf(t, filepath.Join("..", "..", filepath.FromSlash(pkg), e.File))
			}
			switch {
			case places[e.place()]:
				t.Errorf("%s: %v twice", pkg, e.identity)
			case !slices.Contains(units[e.File], e.Unit):
				t.Errorf("%s: %v: no such function or value any more: remove its lines", pkg, e.identity)
			case !slices.Contains(operatorNames, e.Operator) || len(e.Hash) != 8 || e.Change == "" || e.Reason == "":
				t.Errorf("%s: %v is incomplete", pkg, e)
			}
			places[e.place()] = true
		}
	}
	if text, err := os.ReadFile("results.txt"); err != nil || string(text) != string(all.text()) {
		t.Errorf("results.txt is not as the tool writes it (%v)", err)
	}
}

func TestResultsErrors(t *testing.T) {
	const line = "p\ta.go\tf\tswap\t0\t00000001\n"
	for _, bad := range []string{"p 1/1 0 whole 2026-01-02\n", "p 1/1 0 whole 2026-01-02 c x\n", "\ta => b\n",
		"p\ta.go\tf\tswap\t0\n", "p\ta.go\tf\tswap\tx\t00000001\n", line + "\ta => b\n\twhy\n\tand why\n",
		line + "\ta =>\tb\n"} {
		path := filepath.Join(t.TempDir(), "results.txt")
		if err := os.WriteFile(path, []byte(bad), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := readResults(path); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}
