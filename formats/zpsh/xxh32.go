package zpsh

import (
	"encoding/binary"
	"math/bits"
)

// The primes of xxHash's 32-bit variant.
const (
	prime1 = 0x9E3779B1
	prime2 = 0x85EBCA77
	prime3 = 0xC2B2AE3D
	prime4 = 0x27D4EB2F
	prime5 = 0x165667B1
)

// xxh32 returns the XXH32 hash of b.
func xxh32(b []byte, seed uint32) uint32 {
	h, size := seed+prime5, uint32(len(b))
	if len(b) >= 16 {
		lanes := [4]uint32{seed + prime1 + prime2, seed + prime2, seed, seed - prime1}
		for ; len(b) >= 16; b = b[16:] {
			for k := range lanes {
				word := binary.LittleEndian.Uint32(b[4*k:])
				lanes[k] = bits.RotateLeft32(lanes[k]+word*prime2, 13) * prime1
			}
		}
		h = bits.RotateLeft32(lanes[0], 1) + bits.RotateLeft32(lanes[1], 7) +
			bits.RotateLeft32(lanes[2], 12) + bits.RotateLeft32(lanes[3], 18)
	}
	h += size
	for ; len(b) >= 4; b = b[4:] {
		h = bits.RotateLeft32(h+binary.LittleEndian.Uint32(b)*prime3, 17) * prime4
	}
	for _, c := range b {
		h = bits.RotateLeft32(h+uint32(c)*prime5, 11) * prime1
	}
	h = (h ^ h>>15) * prime2
	h = (h ^ h>>13) * prime3
	return h ^ h>>16
}
