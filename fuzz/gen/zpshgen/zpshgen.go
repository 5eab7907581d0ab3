// Package zpshgen serves this module: it makes valid ZPSH files, models with odd values, and ZPSH
// files with one fault.
package zpshgen

import (
	"slices"

	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// Format is the generator of ZPSH files.
var Format = gen.Format{
	Name: "zpsh", File: File, Odd: gen.Odd(Model, zpsh.Rules, Faults), Twins: Twins, Faults: Faults,
}

// fields are the rules about single fields.
var fields = gen.NewFieldRules(zpsh.Rules, zpsh.Records...)

// File draws a file about which Check has nothing to say; without choices the
// smallest.
func File(c *gen.Choices) []byte { return gen.Unchecked(drawer{c, false}.file()) }

// Model draws a model that breaks no rule of severity error. All else that a
// model can hold is drawn too.
func Model(c *gen.Choices) *zpsh.File { return drawer{c, true}.file() }

// Twins draws a file with strings, gaps, flags and a tail of which the canonical form
// has nothing, and that form.
func Twins(c *gen.Choices) (file, canonical []byte) {
	f := drawer{c, false}.file()
	d := drawer{c, true}
	if d.Bits(1) == 1 {
		gen.Pick(c, rearrangements)(d, f)
	}
	canonical = gen.Unchecked(stored(f))
	f.Flags = uint8(d.Bits(8))
	f.Layout = &zpsh.Layout{Tail: d.Data(d.below(9))}
	for i := range f.Entries {
		e, odd := &f.Entries[i], gen.Free[zpsh.Entry](c, fields, true)
		e.OutputReserved = odd.OutputReserved
		if f.Revision == zpsh.R4 {
			e.R4Header = odd.R4Header
			if d.oddly() {
				f.Layout.Gaps = append(f.Layout.Gaps, zpsh.Gap{Entry: i, Bytes: d.Data(4 * (1 + d.below(3)))})
			}
		}
	}
	return gen.Unchecked(f), canonical
}

// stored returns a valid file with the entry headers and strings that zitrus writes.
func stored(f *zpsh.File) *zpsh.File {
	s := *f
	s.Entries = slices.Clone(f.Entries)
	for i := range s.Entries {
		if s.Revision == zpsh.R4 {
			s.Entries[i].R4Header = zpsh.R4Header{HeaderWords: 4}
		}
	}
	s.SetNames(namesOf(f)...)
	return &s
}
