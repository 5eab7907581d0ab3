package zpshgen

import (
	"slices"

	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/wordgen"
)

// oddWords are words that break a rule about code which only warns.
var oddWords = slices.DeleteFunc(slices.Clone(wordgen.Faults), func(f wordgen.Fault) bool {
	return f.Rule == "CODE002" || f.Rule == "CODE003"
})

// oddities gives a model values that Check warns of, and a layout.
func (d drawer) oddities(f *zpsh.File) {
	if d.oddly() {
		f.Flags = uint8(d.Bits(8))
	}
	if d.oddly() {
		word := gen.Pick(d.Choices, oddWords).Word
		f.Code[d.below(len(f.Code))] = word(d.Choices, len(f.Code), len(f.Descriptors))
	}
	for i := range f.Entries {
		d.oddEntry(f.Revision, &f.Entries[i])
	}
	if d.oddly() {
		names := namesOf(f)
		names[d.below(len(names))] = ""
		f.SetNames(names...)
	}
	if d.oddly() {
		gen.Pick(d.Choices, rearrangements)(d, f)
	}
	var l zpsh.Layout
	if f.Revision == zpsh.R4 {
		for i := range f.Entries {
			if d.oddly() {
				l.Gaps = append(l.Gaps, zpsh.Gap{Entry: i, Bytes: d.bytes(4 * (1 + d.below(3)))})
			}
		}
	}
	if d.oddly() {
		l.Tail = d.bytes(1 + d.below(9))
	}
	f.Layout = &l
}

func (d drawer) oddEntry(r zpsh.Revision, e *zpsh.Entry) {
	if r == zpsh.R4 && d.oddly() {
		e.Flags, e.HeaderWords = d.any16(), d.any16()
	}
	if d.oddly() {
		e.Info |= zpsh.Info(d.any16()) & reservedBits(e.Info)
	}
	if d.oddly() {
		e.OutputReserved = d.any16()
	}
	for k := range e.Outputs {
		if d.oddly() {
			e.Outputs[k].Map = zpsh.Map(d.Bits(32))
		}
	}
}

// reservedBits returns the bits that an info of the same type must not have.
func reservedBits(i zpsh.Info) zpsh.Info { return (i | 0xFFFC).Reserved() }

// bytes draws n bytes.
func (d drawer) bytes(n int) wire.Hex {
	b := make(wire.Hex, n)
	for i := range b {
		b[i] = byte(d.Within(0, 0xFF))
	}
	return b
}
