package bnsh

import (
	"bytes"
	"hash/maphash"
)

// sliceID tells slices apart by where they are in memory.
type sliceID[T any] struct {
	first *T
	n     int
}

// blobID tells blobs apart.
type blobID = sliceID[byte]

// identify tells where a slice is, which must not be empty.
func identify[T any](s []T) sliceID[T] { return sliceID[T]{&s[0], len(s)} }

// blobSet remembers blobs by their bytes.
type blobSet struct {
	blobs []seenBlob
	last  map[uint64]int // by hash of the bytes, index + 1 of the last blob with the hash
	same  map[blobID]int // index of a large blob, by the memory of its bytes
}

type seenBlob struct {
	bytes []byte
	off   uint32
	next  int // index + 1 of the blob before with the same hash
}

// slot returns the offset field of the blob that equals b. It adds b if the set has no such blob.
func (s *blobSet) slot(b []byte) (off *uint32, seen bool) {
	id := identify(b)
	if i, known := s.same[id]; known {
		return &s.blobs[i].off, true
	}
	if s.last == nil {
		s.last, s.same = make(map[uint64]int), make(map[blobID]int)
	}
	hash := maphash.Bytes(hashSeed, b)
	i := s.last[hash]
	for i > 0 && !bytes.Equal(s.blobs[i-1].bytes, b) {
		i = s.blobs[i-1].next
	}
	if seen = i > 0; !seen {
		s.blobs = append(s.blobs, seenBlob{bytes: b, next: s.last[hash]})
		i = len(s.blobs)
		s.last[hash] = i
	}
	if len(b) >= large {
		s.same[id] = i - 1
	}
	return &s.blobs[i-1].off, seen
}
