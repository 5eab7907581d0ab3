package gx2

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// Many names may be one long string of the file, or tails of it, so that all
// names together are far longer than the file. What follows looks at each byte
// of such a run once.

// run is a name, with those that are its tails, at an offset of the shader.
type run struct {
	off  uint32
	text wire.Text
}

// end is the offset of the NUL.
func (r run) end() uint64 { return uint64(r.off) + uint64(len(r.text)) }

// runs returns the names, as many as there are places, by offset. ok is false
// when the places are those of other names: one has another length now, holds a NUL, or differs from
// one that it shares bytes with.
func (s *Shader) runs(places []Extent) (list []run, ok bool) {
	list = make([]run, 0, len(places))
	for name := range s.names {
		x := places[len(list)]
		if uint64(len(name)) != uint64(x.Count) {
			return nil, false
		}
		list = append(list, run{x.Offset, name})
	}
	byOffset := func(a, b run) int { return cmp.Compare(a.off, b.off) }
	if !slices.IsSortedFunc(list, byOffset) {
		slices.SortFunc(list, byOffset)
	}
	kept := list[:0]
	for _, r := range list {
		if n := len(kept); n > 0 && uint64(r.off) <= kept[n-1].end() {
			if last := kept[n-1]; r.end() != last.end() || r.text != last.text[r.off-last.off:] {
				return nil, false
			}
			continue
		}
		if strings.IndexByte(string(r.text), 0) >= 0 {
			return nil, false
		}
		kept = append(kept, r)
	}
	return kept, true
}

// maxGrowth is how many times the bytes of a shader its canonical layout may
// take, which spells every name out.
const maxGrowth = 8

// origin is what is remembered of a shader that was read and whose canonical
// layout would be too long, with its layout or without.
type origin struct {
	size  uint64 // of its data
	names []Extent
}

// remember notes the origin of a shader that was read, if need be.
func (s *Shader) remember() {
	o := origin{uint64(s.Layout.Size), s.Layout.Names}
	if s.spelledSize() > maxGrowth*o.size {
		s.origin = &o
	}
}

// NameLimit returns an error that wraps diag.ErrLimit when the names of a shader
// that was read are one string or its tails so often that the shader with every
// name spelled out is more than eight times as long as what was read.
func (s *Shader) NameLimit() error {
	if s.origin == nil {
		return nil
	}
	if size := s.spelledSize(); size > maxGrowth*s.origin.size {
		return fmt.Errorf("gx2: canonical names repeat: a shader of %d bytes would have %d: %w", s.origin.size, size, diag.ErrLimit)
	}
	return nil
}

// spelledSize returns the size of structure, tables, code and every name.
func (s *Shader) spelledSize() uint64 {
	n := structures[s.Type].size + uint64(len(s.Code)) + uint64(len(s.CopyCode))
	for t, count := range s.counts() {
		n += count * tables[t].size
	}
	for name := range s.names {
		n += uint64(len(name)) + 1
	}
	return n
}

// sameNames compares the names of two shaders, slot by slot. When the bytes of
// both are those of runs, it remembers how many bytes before the ends of two
// runs are alike.
type sameNames struct {
	a, b []Extent // nil when the names of either are not too long to be compared
	slot int
	seen map[[2]uint64]int
}

func (s *Shader) compareNames(o *Shader) *sameNames {
	if s.origin == nil || o.origin == nil || !s.original() || !o.original() {
		return new(sameNames)
	}
	return &sameNames{a: s.origin.names, b: o.origin.names, seen: make(map[[2]uint64]int)}
}

// original reports whether the names are those that were read.
func (s *Shader) original() bool {
	if s.countNames() != len(s.origin.names) {
		return false
	}
	_, ok := s.runs(s.origin.names)
	return ok
}

// next compares the next two names.
func (m *sameNames) next(a, b wire.Text) bool {
	if m.seen == nil || len(a) != len(b) {
		return a == b
	}
	ends := [2]uint64{m.a[m.slot].end(1), m.b[m.slot].end(1)}
	m.slot++
	known := m.seen[ends]
	if len(a) <= known {
		return true
	}
	m.seen[ends] = len(a)
	return a[:len(a)-known] == b[:len(b)-known]
}

// equalRecords compares two tables whose records have a name.
func equalRecords[T comparable](m *sameNames, a, b []T, name func(*T) *wire.Text) bool {
	return slices.EqualFunc(a, b, func(x, y T) bool {
		if !m.next(*name(&x), *name(&y)) {
			return false
		}
		*name(&x) = *name(&y)
		return x == y
	})
}
