package bnshgen

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/internal/long"
)

// pair is a file with two faults.
type pair struct {
	data  []byte
	want  [2]gen.Expected
	alone [2][]byte // the files with one of them
}

// draw draws a file with two faults. ok is false when one finds nothing to spoil
// in a file made for the other as well, or both change the same bytes.
func draw(c *gen.Choices, faults [2]fault) (p pair, ok bool) {
	defer func() { ok = recover() == nil && ok }()
	d := &drawer{Choices: c}
	m := d.file()
	for _, f := range faults {
		if f.with != nil {
			f.with(d, m)
		}
	}
	base := gen.Unchecked(m)
	for i, f := range faults {
		spoilt := read(d, bytes.Clone(base))
		at := f.spoil(spoilt)
		p.alone[i], p.want[i] = spoilt.Bytes, f.generator().Expect(bnsh.Rules, at)
	}
	p.data, ok = gen.Overlay(base, p.alone[0], p.alone[1])
	return p, ok
}

// reports reports whether Check says what is expected.
func reports(b []byte, want gen.Expected) bool {
	return slices.ContainsFunc(bnsh.Check(b), func(f diag.Finding) bool {
		return f.Rule == want.Rule && f.Severity == want.Severity &&
			want.Place == gen.Place{Off: f.Off, Len: f.Len, Path: f.Path}
	})
}

// unreached lists, for rules of severity Error, what the notes leave without
// evaluation behind them: the beginnings of rules, by what they rest on.
var unreached = map[string][]string{
	// Not a BNSH, another byte order, another version: nothing behind the header.
	"BNSH001": {"BNSH"}, "BNSH002": {"BNSH"},
	"BNSH003": {"BNSH01", "BNSH02", "BNSH03", "BNSH04", "BNSH05", "BNSH06", "BNSH07", "BNSH08", "BNSH09"},
	// No container, or no string block behind it.
	"BNSH009": {"BNSH01", "BNSH02", "BNSH03", "BNSH04", "BNSH05", "BNSH06", "BNSH07", "BNSH08", "BNSH09"},
	"BNSH010": {"BNSH01", "BNSH02", "BNSH03", "BNSH04", "BNSH05", "BNSH06", "BNSH07", "BNSH08", "BNSH09"},
	// No variations.
	"BNSH020": {"BNSH013", "BNSH02", "BNSH03", "BNSH04", "BNSH05", "BNSH066", "BNSH068", "BNSH07", "BNSH08", "BNSH09"},
	// The pool of strings, or a part of it.
	"BNSH060": {"BNSH05", "BNSH06", "BNSH072", "BNSH073", "BNSH098"},
	"BNSH061": {"BNSH05", "BNSH06", "BNSH072", "BNSH073", "BNSH098"},
	"BNSH062": {"BNSH064"},
	// The relocation table, or its entries.
	"BNSH070": {"BNSH060", "BNSH061", "BNSH07"}, "BNSH071": {"BNSH07"},
	// The memory pool.
	"BNSH040": {"BNSH03", "BNSH04", "BNSH013", "BNSH072", "BNSH09"},
	// Another section's place.
	"BNSH072": {"BNSH072", "BNSH073", "BNSH075"},
	// Where a record is, or what a pointer leads to.
	"BNSH013": {"BNSH073", "BNSH09"}, "BNSH034": {"BNSH073", "BNSH09"},
}

// ofAll are the rules that need every record to be known: those about all of a
// kind, about two records, or about a blob that several may share.
var ofAll = []string{
	"BNSH013", "BNSH034", "BNSH035", "BNSH040", "BNSH066", "BNSH072", "BNSH073", "BNSH074", "BNSH075", "BNSH076",
	"BNSH080", "BNSH081",
	"BNSH090", "BNSH091", "BNSH092", "BNSH093", "BNSH094", "BNSH095", "BNSH096", "BNSH097", "BNSH098",
}

// elsewhere are the rules of severity Warning or Info that say that something has
// moved, or is unlike what the other rule is about.
var elsewhere = []string{"BNSH017", "BNSH065", "BNSH074", "BNSH081", "BNSH090"}

// element returns the variation that a finding is in, or else the structure.
func element(path string) string { return strings.SplitN(path, ".", 2)[0] }

// reached reports whether the notes have Check reach what y breaks behind x.
func reached(x, y gen.Expected) bool {
	const ofControls = "BNSH09"
	if strings.HasPrefix(x.Rule, ofControls) && strings.HasPrefix(y.Rule, ofControls) {
		return false // stages may share a control
	}
	if x.Severity != diag.Error {
		return !slices.Contains(elsewhere, x.Rule) && !slices.Contains(elsewhere, y.Rule)
	}
	for _, rules := range unreached[x.Rule] {
		if strings.HasPrefix(y.Rule, rules) {
			return false
		}
	}
	return !slices.Contains(ofAll, y.Rule) && element(x.Path) != element(y.Path)
}

// TestPairsOfFaults: two faults in places that do not rest on each other are both
// shown, and the first error in the order of evaluation is that of a parse.
func TestPairsOfFaults(t *testing.T) {
	const seed = 3
	groups := slices.Concat(headerFaults, programFaults, otherCodeFaults, poolFaults, reflectionFaults,
		dictionaryFaults,
		stringFaults, relocationFaults, layoutFaults, controlFaults)
	const step = 5
	var pairs [][2]int
	for i := range groups {
		for k := i + 1 + i%step; k < len(groups); k += step {
			pairs = append(pairs, [2]int{i, k})
		}
	}
	both := 0
	run := long.Items(t, pairs, long.Few(len(pairs)/10, len(pairs)/20))
	for _, pair := range run {
		i, k := pair[0], pair[1]
		p, ok := draw(gen.From(gen.Seed(seed, uint64(i<<16|k))), [2]fault{groups[i], groups[k]})
		if !ok || !reports(p.alone[0], p.want[0]) || !reports(p.alone[1], p.want[1]) {
			continue
		}
		findings := bnsh.Check(p.data)
		_, err := bnsh.Parse(p.data)
		parse, _ := errors.AsType[*diag.ParseError](err)
		if first := diag.FirstError(findings); (first != nil) != (parse != nil) || first != nil &&
			parse.Finding.Rule != first.Rule {
			t.Errorf("seed %d, faults %d and %d: refused: %v, but the first error is %v", seed, i, k, err, first)
		}
		for side, y := range p.want {
			x := p.want[1-side]
			if !reached(x, y) || !reached(y, x) {
				continue
			}
			if both++; !reports(p.data, y) {
				t.Errorf("seed %d, faults %d and %d: %v is hidden by %v: %v", seed, i, k, y, x, findings)
			}
		}
	}
	if least := 2000 * len(run) / len(pairs); both < least {
		t.Errorf("%d findings in pairs, want %d or more", both, least)
	}
}
