package shbin

import (
	"iter"

	"github.com/picaproof/picaproof/formats/wire"
)

// sumNames computes the sum of the names of the file: the file names of the lines,
// each offset once, and the symbols of the labels and uniforms of every DVLE. The
// canonical form, which has no gaps, holds the same names: its size limits them, too. It
// skips the sum when even an upper bound, the longest name for each reference, is
// within the limit.
func (r *reader) sumNames() {
	p := &r.file.DVLP
	bound := uint64(len(p.Lines)) * uint64(wire.Longest(p.FileNames))
	for i := range r.file.DVLEs {
		t := &r.file.DVLEs[i].Tables
		bound += uint64(len(t.Labels)+len(t.Uniforms)) * uint64(wire.Longest(t.Symbols))
	}
	r.names = wire.NewNameTotal(min(r.Size(), r.layout.dvlpOffset()+dvlpHeaderSize))
	if r.names.Fits(bound) { // even into the headers that the canonical form has
		return
	}
	r.names = wire.NewNameTotal(r.Size())
	if canonical, err := r.file.canonicalLayout(); err == nil && !r.Failed() {
		r.names.Within(canonical.Size)
	}
	if r.names.Fits(bound) {
		return
	}
	names := p.FileNames[:wire.NameLimit(p.FileNames)]
	for i := range FirstReferences(p.Lines, names) {
		r.names.Read(names, uint64(p.Lines[i].Name))
	}
	for i := range r.file.DVLEs {
		r.file.DVLEs[i].AddNames(&r.names)
	}
}

// AddNames adds the names of labels and uniforms to a total.
func (t *Tables) AddNames(total *wire.NameTotal) {
	names := t.Symbols[:wire.NameLimit(t.Symbols)]
	for _, l := range t.Labels {
		total.Read(names, uint64(l.Name))
	}
	for _, u := range t.Uniforms {
		total.Read(names, uint64(u.Name))
	}
}

// FirstReferences yields the index of each line whose name offset no earlier line
// has. It skips offsets outside names.
func FirstReferences(lines []Line, names []byte) iter.Seq[int] {
	limit := wire.NameLimit(names)
	return func(yield func(i int) bool) {
		seen := make([]uint64, (limit+63)/64)
		for i, l := range lines {
			if uint64(l.Name) >= limit {
				continue
			}
			if word, bit := &seen[l.Name/64], uint64(1)<<(l.Name%64); *word&bit == 0 {
				if *word |= bit; !yield(i) {
					return
				}
			}
		}
	}
}
