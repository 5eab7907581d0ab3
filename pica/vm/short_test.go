package vm_test

import (
	"math/bits"
	"testing"

	"github.com/picaproof/picaproof/oracle"
)

// shortFormat adds and multiplies normal numbers of a binary format in integers, exactly and then rounded once,
// if the result is normal or zero.
type shortFormat struct {
	exponent, mantissa int  // bits
	cut                bool // toward zero, not to nearest even
}

// parts returns the significand and the exponent field of a number, and whether it
// is negative.
func (f shortFormat) parts(x uint32) (significand uint64, exponent int, negative bool) {
	hidden := uint32(1) << f.mantissa
	return uint64(x&(hidden-1) | hidden), int(x >> f.mantissa & (1<<f.exponent - 1)), x>>(f.exponent+f.mantissa) != 0
}

// add returns a + b. Exponents are less than 63 - 2 - mantissa apart.
func (f shortFormat) add(a, b uint32) uint32 {
	x, high, aNegative := f.parts(a)
	y, low, bNegative := f.parts(b)
	if high < low {
		x, y, high, low, aNegative, bNegative = y, x, low, high, bNegative, aNegative
	}
	x <<= uint(high-low) & 63
	switch {
	case aNegative == bNegative:
		x += y
	case x >= y:
		x -= y
	default:
		x, aNegative = y-x, bNegative
	}
	return f.pack(x, low, aNegative)
}

// mul returns a * b.
func (f shortFormat) mul(a, b uint32) uint32 {
	x, high, aNegative := f.parts(a)
	y, low, bNegative := f.parts(b)
	bias := 1<<(f.exponent-1) - 1
	return f.pack(x*y, high+low-bias-f.mantissa, aNegative != bNegative)
}

// pack rounds a number whose lowest bit is the lowest bit of the significands with the given exponent field.
func (f shortFormat) pack(u uint64, exponent int, negative bool) uint32 {
	if u == 0 {
		return 0
	}
	drop := bits.Len64(u) - 1 - f.mantissa
	exponent += drop
	if drop <= 0 {
		u <<= uint(-drop) & 63
	} else {
		if !f.cut {
			odd := u >> (uint(drop) & 63) & 1
			u += 1<<(uint(drop-1)&63) - 1 + odd // a carry goes on to the exponent
		}
		u >>= uint(drop) & 63
	}
	sign := uint64(0)
	if negative {
		sign = 1 << (f.exponent + f.mantissa)
	}
	return uint32(sign | uint64(exponent)<<f.mantissa + (u - 1<<f.mantissa))
}

// shortFormat is the oracle's arithmetic for all pairs of normal numbers of small
// formats that have a normal result or 0.
func TestShortFormats(t *testing.T) {
	for _, size := range [][2]int{{4, 5}, {5, 3}, {5, 2}, {4, 4}, {3, 6}, {3, 2}, {2, 7}} {
		for _, direction := range []oracle.Direction{oracle.Nearest, oracle.TowardZero} {
			f := shortFormat{size[0], size[1], direction == oracle.TowardZero}
			unit := *arithmetic(profileF24)
			unit.NumberFormat, unit.Direction = oracle.NewNumberFormat(f.exponent, f.mantissa), direction
			normal := func(x uint32) bool {
				e := unit.Exponent(x)
				return e != 0 && e != unit.Exponent(unit.Infinity)
			}
			sums, products := 0, 0
			for a := range 2 * unit.Sign {
				for b := range 2 * unit.Sign {
					if !normal(a) || !normal(b) {
						continue
					}
					if want := unit.Ops.Add(&unit, a, b); normal(want) || want == 0 {
						sums++
						if got := f.add(a, b); got != want {
							t.Fatalf("%v: %x + %x: got %x, want %x", f, a, b, got, want)
						}
					}
					// A number that is rounded up to the smallest normal number was not normal.
					if want := unit.Ops.Mul(&unit, a, b); normal(want) && want&^unit.Sign > 1<<f.mantissa {
						products++
						if got := f.mul(a, b); got != want {
							t.Fatalf("%v: %x * %x: got %x, want %x", f, a, b, got, want)
						}
					}
				}
			}
			t.Logf("%+v: %d sums, %d products", f, sums, products)
		}
	}
}
