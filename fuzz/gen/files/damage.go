package files

import (
	"encoding/binary"
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
		b, _ = gen.Pick(c, from.Faults).File(c)
	}
	for range 1 + c.Below(4) {
		if len(b) == 0 {
			break
		}
		b = gen.Pick(c, damages)(c, b, c.Below(len(b)))
	}
	return b
}

// damages are the ways of damaging b at a place inside it.
var damages = []func(c *gen.Choices, b []byte, at int) []byte{
	func(c *gen.Choices, b []byte, at int) []byte { b[at] ^= 1 << c.Bits(3); return b },
	func(c *gen.Choices, b []byte, at int) []byte { b[at] = byte(c.Bits(8)); return b },
	func(c *gen.Choices, b []byte, at int) []byte { return number(c, b, at, binary.LittleEndian) },
	func(c *gen.Choices, b []byte, at int) []byte { return number(c, b, at, binary.BigEndian) },
	func(c *gen.Choices, b []byte, at int) []byte { return b[:at] },
	func(c *gen.Choices, b []byte, at int) []byte {
		return slices.Delete(b, at, at+c.Below(min(len(b)-at, 16)))
	},
	func(c *gen.Choices, b []byte, at int) []byte {
		return slices.Insert(b, at, slices.Clone(b[at:at+c.Below(min(len(b)-at, 64))])...)
	},
}

// number replaces a number of four bytes by one at which ranges end.
func number(c *gen.Choices, b []byte, at int, order binary.ByteOrder) []byte {
	at &^= 3
	if len(b)-at < 4 {
		return b
	}
	old := order.Uint32(b[at:])
	order.PutUint32(b[at:], gen.Pick(c, []uint32{
		0, 1, old + 1, old - 1, old + 4, old - 4, old ^ 1<<31, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, uint32(len(b)), uint32(len(b) - at)}))
	return b
}
