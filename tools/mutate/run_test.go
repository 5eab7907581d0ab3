package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const judgedSource = `package p

const size = 4

// Small is tested at its bound.
func Small(a int) bool { return a < size }

// Large is called, and nobody looks.
func Large(a int) bool { return a > 9 }

// Spin ends because it counts.
func Spin(n int) int {
	sum := 0
	for n > 0 {
		sum++
		n--
	}
	return sum
}
`

const judgedTest = `package p

import "testing"

func TestSmall(t *testing.T) {
	if Small(4) || !Small(3) {
		t.Error("wrong")
	}
}

func TestLarge(t *testing.T) { Large(3) }

func TestSpin(t *testing.T) {
	if Spin(3) != 3 {
		t.Error("wrong")
	}
}

func TestBroken(t *testing.T) { t.Error("always") }
`

const judgedProperty = `package properties_test

import (
	"testing"

	"example.com/m/p"
)

func TestOrder(t *testing.T) {
	if !p.Small(-1) || p.Small(100) {
		t.Error("wrong")
	}
}
`

// TestRunJudgesAndGoesOn mutates a module of its own.
func TestRunJudgesAndGoesOn(t *testing.T) {
	module, records := t.TempDir(), t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(module, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/m\n\ngo 1.26\n")
	write("p/p.go", judgedSource)
	write("p/p_test.go", judgedTest)
	write("properties/p_test.go", judgedProperty)
	o := options{module: module, records: records, results: filepath.Join(records, "results.txt"), seed: defaultSeed,
		jobs: 2, longest: time.Minute}
	run := func(unit string) map[string]entry {
		t.Helper()
		o.unit = unit
		if err := o.run(context.Background(), []string{"p"}); err != nil {
			t.Fatal(err)
		}
		r, err := readRecord(recordPath(records, "p"), nil)
		if err != nil {
			t.Fatal(err)
		}
		all := map[string]entry{}
		for _, e := range r.entries {
			all[e.Unit+": "+e.Change[strings.Index(e.Change, "=>"):]] = e
		}
		return all
	}

	first := run("Small|Large|const")
	const small, large = "Small: => func Small(a int) bool ", "Large: => func Large(a int) bool "
	for change, want := range map[string]entry{
		small + "{ return a <= size }":  {Outcome: killed, Generated: nobody, Whole: "p.TestSmall"},
		small + "{ return a >= size }":  {Outcome: killed, Generated: "properties.TestOrder"},
		large + "{ return a >= 9 }":     {Outcome: survived, Generated: nobody, Whole: nobody},
		large + "{ return true }":       {Outcome: survived, Generated: nobody, Whole: nobody},
		"const size: => const size = 5": {Outcome: killed, Generated: nobody, Whole: "p.TestSmall"},
		"const size: => const size = 3": {Outcome: killed, Generated: nobody, Whole: "p.TestSmall"},
	} {
		got, ok := first[change]
		if !ok {
			t.Errorf("%q is not in the record: %q", change, slices.Sorted(maps.Keys(first)))
		}
		want.identity, want.Change = got.identity, got.Change
		if got != want {
			t.Errorf("%s: %v, want %v", change, got, want)
		}
	}

	// The next run judges the missing mutants, and none again.
	before, err := os.Stat(recordPath(records, "p"))
	if err != nil {
		t.Fatal(err)
	}
	all := run("")
	for change, e := range first {
		if all[change] != e {
			t.Errorf("%s: %v became %v", change, e, all[change])
		}
	}
	if e := all["Spin: => n++"]; e.Outcome != timeout && e.Outcome != killed {
		t.Errorf("a loop that does not end: %v", e)
	}
	after, err := os.Stat(recordPath(records, "p"))
	if err != nil || after.Size() <= before.Size() {
		t.Errorf("the second run has added nothing; %v", err)
	}

	// A better test changes the outcome of survivors, and of no other mutant.
	write("p/large_test.go", `package p

import "testing"

func TestLargeAtItsBound(t *testing.T) {
	if Large(9) {
		t.Error("wrong")
	}
}
`)
	const bound, constant = large + "{ return a >= 9 }", large + "{ return false }"
	o.alive, o.in = true, "^q$"
	if got := run("")[bound]; got != first[bound] {
		t.Errorf("no tests, yet %v became %v", first[bound], got)
	}
	o.in, o.tests = "^p$", "Bound"
	better := run("")
	if e := better[bound]; e.Outcome != killed || e.Generated != nobody || e.Whole != "p.TestLargeAtItsBound" {
		t.Errorf("%s: %v", bound, e)
	}
	if e := better[constant]; e != first[constant] {
		t.Errorf("%s: %v became %v", constant, first[constant], e)
	}
	o.alive, o.in, o.tests = false, "", ""
	if err := os.Remove(filepath.Join(module, "p", "large_test.go")); err != nil {
		t.Fatal(err)
	}

	// An equivalent counts in the score of the results.
	kept := func() *result {
		t.Helper()
		all, err := readResults(o.results)
		if err != nil {
			t.Fatal(err)
		}
		return all.of("p")
	}
	r, err := readRecord(recordPath(records, "p"), nil)
	if err != nil {
		t.Fatal(err)
	}
	survivors := 0
	for _, e := range r.entries {
		if e.Outcome == survived {
			survivors++
		}
	}
	explain := func(e entry) error {
		return o.equivalent([]string{"p", e.Unit, e.Operator, fmt.Sprint(e.Ordinal), "why"})
	}
	if err := explain(first[bound]); err == nil {
		t.Error("a dead mutant became equivalent")
	}
	explained := first[constant]
	if err := explain(explained); err != nil {
		t.Fatal(err)
	}
	run("")
	explained.Outcome, explained.Reason, explained.Generated, explained.Whole = equivalent, "why", "", ""
	if got := kept().equivalents; !slices.Equal(got, []entry{explained}) {
		t.Errorf("equivalents are %v, want %v", got, explained)
	}
	score := fmt.Sprintf("p %d/%d 1 whole", len(r.entries)-survivors, len(r.entries)-1)
	if got := strings.Join(kept().score[:4], " "); got != score {
		t.Errorf("the score is %q, want %q", got, score)
	}

	// A survivor with a reason is judged again after a change of its function, and keeps the
	// reason for confirmation.
	write("p/p.go", strings.Replace(judgedSource, "a > 9", "a > 10", 1))
	changed := run("")[constant]
	if changed.Outcome != survived || changed.Reason != "why" || changed.Hash == explained.Hash {
		t.Errorf("after the change of its function the explained mutant is %v", changed)
	}
	if got := kept().equivalents; !slices.Equal(got, []entry{explained}) {
		t.Errorf("equivalents are %v, want %v until the reason is confirmed", got, explained)
	}

	// Once a test kills it, nothing is left to explain.
	write("p/large_test.go", `package p

import "testing"

func TestLargeAboveItsBound(t *testing.T) {
	if !Large(11) {
		t.Error("wrong")
	}
}
`)
	o.alive = true
	if e := run("")[constant]; e.Whole != "p.TestLargeAboveItsBound" {
		t.Errorf("the explained mutant is %v", e)
	}
	if got := kept().equivalents; len(got) > 0 {
		t.Errorf("equivalents are %v, want none", got)
	}
}
