package oracle

import "math/bits"

// This file states the number formats, and how a result is rounded to one. The mantissa is a
// field of a pattern; the significand is the mantissa with the hidden bit.

// A NumberClass is the class of a number.
type NumberClass uint8

// The classes. Finite excludes zero and includes subnormals.
const (
	Zero NumberClass = iota
	Finite
	Infinite
	NaN
)

// A Number is an unpacked pattern or a result before rounding. The value of a finite number is
// (-1)^Neg * Sig * 2^Exp, Sig != 0. If the significand of a result does not fit Sig, bit 0 of
// Sig is the sticky bit: the OR of that bit and of all bits that were cut off below it. Sig
// then has at least two bits more than a significand of the format to which it is rounded, so
// rounding can tell whether the value lies below, on or above a midpoint.
type Number struct {
	Class NumberClass
	Neg   bool
	Sig   uint64
	Exp   int
}

// A NumberFormat is a binary floating-point format with a hidden bit, subnormals,
// infinities and NaN; the exponent field lies between sign and mantissa.
type NumberFormat struct {
	Mantissa int    // bits of the mantissa field
	minExp   int    // the smallest subnormal is 2^minExp
	Sign     uint32 // the sign bit
	Infinity uint32 // +inf, which is also the mask of the exponent field
	Quiet    uint32 // the NaN that arithmetic produces
	One      uint32 // 1.0
}

// NewNumberFormat returns the format with so many bits of exponent and of mantissa.
func NewNumberFormat(exponent, mantissa int) NumberFormat {
	top := uint32(1)<<exponent - 1 // the exponent field of infinities and NaN
	bias := top >> 1
	return NumberFormat{
		Mantissa: mantissa, minExp: 1 - int(bias) - mantissa, Sign: 1 << (exponent + mantissa),
		Infinity: top << mantissa, Quiet: top<<mantissa | 1<<(mantissa-1), One: bias << mantissa,
	}
}

// The formats of registers. The console has 1 sign bit, 7 exponent bits and 16 mantissa
// bits, 1/7/16 for short, with infinities and NaN (yuriks and T. Karras on 3dbrew); the
// emulators have binary32, the format of a float32. Subnormals reach registers (T. Karras:
// CMP and MAX see them).
var (
	Float24  = NewNumberFormat(7, 16)
	Binary32 = NewNumberFormat(8, 23)
)

// Exponent returns the exponent field of x.
func (f *NumberFormat) Exponent(x uint32) int { return int((x & f.Infinity) >> f.Mantissa) }

// fraction returns the mantissa of x.
func (f *NumberFormat) fraction(x uint32) uint32 { return x & (1<<f.Mantissa - 1) }

// IsNaN reports whether x is a NaN of either sign.
func (f *NumberFormat) IsNaN(x uint32) bool { return x&f.Infinity == f.Infinity && f.fraction(x) != 0 }

// IsZero reports whether x is +0 or -0.
func (f *NumberFormat) IsZero(x uint32) bool { return x&^f.Sign == 0 }

// IsInf reports whether x is an infinity.
func (f *NumberFormat) IsInf(x uint32) bool { return x&^f.Sign == f.Infinity }

// Signed returns the pattern x with the sign bit set if neg.
func (f *NumberFormat) Signed(x uint32, neg bool) uint32 {
	if neg {
		return x | f.Sign
	}
	return x
}

// Unpack returns the number with pattern x. A NaN loses its sign and its payload.
func (f *NumberFormat) Unpack(x uint32) Number {
	e, m, neg := f.Exponent(x), uint64(f.fraction(x)), x&f.Sign != 0
	switch {
	case x&f.Infinity == f.Infinity && m != 0:
		return Number{Class: NaN}
	case x&f.Infinity == f.Infinity:
		return Number{Class: Infinite, Neg: neg}
	case e == 0 && m == 0:
		return Number{Class: Zero, Neg: neg}
	case e == 0:
		return Number{Class: Finite, Neg: neg, Sig: m, Exp: f.minExp}
	}
	return Number{Class: Finite, Neg: neg, Sig: m | 1<<f.Mantissa, Exp: f.minExp + e - 1}
}

// Normalised returns the same finite value with the leading bit of Sig at position p.
func (n Number) Normalised(p int) Number {
	s := p + 1 - bits.Len64(n.Sig)
	n.Sig, n.Exp = shift(n.Sig, -s), n.Exp-s
	return n
}

// A Direction is a direction of rounding.
type Direction uint8

// The directions.
const (
	Nearest    Direction = iota // to nearest, ties to even
	TowardZero                  // truncation
)

// Round returns the pattern of the finite number n in format f. With flush a result smaller
// in magnitude than the smallest normal number is +0, even if n is negative. A result that is
// too large is an infinity of its sign, with either direction (to nearest: all emulators;
// unknown on the console).
func (f *NumberFormat) Round(n Number, direction Direction, flush bool) uint32 {
	// 2^q is the ULP of the result, at least the smallest subnormal.
	q := max(n.Exp+bits.Len64(n.Sig)-1-f.Mantissa, f.minExp)
	// Keep two bits more: half an ULP, and the OR of all bits below.
	u := shift(n.Sig, q-2-n.Exp)
	rest := u & 3
	u >>= 2
	if direction == Nearest && (rest == 3 || (rest == 2 && u&1 == 1)) {
		u++
	}
	hidden := uint64(1) << f.Mantissa
	if u == 2*hidden {
		u, q = hidden, q+1
	}
	if u < hidden {
		if flush {
			return 0
		}
		return f.Signed(uint32(u), n.Neg)
	}
	e := q - f.minExp + 1
	if e >= int(f.Infinity>>f.Mantissa) {
		return f.Signed(f.Infinity, n.Neg)
	}
	return f.Signed(uint32(e)<<f.Mantissa|uint32(u-hidden), n.Neg)
}

// shift returns sig * 2^-n. The bits that a shift to the right cuts off are ORed
// into bit 0; for a shift to the left the caller guarantees that none is lost.
func shift(sig uint64, n int) uint64 {
	switch {
	case n <= 0:
		return sig << -n
	case n >= 64:
		return sticky(sig != 0)
	}
	return sig>>n | sticky(sig<<(64-n) != 0)
}

// sticky returns the sticky bit: 1 if a bit that is 1 was cut off.
func sticky(lost bool) uint64 {
	if lost {
		return 1
	}
	return 0
}
