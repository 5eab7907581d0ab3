package zpshgen

import (
	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// oddities gives a model values that Check warns of, and a layout.
func (d drawer) oddities(f *zpsh.File) {
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
				l.Gaps = append(l.Gaps, zpsh.Gap{Entry: i, Bytes: d.Data(4 * (1 + d.below(3)))})
			}
		}
	}
	if d.oddly() {
		l.Tail = d.Data(1 + d.below(9))
	}
	f.Layout = &l
}
