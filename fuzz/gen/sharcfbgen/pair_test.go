package sharcfbgen

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/internal/long"
)

// pair is an archive with two wrong fields.
type pair struct {
	data  []byte
	want  [2]gen.Expected
	alone [2][]byte // the archives with one of them
}

// draw draws an archive with two wrong fields; ok is false when they are one.
func draw(c *gen.Choices, fields [2]wrongField) (p pair, ok bool) {
	k := newKit(c)
	var elements [2]string
	for i, w := range fields {
		elements[i] = w.element(k)
	}
	k.Write()
	base := bytes.Clone(k.Bytes)
	for i, w := range fields {
		copy(k.Bytes, base)
		at := w.spoil(k, elements[i])
		p.alone[i], p.want[i] = bytes.Clone(k.Bytes), w.fault().Expect(sharcfb.Rules, at)
	}
	p.data, ok = gen.Overlay(base, p.alone[0], p.alone[1])
	return p, ok
}

// reports reports whether Check says what is expected.
func reports(b []byte, want gen.Expected) bool {
	return slices.ContainsFunc(sharcfb.Check(b), func(f diag.Finding) bool {
		return f.Rule == want.Rule && want.Place == gen.Place{Off: f.Off, Len: f.Len, Path: f.Path}
	})
}

// ends are the rules behind which other records of a list, or what is in a record,
// cannot be found.
var ends = []string{
	"SHARC010", "SHARC011", "SHARC012", "SHARC020", "SHARC021", "SHARC030", "SHARC040", "SHARC050", "GX2001",
}

// ofAll are the rules that need all of some records to be known.
var ofAll = []string{
	"SHARC013", "SHARC014", "SHARC032", "SHARC034", "SHARC035", "SHARC037", "SHARC051", "GX2032", "GX2033",
}

// reached reports whether the notes have Check reach what y breaks behind x.
func reached(x, y gen.Expected) bool {
	switch {
	case x.Rule <= "SHARC004" && strings.HasPrefix(x.Rule, "SHARC") || x.Rule == "SHARC007":
		return false // no archive of version 8, or no list behind the name
	case x.Rule == "SHARC010" && element(x.Path) == "binaries":
		return element(y.Path) == "header" // where the programs are is not known
	case slices.Contains(ofAll, y.Rule):
		return false
	case x.Rule == "GX2031" && strings.HasPrefix(y.Path, x.Path[:strings.LastIndexByte(x.Path, '.')]+"["):
		return false // a record of a table that is not there
	case slices.Contains(ends, x.Rule):
		return element(x.Path) != element(y.Path)
	}
	return parent(x.Path) != parent(y.Path)
}

// element returns the outermost list that a path is in, or "header".
func element(path string) string { return path[:max(strings.IndexAny(path, "[."), 0)] }

// TestPairsOfFaults: two wrong fields that do not rest on each other are both
// shown, and the first error in the order of evaluation is that of a parse.
func TestPairsOfFaults(t *testing.T) {
	const seed = 3
	fields := slices.Concat(headerFields, listFields, binaryFields, programFields, shaderFields, tableFields)
	const tries = 4
	type pair struct{ n, i, k int }
	var pairs []pair
	for n := range tries {
		for i := range fields {
			for k := i + 1; k < len(fields); k++ {
				pairs = append(pairs, pair{n, i, k})
			}
		}
	}
	both := 0
	run := long.Items(t, pairs, long.Few(len(pairs)/10, len(pairs)/20))
	for _, p := range run {
		n, i, k := p.n, p.i, p.k
		p, ok := draw(gen.From(gen.Seed(seed, uint64(n<<32|i<<16|k))), [2]wrongField{fields[i], fields[k]})
		if !ok || !reports(p.alone[0], p.want[0]) || !reports(p.alone[1], p.want[1]) {
			continue
		}
		findings := sharcfb.Check(p.data)
		_, err := sharcfb.Parse(p.data)
		parse, _ := errors.AsType[*diag.ParseError](err)
		if first := diag.FirstError(findings); (first != nil) != (parse != nil) || first != nil &&
			parse.Finding.Rule != first.Rule {
			t.Errorf("seed %d, fields %d and %d, file %d: refused: %v, but the first error is %v", seed, i, k,
				n, err, first)
		}
		for side, y := range p.want {
			x := p.want[1-side]
			if !reached(x, y) || !reached(y, x) {
				continue
			}
			if both++; !reports(p.data, y) {
				t.Errorf("seed %d, fields %d and %d, file %d: %v is hidden by %v: %v", seed, i, k, n, y, x,
					findings)
			}
		}
	}
	if least := 1000 * len(run) / len(pairs); both < least {
		t.Errorf("%d findings in pairs, want %d or more", both, least)
	}
}
