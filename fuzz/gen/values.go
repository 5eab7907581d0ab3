package gen

import "github.com/picaproof/picaproof/pica"

// special are raw float24 patterns at which rules of single instructions change:
// ones and halves and their neighbours, the clamp of LITP, the ends of the
// offsets of relative addressing, the range of MOVA, ties.
var special = [...]uint32{
	0x3F0000, 0xBF0000, 0x3E0000, 0xBE0000, 0x3EFFFF, 0x3F0001, 0x3F8000, 0xBF8000, 0x2E0000, 0xAE0000,
	0x45FFFC, 0xC5FFFC, 0x45FFFD, 0x460000, 0xC60000, 0xC60200, 0x4D0000, 0x4DFFFF, 0x5E0000, 0xDE0000, 0x5DFFFF,
	0xDDFFFF,
	0x00FFFF, 0x80FFFF, 0x010000, 0x810000, 0x010001, 0x000001, 0x800001, 0x7EFFFF, 0xFEFFFF, 0x7F8000, 0xFF8000,
}

// offsets are values of a0 and aL at the ends of ranges: of the byte window, of the registers, of their wrapping.
var offsets = []int{-129, -128, -127, -96, -95, -41, -40, -33, -32, -1, 1, 31, 32, 33, 55, 56, 63, 64, 87, 88, 94, 95,
	96, 126, 127, 128, 129}

// Float24 by its fields.
var (
	signBit  = pica.Float24.Sign()
	infinity = pica.Float24.Infinity()
)

// mantissa draws 16 bits: any, a single one, or a run of ones at the end.
func (c *Choices) mantissa() uint32 {
	switch c.Bits(2) {
	case 1:
		return 1 << c.Bits(4)
	case 2:
		return 0xFFFF >> c.Bits(4)
	}
	return uint32(c.Bits(16))
}

// exponent draws the exponent field of a normal number: of ordinary size, or
// near one of the ends.
func (c *Choices) exponent() uint32 {
	switch c.Bits(2) {
	case 1:
		return 1 + uint32(c.Bits(4))
	case 2:
		return 126 - uint32(c.Bits(4))
	}
	return 56 + uint32(c.Bits(4))
}

// normal draws a normal number with the given exponent field, brought into
// range.
func (c *Choices) normal(exponent int) uint32 {
	return uint32(c.Bits(1))<<23 | uint32(min(max(exponent, 1), 126))<<16 | c.mantissa()
}

// classed draws a number of each of the nine value classes equally often: zero,
// subnormal, normal, infinite with either sign, NaN.
func (c *Choices) classed() uint32 {
	k := c.Below(9)
	sign := uint32(k&1) << 23
	switch k >> 1 {
	case 0:
		return sign
	case 1:
		return sign | max(c.mantissa(), 1)
	case 2:
		return sign | uint32(1+c.Below(126))<<16 | c.mantissa()
	case 3:
		return sign | infinity
	}
	return uint32(c.Bits(1))<<23 | infinity | max(c.mantissa(), 1)
}

// operand draws an operand of a single instruction.
func (c *Choices) operand() uint32 {
	switch c.Bits(4) {
	case 1: // a power of two or a neighbour
		return c.normal(int(c.exponent()))&^0xFFFF + uint32(c.Bits(2)) - 1
	case 2: // near one, on both sides
		return 0x3F0000 + uint32(c.Bits(16))>>c.Bits(4) - uint32(c.Bits(16))>>c.Bits(4)
	case 3, 4:
		return c.normal(int(c.exponent()))
	case 5:
		return Pick(c, special[:])
	}
	return c.classed()
}

// partner draws an operand to go with another.
func (c *Choices) partner(other uint32) uint32 {
	exponent := int(other >> 16 & 127)
	switch c.Bits(3) {
	case 1: // equal, a neighbour, or the same with the other sign
		return (other + uint32(c.Bits(1))) ^ uint32(c.Bits(1))<<23&(signBit*2-1)
	case 2: // a sum that cancels or rounds
		return c.normal(exponent + c.Below(37) - 18)
	case 3: // a product at the edge of overflow, or of the subnormal numbers and zero
		edge := 124 + c.Below(5)
		if c.Chance(8) {
			edge = c.Below(20) - 18
		}
		return c.normal(edge + 63 - exponent)
	}
	return c.operand()
}

// component draws a number for a program that goes on computing with it.
func (c *Choices) component() uint32 {
	switch c.Bits(3) {
	case 0:
		return c.operand()
	case 1, 2:
		return integer(int(c.Bits(4)) - 8)
	case 3:
		if c.Chance(8) {
			return integer(Pick(c, offsets))
		}
		return integer(c.Below(320) - 160)
	}
	return c.normal(56 + int(c.Bits(4)))
}

// in returns a raw float24 in the given format. As a float32 it gets low bits that
// need rounding, ties among them, half of the time; now and then it is any
// float32.
func (c *Choices) in(format pica.NumberFormat, x uint32) uint32 {
	if format == pica.Float24 {
		return x
	}
	switch y := pica.Float24.Widen(x); c.Bits(4) {
	case 1:
		return uint32(c.Bits(32))
	case 2, 3:
		return y | 0x40
	case 4, 5:
		return y | 0x3F
	case 6, 7, 8:
		return y | uint32(c.Bits(7))
	default:
		return y
	}
}

// close returns a normal raw float24 in the given format. As a float32 it gets low
// bits half of the time.
func (c *Choices) close(format pica.NumberFormat, x uint32) uint32 {
	if format == pica.Float24 {
		return x
	}
	return pica.Float24.Widen(x) | uint32(c.Bits(7)*c.Bits(1))
}

// integer returns n as a raw float24.
func integer(n int) uint32 { return pica.Float24.Integer(int64(n)) }
