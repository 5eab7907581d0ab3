package cover

import (
	"iter"
	"math/bits"
)

// Set is a set of points, a plain value.
type Set [(NumPoints + 63) / 64]uint64

// Add adds a point.
func (s *Set) Add(p Point) { s[p>>6] |= 1 << (p & 63) }

// Has reports whether p is in the set.
func (s *Set) Has(p Point) bool { return s[p>>6]>>(p&63)&1 != 0 }

// Union adds the points of another set and returns the number of new ones.
func (s *Set) Union(other *Set) (gain int) {
	for k := range s {
		gain += bits.OnesCount64(other[k] &^ s[k])
		s[k] |= other[k]
	}
	return gain
}

// Len returns the number of points.
func (s *Set) Len() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// All yields the points in ascending order.
func (s *Set) All() iter.Seq[Point] {
	return func(yield func(Point) bool) {
		for k, w := range s {
			for ; w != 0; w &= w - 1 {
				if !yield(Point(k<<6 + bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}

// Touch visits the block of every point of the set, for the native fuzzer.
func (s *Set) Touch() {
	for p := range s.All() {
		visit(p)
	}
}
