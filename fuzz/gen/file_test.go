package gen_test

import (
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// TestWithin: half of the draws are at an end or next to it, the others anywhere.
func TestWithin(t *testing.T) {
	const seed, runs, low, high = 1, 8000, 100, 1100
	draws := map[uint64]int{}
	for n := range uint64(runs) {
		v := gen.From(gen.Seed(seed, n)).Within(low, high)
		if v < low || v > high {
			t.Fatalf("%d is not within %d to %d", v, low, high)
		}
		draws[v]++
	}
	for _, edge := range []uint64{low, low + 1, high - 1, high} {
		if n := draws[edge]; n < runs/8*8/10 || n > runs/8*12/10 {
			t.Errorf("%d is drawn %d times, want about %d", edge, n, runs/8)
		}
		delete(draws, edge)
	}
	for v, n := range draws {
		if n > 30 {
			t.Errorf("%d is drawn %d times, want about 4", v, n)
		}
	}
	if len(draws) < 900 {
		t.Errorf("%d other numbers are drawn, want nearly %d", len(draws), high-low-3)
	}
	for n := range uint64(100) {
		if v := gen.From(gen.Seed(seed, n)).Within(7, 7); v != 7 {
			t.Fatalf("%d is not 7", v)
		}
	}
}

// TestFieldsOfADraft: integers of one to eight bytes in either order, and nothing beside
// them.
func TestFieldsOfADraft(t *testing.T) {
	regions := []diag.Region{{Off: 1, Len: 1, Path: "byte"}, {Off: 2, Len: 2, Path: "short"},
		{Off: 4, Len: 8, Path: "long"}}
	for _, c := range []struct {
		order             binary.ByteOrder
		before            []byte
		byte, short, long uint64
		after             []byte
	}{
		{binary.LittleEndian, []byte{9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 9}, 1, 0x0302, 0x0B0A090807060504,
			[]byte{9, 0x21, 0x32, 0x31, 0x48, 0x47, 0x46, 0x45, 0x44, 0x43, 0x42, 0x41, 9}},
		{binary.BigEndian, []byte{9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 9}, 1, 0x0203, 0x0405060708090A0B,
			[]byte{9, 0x21, 0x31, 0x32, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 9}},
	} {
		d := gen.NewDraft(slices.Clone(c.before), c.order, regions)
		for path, want := range map[string]uint64{"byte": c.byte, "short": c.short, "long": c.long} {
			if got := d.Get(path); got != want {
				t.Errorf("%v: %s is %#x, want %#x", c.order, path, got, want)
			}
		}
		d.Set("byte", 0x21)
		d.Set("short", 0x3132)
		d.Set("long", 0x4142434445464748)
		if diff := cmp.Diff(c.after, d.Bytes); diff != "" {
			t.Errorf("%v (-want +got):\n%s", c.order, diff)
		}
	}
}

// TestOverlay: the changes of both, if they do not meet.
func TestOverlay(t *testing.T) {
	for _, c := range []struct {
		a, b, want string
		ok         bool
	}{
		{"base", "base", "base", true}, {"bXse", "base", "bXse", true}, {"base", "basY", "basY", true},
		{"bXse", "basY", "bXsY", true}, {"bXse", "bYse", "", false}, {"bXse", "bXse", "", false},
		{"bas", "base", "", false}, {"base", "bases", "", false},
	} {
		if both, ok := gen.Overlay([]byte("base"), []byte(c.a), []byte(c.b)); string(both) != c.want || ok != c.ok {
			t.Errorf("%s, %s: got %q, %t; want %q, %t", c.a, c.b, both, ok, c.want, c.ok)
		}
	}
}

// model is a model that the writer refuses, or not.
type model struct{ refused bool }

func (m model) AppendBinary(b []byte) ([]byte, error) {
	if m.refused {
		return nil, errors.New("refused")
	}
	return append(b, "written"...), nil
}

// TestOddModels: a model that is refused is passed over, sixteen of them end the search.
func TestOddModels(t *testing.T) {
	for _, c := range []struct {
		refused, drawn int
		want           string
	}{{0, 1, "written"}, {3, 4, "written"}, {15, 16, "written"}, {16, 16, ""}} {
		drawn, none := 0, func() []gen.Fault { return nil }
		odd := gen.Odd(func(*gen.Choices) model { drawn++; return model{drawn <= c.refused} }, nil, none)
		b := odd(gen.From(gen.NewBytes(nil)))
		if string(b) != c.want || drawn != c.drawn {
			t.Errorf("%d are refused: got %q of %d models, want %q of %d", c.refused, b, drawn, c.want, c.drawn)
		}
	}
}

// TestOddFaults: of the faults only those are odd that break no rule of severity error.
func TestOddFaults(t *testing.T) {
	rules := []diag.Rule{{ID: "E", Severity: diag.Error, Also: []diag.Severity{diag.Warning}},
		{ID: "W", Severity: diag.Warning}}
	var faults []gen.Fault
	add := func(name string, f gen.Fault) {
		f.Spoil = func(*gen.Choices) ([]byte, gen.Place) { return []byte(name), gen.Place{} }
		faults = append(faults, f)
	}
	add("error", gen.Fault{Rule: "E"})
	add("milder", gen.Fault{Rule: "E", Milder: true})
	add("warning", gen.Fault{Rule: "W"})
	add("with an error", gen.Fault{Rule: "W", Also: []string{"E"}})
	all := func() []gen.Fault { return faults }
	odd, seen := gen.Odd(func(*gen.Choices) model { return model{} }, rules, all), map[string]bool{}
	for n := range uint64(100) {
		seen[string(odd(gen.From(gen.Seed(1, n))))] = true
	}
	if want := map[string]bool{"written": true, "milder": true, "warning": true}; !maps.Equal(seen, want) {
		t.Errorf("got %v, want %v", seen, want)
	}
}

// TestLongName: as long as it has to be for the references that lead to it.
func TestLongName(t *testing.T) {
	for _, c := range [][3]int{{9, 0, 1040}, {16, 100, 1116}, {100, 10_000, 1923}} {
		if got := gen.LongName(c[0], c[1]); got != c[2] {
			t.Errorf("%d references in %d bytes: %d, want %d", c[0], c[1], got, c[2])
		}
	}
}

// TestExpect: the finding of a fault has the severity of its rule, or the milder one.
func TestExpect(t *testing.T) {
	rules := []diag.Rule{{ID: "X0"}, {ID: "X1", Severity: diag.Error, Also: []diag.Severity{diag.Warning}}}
	place := gen.Place{Off: 1, Len: 2, Path: "p"}
	want := gen.Expected{Rule: "X1", Severity: diag.Error, Place: place, Also: []string{"X2"}}
	f := gen.Fault{Rule: "X1", Also: []string{"X2"}}
	if diff := cmp.Diff(want, f.Expect(rules, place)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	f.Milder, want.Severity = true, diag.Warning
	if diff := cmp.Diff(want, f.Expect(rules, place)); diff != "" {
		t.Errorf("milder (-want +got):\n%s", diff)
	}
}

// TestDiffers: a finding is the expected one when everything about it is; others are too
// many.
func TestDiffers(t *testing.T) {
	x := gen.Expected{Rule: "X1", Severity: diag.Error, Place: gen.Place{Off: 1, Len: 2, Path: "p"},
		Also: []string{"X2"}}
	right := diag.Finding{Rule: "X1", Severity: diag.Error, Off: 1, Len: 2, Path: "p"}
	also := diag.Finding{Rule: "X2", Severity: diag.Warning, Off: 7}
	changed := func(change func(f *diag.Finding)) []diag.Finding {
		f := right
		change(&f)
		return []diag.Finding{f}
	}
	const silent, text = "silent X1", "not reported: X1, error, 0x1, length 2, p"
	for name, c := range map[string]struct {
		findings  []diag.Finding
		key, text string
	}{
		"right":          {[]diag.Finding{right}, "", ""},
		"and another":    {[]diag.Finding{also, right, also}, "", ""},
		"none":           {nil, silent, text},
		"only the other": {[]diag.Finding{also}, silent, text},
		"twice": {[]diag.Finding{right, right}, "reported X1",
			"also reported: error, 0x0001: X1 p: , length 2; expected: X1, error, 0x1, length 2, p"},
		"another rule": {changed(func(f *diag.Finding) { f.Rule = "X3" }), "reported X3",
			"also reported: error, 0x0001: X3 p: , length 2; expected: X1, error, 0x1, length 2, p"},
		"another severity": {changed(func(f *diag.Finding) { f.Severity = diag.Warning }), "reported X1",
			"also reported: warning, 0x0001: X1 p: , length 2; expected: X1, error, 0x1, length 2, p"},
		"another offset": {changed(func(f *diag.Finding) { f.Off = 3 }), "reported X1",
			"also reported: error, 0x0003: X1 p: , length 2; expected: X1, error, 0x1, length 2, p"},
	} {
		if key, text := x.Differs(c.findings); key != c.key || text != c.text {
			t.Errorf("%s: got %q, %q; want %q, %q", name, key, text, c.key, c.text)
		}
	}
}

// TestForbiddenValues: the field of a rule gets values that the rule forbids, all of them
// if they are few, and nothing else changes.
func TestForbiddenValues(t *testing.T) {
	const seed, runs = 1, 32000
	all := func(allowed ...uint64) map[uint64]bool {
		set := map[uint64]bool{}
		for v := range uint64(256) {
			set[v] = !slices.Contains(allowed, v)
		}
		return set
	}
	for name, c := range map[string]struct {
		rule wire.Constraint
		want map[uint64]bool
	}{
		"is":        {wire.Is(7), all(7)},
		"one of":    {wire.OneOf(diag.Dec, 0, 255), all(0, 255)},
		"at most":   {wire.AtMost(253), map[uint64]bool{254: true, 255: true}},
		"all but 0": {wire.NotZero(), map[uint64]bool{0: true}},
	} {
		record := wire.NewRecord("Toy", wire.Unread[int]("a", 1, ""),
			wire.Unread[int]("b", 1, "").Must("T1", c.rule, diag.Dec))
		faults := gen.FieldFaults[string]{
			Rules: gen.NewFieldRules([]diag.Rule{{ID: "T1"}}, record),
			File:  func(*gen.Choices) []byte { return []byte{1, 7, 1} },
			Outline: func([]byte, ...string) diag.Outline {
				return diag.Outline{Regions: []diag.Region{{Len: 1, Path: "x.a"}, {Off: 1, Len: 1, Path: "x.b"},
					{Off: 2, Len: 1, Path: "c"}}}
			},
		}.With(nil)
		if len(faults) != 1 || faults[0].Rule != "T1" {
			t.Fatalf("%s: faults %+v", name, faults)
		}
		drawn := map[uint64]bool{}
		for n := range uint64(runs) {
			b, at := faults[0].File(gen.From(gen.Seed(seed, n)))
			place := gen.Place{Off: 1, Len: 1, Path: "x.b"}
			if len(b) != 3 || b[0] != 1 || b[2] != 1 || at != place || c.rule.Allows(uint64(b[1])) {
				t.Fatalf("%s: % x at %+v", name, b, at)
			}
			drawn[uint64(b[1])] = true
		}
		for v, want := range c.want {
			if want && !drawn[v] {
				t.Errorf("%s: %d is not drawn", name, v)
			}
		}
	}
}

// TestFilesWithoutTheRecord: a hundred more are drawn before the generator counts as
// wrong.
func TestFilesWithoutTheRecord(t *testing.T) {
	record := wire.NewRecord("Toy", wire.Unread[int]("a", 1, "").Must("T1", wire.Is(7), diag.Dec))
	for _, first := range []int{1, 2, 101, 102} { // the first file that has it
		drawn := 0
		faults := gen.FieldFaults[string]{
			Rules: gen.NewFieldRules([]diag.Rule{{ID: "T1"}}, record),
			File:  func(*gen.Choices) []byte { drawn++; return []byte{7} },
			Outline: func([]byte, ...string) (o diag.Outline) {
				if drawn >= first {
					o.Regions = []diag.Region{{Len: 1, Path: "x.a"}}
				}
				return o
			},
		}.With(nil)
		panicked := func() (p bool) {
			defer func() { p = recover() != nil }()
			faults[0].File(gen.From(gen.Seed(1, 0)))
			return false
		}()
		if panicked != (first > 101) || drawn != min(first, 101) {
			t.Errorf("record in file %d: %d drawn, panicked: %t", first, drawn, panicked)
		}
	}
}
