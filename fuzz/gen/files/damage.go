package files

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/picaproof/picaproof/fuzz/gen"
)

// Damaged draws a file that nothing is promised about: a valid, odd or faulty
// one with a few bytes changed, lost or repeated.
func Damaged(from gen.Format, c *gen.Choices) []byte {
	var b []byte
	switch c.Bits(2) {
	case 0, 1:
		b = from.File(c)
	case 2:
		b = from.Odd(c)
	default:
		b, _ = gen.Pick(c, from.Faults()).File(c)
	}
	for range 1 + c.Below(4) {
		if len(b) == 0 {
			break
		}
		b = gen.Pick(c, damages).damage(c, b, c.Below(len(b)))
	}
	return b
}

// A damage changes b at a place inside it.
type damage func(c *gen.Choices, b []byte, at int) []byte

// damages are all kinds of damage, by name.
var damages = []struct {
	name string
	damage
}{
	{"bit", func(c *gen.Choices, b []byte, at int) []byte { b[at] ^= 1 << c.Bits(3); return b }},
	{"byte", func(c *gen.Choices, b []byte, at int) []byte { b[at] = byte(c.Bits(8)); return b }},
	{"little-endian number", func(c *gen.Choices, b []byte,
		at int) []byte {
		return number(c, b, at, binary.LittleEndian)
	}},
	{"big-endian number", func(c *gen.Choices, b []byte, at int) []byte { return number(c, b, at, binary.BigEndian) }},
	{"end", func(_ *gen.Choices, b []byte, at int) []byte { return b[:at] }},
	{"lost bytes", func(c *gen.Choices, b []byte, at int) []byte {
		return slices.Delete(b, at, at+1+c.Below(min(len(b)-at, mostLost)))
	}},
	{"repeated bytes", func(c *gen.Choices, b []byte, at int) []byte {
		return slices.Insert(b, at, slices.Clone(b[at:at+1+c.Below(min(len(b)-at, mostRepeated))])...)
	}},
}

// How many bytes are lost or repeated at most.
const (
	mostLost     = 16
	mostRepeated = 64
)

// number replaces a number of four bytes by one at which ranges end.
func number(c *gen.Choices, b []byte, at int, order binary.ByteOrder) []byte {
	at &^= 3
	if len(b)-at < 4 {
		return b
	}
	old := order.Uint32(b[at:])
	order.PutUint32(b[at:], gen.Pick(c, []uint32{
		0, 1, old + 1, old - 1, old + 4, old - 4, old ^ 1<<31,
		math.MaxInt32, math.MaxInt32 + 1, math.MaxUint32, uint32(len(b)), uint32(len(b) - at),
	}))
	return b
}
