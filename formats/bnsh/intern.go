package bnsh

import (
	"bytes"
	"hash/maphash"
)

var hashSeed = maphash.MakeSeed()

// firstEqual returns, for every string, the index of the first one of which
// view gives the same.
func firstEqual(texts []Text, view func(Text) Text) []uint32 {
	size := 1
	for size < 2*len(texts) {
		size *= 2
	}
	table := make([]uint32, size) // index + 1, by hash, with linear probing
	first := make([]uint32, len(texts))
	for i, text := range texts {
		key := view(text)
		at := maphash.String(hashSeed, string(key)) & uint64(size-1)
		for table[at] != 0 && view(texts[table[at]-1]) != key {
			at = (at + 1) & uint64(size-1)
		}
		if table[at] == 0 {
			table[at] = uint32(i) + 1
		}
		first[i] = table[at] - 1
	}
	return first
}

// blobID tells blobs apart by where they are in memory.
type blobID struct {
	first *byte
	n     int
}

// identify tells where a blob is, which must not be empty.
func identify(b []byte) blobID { return blobID{&b[0], len(b)} }

// blobSet remembers blobs by their bytes.
type blobSet struct {
	blobs []seenBlob
	last  map[uint64]int // by hash of the bytes, index + 1 of the last such blob
	same  map[blobID]int // of large blobs, for those met again in the same memory
}

type seenBlob struct {
	bytes []byte
	off   uint32
	next  int // the one before with the same hash, as in last
}

// slot returns where to find the offset of the blob that equals b, which is new
// if the set had none.
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
