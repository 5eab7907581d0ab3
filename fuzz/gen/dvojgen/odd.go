package dvojgen

import (
	"slices"

	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/shbingen"
)

// mildFaults are the faults of tables that are no errors.
var mildFaults = slices.DeleteFunc(slices.Clone(shbingen.ObjectFaults), func(f shbingen.ObjectFault) bool {
	rule, also, _ := f.Rules(objectRules)
	return !gen.Mild(dvoj.Rules, append(also, rule)...)
})

// oddities gives a model values that Check warns of.
func (d drawer) oddities(f *dvoj.File) {
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
	for range d.Size(0, 5, 24) {
		kit{d, f}.spoil(gen.Pick(d.Choices, mildFaults))
	}
	if d.oddly() {
		f.InputMask, f.OutputMask = d.half(), d.half()
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
