package wire

import (
	"bytes"
	"hash/maphash"
	"slices"
)

// NameSet finds names that occur more than once. O is the type of their owners,
// such as an index. Unlike a map of strings it copies no name, and Reset keeps its
// memory for the next set. Reset must come before the first Add.
//
// It is a hash table with linear probing, at most half full.
type NameSet[O any] struct {
	seed  maphash.Seed
	slots []int32 // 1 + an index of names, 0 if the slot is free
	names []ownedName[O]
}

type ownedName[O any] struct {
	name  []byte
	owner O
}

// Reset empties the set and makes room for n names. More make it grow.
func (s *NameSet[O]) Reset(n int) {
	if s.names == nil {
		s.seed = maphash.MakeSeed()
	}
	size := 8
	for size < 2*n {
		size *= 2
	}
	s.resize(size)
	s.names = slices.Grow(s.names[:0], max(n, 1))
}

// resize makes all slots free; size is a power of two.
func (s *NameSet[O]) resize(size int) {
	s.slots = slices.Grow(s.slots[:0], size)[:size]
	clear(s.slots)
}

// Add adds the name of an owner. It returns the first owner of the name; again is
// true when that is an earlier one.
func (s *NameSet[O]) Add(name []byte, owner O) (first O, again bool) {
	slot := s.find(name)
	if *slot != 0 {
		return s.names[*slot-1].owner, true
	}
	s.names = append(s.names, ownedName[O]{name, owner})
	*slot = int32(len(s.names))
	if 2*len(s.names) > len(s.slots) {
		s.resize(2 * len(s.slots))
		for i := range s.names {
			*s.find(s.names[i].name) = int32(i + 1)
		}
	}
	return owner, false
}

// find returns the slot of a name, or the free one where it belongs.
func (s *NameSet[O]) find(name []byte) *int32 {
	last := uint64(len(s.slots) - 1)
	for i := maphash.Bytes(s.seed, name) & last; ; i = (i + 1) & last {
		if slot := &s.slots[i]; *slot == 0 || bytes.Equal(s.names[*slot-1].name, name) {
			return slot
		}
	}
}
