package gen

// special are the raw float24 patterns at which arithmetic rules change: zeros,
// ones, the ends of the subnormal and normal ranges, infinities, NaNs, halves
// and neighbours of one.
var special = []uint32{
	0x000000, 0x800000, 0x3F0000, 0xBF0000, 0x000001, 0x800001, 0x00FFFF, 0x80FFFF, 0x010000, 0x810000,
	0x010001, 0x7EFFFF, 0xFEFFFF, 0x7F0000, 0xFF0000, 0x7F8000, 0xFF8000, 0x7F0001, 0x3E0000, 0xBE0000,
	0x3EFFFF, 0x3F0001, 0x2E0000, 0xAE0000, 0x5F0000, 0x1F0000, 0x45FFFC, 0xC5FFFC, 0x460000, 0x4DFFFF,
}

// component draws a raw float24: a special pattern, a small integer, a value of
// ordinary size, or any pattern.
func (c *Choices) component() uint32 {
	switch kind := c.Bits(3); {
	case kind == 0:
		return Pick(c, special)
	case kind <= 2:
		return smallInteger(int(c.Bits(4)) - 8)
	case kind == 7:
		return uint32(c.Bits(24))
	}
	sign, exponent, mantissa := uint32(c.Bits(1)), uint32(56+c.Bits(4)), uint32(c.Bits(16))
	return sign<<23 | exponent<<16 | mantissa
}

// smallInteger returns n as a raw float24, for |n| < 2^17.
func smallInteger(n int) uint32 {
	if n == 0 {
		return 0
	}
	sign := uint32(0)
	if n < 0 {
		sign, n = 1<<23, -n
	}
	exponent, mantissa := uint32(63+16), uint32(n)
	for mantissa < 1<<16 {
		mantissa <<= 1
		exponent--
	}
	return sign | exponent<<16 | mantissa&0xFFFF
}
