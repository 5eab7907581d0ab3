package wire

import (
	"encoding/binary"
	"math/bits"
)

// The functions below read and write integers in either byte order.

func u16(b []byte, big bool) uint16 {
	n := binary.LittleEndian.Uint16(b)
	if big {
		n = bits.ReverseBytes16(n)
	}
	return n
}

func put16(b []byte, big bool, n uint16) {
	if big {
		n = bits.ReverseBytes16(n)
	}
	binary.LittleEndian.PutUint16(b, n)
}

func u32(b []byte, big bool) uint32 {
	n := binary.LittleEndian.Uint32(b)
	if big {
		n = bits.ReverseBytes32(n)
	}
	return n
}

func put32(b []byte, big bool, n uint32) {
	if big {
		n = bits.ReverseBytes32(n)
	}
	binary.LittleEndian.PutUint32(b, n)
}

func u64(b []byte, big bool) uint64 {
	n := binary.LittleEndian.Uint64(b)
	if big {
		n = bits.ReverseBytes64(n)
	}
	return n
}

func put64(b []byte, big bool, n uint64) {
	if big {
		n = bits.ReverseBytes64(n)
	}
	binary.LittleEndian.PutUint64(b, n)
}

// putUint writes an integer of 1, 2, 4 or 8 bytes.
func putUint(b []byte, size int, big bool, n uint64) {
	switch size {
	case 1:
		b[0] = byte(n)
	case 2:
		put16(b, big, uint16(n))
	case 4:
		put32(b, big, uint32(n))
	case 8:
		put64(b, big, n)
	}
}

// getWords reads consecutive words.
func getWords[V ~uint32 | ~int32](b []byte, big bool, words []V) {
	for i := range words {
		words[i] = V(binary.LittleEndian.Uint32(b[4*i:]))
	}
	for i := 0; big && i < len(words); i++ {
		words[i] = V(bits.ReverseBytes32(uint32(words[i])))
	}
}

// putWords writes consecutive words.
func putWords[V ~uint32 | ~int32](b []byte, big bool, words []V) {
	if big {
		for i, w := range words {
			binary.BigEndian.PutUint32(b[4*i:], uint32(w))
		}
		return
	}
	for i, w := range words {
		binary.LittleEndian.PutUint32(b[4*i:], uint32(w))
	}
}
