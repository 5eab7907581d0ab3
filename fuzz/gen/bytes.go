package gen

import "encoding/binary"

// Bytes is a stream of choices over the input of a fuzz target. When the input
// ends it returns zeros, so that cutting the input makes the job simpler.
type Bytes struct{ rest []byte }

// NewBytes returns a stream over b. It does not change b.
func NewBytes(b []byte) *Bytes { return &Bytes{b} }

// Uint64 returns the next eight bytes, little-endian, zero beyond the end.
func (s *Bytes) Uint64() uint64 {
	if len(s.rest) >= 8 {
		v := binary.LittleEndian.Uint64(s.rest)
		s.rest = s.rest[8:]
		return v
	}
	var last [8]byte
	copy(last[:], s.rest)
	s.rest = nil
	return binary.LittleEndian.Uint64(last[:])
}

// Input returns an input of size bytes for NewBytes: the beginning of the
// stream of job n of a seed.
func Input(seed, n uint64, size int) []byte {
	b := make([]byte, 0, size+8)
	for src := Seed(seed, n); len(b) < size; {
		b = binary.LittleEndian.AppendUint64(b, src.Uint64())
	}
	return b[:size]
}
