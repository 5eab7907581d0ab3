package wire

import (
	"fmt"
	"math"
)

// Float24 prints a float24 pattern (sign 1, exponent 7, significand 16) for
// reading: its value and its bits. More bits than 24 are printed as they stand.
func Float24(bits uint32) string {
	if bits>>24 != 0 {
		return fmt.Sprintf("0x%08x", bits)
	}
	exponent, significand := int(bits>>16&0x7F), float64(bits&0xFFFF)
	v := math.Ldexp(0x10000+significand, exponent-63-16)
	switch {
	case exponent == 0:
		v = math.Ldexp(significand, 1-63-16)
	case exponent == 0x7F && significand == 0:
		v = math.Inf(1)
	case exponent == 0x7F:
		v = math.NaN()
	}
	if bits>>23 != 0 {
		v = math.Copysign(v, -1)
	}
	return fmt.Sprintf("%g (0x%06x)", v, bits)
}
