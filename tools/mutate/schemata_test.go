package main

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// every has each form of declaration that a mutant may live in.
const every = `package p

const limit = 8

var table = []int{1, 2}

var grid [limit]int

type list[T any] struct{ items []T }

func (l *list[T]) add(items ...T) { l.items = append(l.items, items...) }

func (list[T]) none() bool { return true }

func pick[K comparable, V any](m map[K]V, _ int, k K) (v V, ok bool) {
	v, ok = m[k]
	return v, ok
}

func nothing(int, ...string) { grid[0]++ }

func unused(a int) int {
	b := a
	b = 2
	return b
}
`

func TestRewritingCompiles(t *testing.T) {
	s := sourceOf(t, every)
	all := s.mutants()
	sound, err := s.compiling(all)
	if err != nil {
		t.Fatal(err)
	}
	units := map[string]int{}
	for _, m := range sound {
		units[m.Unit]++
	}
	for _, unit := range []string{"const limit", "var table", "(*list).add", "list.none", "pick",
		"nothing", "unused"} {
		if units[unit] == 0 {
			t.Errorf("no mutant of %s compiles; %v", unit, units)
		}
	}
	var shared []*mutant
	for _, m := range sound {
		if m.alone() != strings.HasPrefix(m.Unit, "const") {
			t.Errorf("%v: alone is %t", m.identity, m.alone())
		}
		if !m.alone() {
			shared = append(shared, m)
		}
	}
	r := s.rewrite(shared, nil)
	if files := slices.Sorted(maps.Keys(r.files)); !slices.Equal(files, []string{switchFile, "p.go"}) {
		t.Errorf("files are %q", files)
	}
	for _, want := range []string{
		"func nothing(mutantArg0 int, mutantArg1 ...string)",
		"(mutantArg0 list[T]) none()",
		"pick[K, V](m, mutantArg0, k)",
	} {
		if !strings.Contains(r.files["p.go"], want) {
			t.Errorf("the rewriting has no %q:\n%s", want, r.files["p.go"])
		}
	}
}

func TestWhatDoesNotCompileIsNoMutant(t *testing.T) {
	s := sourceOf(t, `package p

func f(a int) int {
	b := a * 2
	return b
}

func g(s string) string { return s + "x" }
`)
	sound, err := s.compiling(s.mutants())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range sound {
		if m.Operator == "arithmetic" && m.Unit == "g" {
			t.Errorf("strings are subtracted: %s", m.Change)
		}
		if m.Operator == "return" && m.Unit == "f" {
			t.Errorf("b is not used: %s", m.Change)
		}
	}
	if !slices.ContainsFunc(sound, func(m *mutant) bool { return m.Operator == "arithmetic" && m.Unit == "f" }) {
		t.Error("a product is no mutant")
	}
}
