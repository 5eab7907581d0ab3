package gen

import "math/bits"

// Within draws a number from low to high, both included. Half of the draws are
// at an end or next to it, where mistakes are; with choices of zero it is low.
func (c *Choices) Within(low, high uint64) uint64 {
	span := high - low
	switch c.Bits(3) {
	case 0:
		return low
	case 1:
		return high
	case 2:
		return low + min(span, 1)
	case 3:
		return high - min(span, 1)
	}
	v := c.Bits(min(bits.Len64(span)+8, 64))
	if span+1 == 0 {
		return v
	}
	return low + v%(span+1)
}

// Some draws some of the bits of a mask that has any: half of the draws are one
// bit, so that a reader that overlooks it shows.
func (c *Choices) Some(mask uint64) uint64 {
	if c.Bits(1) == 1 {
		if some := c.Bits(64) & mask; some != 0 {
			return some
		}
	}
	for range c.Below(bits.OnesCount64(mask)) {
		mask &= mask - 1
	}
	return mask & -mask
}

// Rarely is true one time in 16; never with choices of zero.
func (c *Choices) Rarely() bool { return !c.Chance(15) }

// Size draws a number from low to usual, now and then one of the others.
func (c *Choices) Size(low, usual int, others ...int) int {
	if c.Rarely() {
		return Pick(c, others)
	}
	return int(c.Within(uint64(low), uint64(usual)))
}
