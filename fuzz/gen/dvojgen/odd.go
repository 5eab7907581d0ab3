package dvojgen

import (
	"slices"

	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// oddities gives a model values that Check warns of.
func (d drawer) oddities(f *dvoj.File) {
	if d.oddly() {
		f.InputMask, f.OutputMask = d.half(), d.half()
	}
	if d.oddly() {
		f.Relocations = nil
		for range d.below(6) {
			f.Relocations = append(f.Relocations, d.relocation(d.below(len(f.Code))))
		}
	}
	if d.Rarely() {
		f.Descriptors = d.descriptors(129 + d.below(4))
	}
	if d.oddly() {
		d.number(f, 1+d.below(20))
	}
	if d.oddly() {
		slices.Reverse(f.Uniforms)
	}
	d.oddSymbols(f)
}

// oddSymbols lets names share bytes, and puts bytes that are no ASCII, no
// UTF-8 or no name into the symbols.
func (d drawer) oddSymbols(f *dvoj.File) {
	if refs := references(f); len(refs) > 0 && d.oddly() {
		*gen.Pick(d.Choices, refs) = uint32(d.below(len(f.Symbols)))
	}
	for _, text := range [...]string{"\u00e9", "\xff", "\x00"} {
		if d.oddly() {
			at := uint32(d.below(len(f.Symbols) + 1))
			insert(f, at, at, text)
		}
	}
	if d.oddly() {
		f.Symbols = append(f.Symbols, "unending"...)
	}
}

// oddLayout puts bytes between tables and behind them, and lets the offsets of
// empty tables be anything.
func (d drawer) oddLayout(f *dvoj.File) {
	if f.Layout == nil {
		return
	}
	for t, x := range f.Layout.Tables {
		if x.Count > 0 && d.oddly() {
			widen(f.Layout, table(t), d.Data(4*(1+d.below(3))))
		}
	}
	if d.oddly() {
		extend(f.Layout, d.Data(1+d.below(9)))
	}
	for t, x := range f.Layout.Tables {
		if x.Count == 0 && d.oddly() {
			f.Layout.Tables[t].Offset = d.word()
		}
	}
}
