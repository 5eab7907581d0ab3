package wire

import (
	"bytes"
	"hash/maphash"
	"slices"
)

// NameSet finds names that occur more than once. O is the type of their owners,
// such as an index. Unlike a map of strings it copies no name, and Reset keeps its
// memory for the next set. Reset must come before the first Add.
type NameSet[O any] struct {
	seed  maphash.Seed
	slots []int32 // 1 + an index of names, or 0; by hash, then the next free slot
	names []ownedName[O]
}

type ownedName[O any] struct {
	name  []byte
	owner O
}

// Reset empties the set and makes room for n names. At most n names may be added.
func (s *NameSet[O]) Reset(n int) {
	if s.names == nil {
		s.seed = maphash.MakeSeed()
	}
	size := 8
	for size < 2*n {
		size *= 2
	}
	s.slots = slices.Grow(s.slots[:0], size)[:size]
	clear(s.slots)
	s.names = slices.Grow(s.names[:0], max(n, 1))
}

// Add adds the name of an owner. It returns the first owner of the name; again is
// true when that is an earlier one.
func (s *NameSet[O]) Add(name []byte, owner O) (first O, again bool) {
	last := uint64(len(s.slots) - 1)
	for i := maphash.Bytes(s.seed, name) & last; ; i = (i + 1) & last {
		slot := &s.slots[i]
		if *slot == 0 {
			s.names = append(s.names, ownedName[O]{name, owner})
			*slot = int32(len(s.names))
			return owner, false
		}
		if known := &s.names[*slot-1]; bytes.Equal(known.name, name) {
			return known.owner, true
		}
	}
}
