package oracle

import "math/bits"

// A Class says what kind of number a bit pattern holds.
type Class uint8

// The classes.
const (
	Zero Class = iota
	Finite
	Infinite
	NaN
)

// A Number is a bit pattern taken apart: for class Finite the value is
// (-1)^Neg * Sig * 2^Exp with Sig != 0. Exact results that do not fit 64 bits
// keep in bit 0 of Sig the OR of everything cut off below it; Sig then has at
// least two bits more than any format it is rounded to, so that rounding sees
// correctly whether the value lies below, on or above a midpoint.
type Number struct {
	Class Class
	Neg   bool
	Sig   uint64
	Exp   int
}

// A Format is a binary floating-point format with a hidden bit, subnormals,
// infinities and NaN; the exponent field lies between sign and mantissa.
type Format struct {
	mantissa int    // bits of the mantissa field
	unit     int    // the smallest subnormal is 2^unit
	Sign     uint32 // the sign bit
	Infinity uint32 // +inf, which is also the mask of the exponent field
	Quiet    uint32 // the NaN that arithmetic produces
	One      uint32
	Clamp    uint32 // 127.99609375, the limit of LITP
	loose    uint32 // 127.9961, Panda3DS's way to write it
}

// The formats: registers of the console are 1/7/16 (3dbrew), those of the
// emulators binary32.
var (
	Float24  = Format{mantissa: 16, unit: -78, Sign: 1 << 23, Infinity: 0x7F0000, Quiet: 0x7F8000, One: 0x3F0000, Clamp: 0x45FFFC, loose: 0x45FFFC}
	Binary32 = Format{mantissa: 23, unit: -149, Sign: 1 << 31, Infinity: 0x7F800000, Quiet: 0x7FC00000, One: 0x3F800000, Clamp: 0x42FFFE00, loose: 0x42FFFE01}
)

// Exponent returns the exponent field of x.
func (f *Format) Exponent(x uint32) int { return int(x & f.Infinity >> f.mantissa) }

// fraction returns the mantissa field of x.
func (f *Format) fraction(x uint32) uint32 { return x & (1<<f.mantissa - 1) }

// IsNaN reports whether x is a NaN of either sign.
func (f *Format) IsNaN(x uint32) bool { return x&f.Infinity == f.Infinity && f.fraction(x) != 0 }

// IsZero reports whether x is +0 or -0.
func (f *Format) IsZero(x uint32) bool { return x&^f.Sign == 0 }

// IsInf reports whether x is an infinity.
func (f *Format) IsInf(x uint32) bool { return x&^f.Sign == f.Infinity }

// Signed returns the pattern x with the sign bit set if neg.
func (f *Format) Signed(x uint32, neg bool) uint32 {
	if neg {
		return x | f.Sign
	}
	return x
}

// Unpack takes x apart.
func (f *Format) Unpack(x uint32) Number {
	e, m, neg := f.Exponent(x), uint64(f.fraction(x)), x&f.Sign != 0
	switch {
	case x&f.Infinity == f.Infinity && m != 0:
		return Number{Class: NaN}
	case x&f.Infinity == f.Infinity:
		return Number{Class: Infinite, Neg: neg}
	case e == 0 && m == 0:
		return Number{Class: Zero, Neg: neg}
	case e == 0:
		return Number{Class: Finite, Neg: neg, Sig: m, Exp: f.unit}
	}
	return Number{Class: Finite, Neg: neg, Sig: m | 1<<f.mantissa, Exp: f.unit + e - 1}
}

// A Direction is a rounding mode.
type Direction uint8

// The directions.
const (
	Nearest    Direction = iota // to nearest, ties to even
	TowardZero                  // truncation
)

// Round returns the pattern of the finite number n in format f. With flush a
// result below the smallest normal number is +0.
func (f *Format) Round(n Number, mode Direction, flush bool) uint32 {
	// The last bit kept is 2^q: mantissa bits below the leading one, but never below a subnormal's unit.
	q := max(n.Exp+bits.Len64(n.Sig)-1-f.mantissa, f.unit)
	// Keep two bits more: the half, and whether anything lies below it.
	u := shift(n.Sig, q-2-n.Exp)
	rest := u & 3
	u >>= 2
	if mode == Nearest && (rest == 3 || rest == 2 && u&1 == 1) {
		u++
	}
	hidden := uint64(1) << f.mantissa
	if u == 2*hidden {
		u, q = hidden, q+1
	}
	if u < hidden {
		if flush {
			return 0
		}
		return f.Signed(uint32(u), n.Neg)
	}
	e := q - f.unit + 1
	if e >= int(f.Infinity>>f.mantissa) {
		return f.Signed(f.Infinity, n.Neg) // in both directions
	}
	return f.Signed(uint32(e)<<f.mantissa|uint32(u-hidden), n.Neg)
}

// shift returns sig * 2^-n; what a shift to the right cuts off is ORed into
// bit 0. To the left the caller guarantees that nothing is lost.
func shift(sig uint64, n int) uint64 {
	switch {
	case n <= 0:
		return sig << -n
	case n >= 64:
		return sticky(sig != 0)
	}
	return sig>>n | sticky(sig<<(64-n) != 0)
}

// sticky returns the bit that stands for what was cut off.
func sticky(lost bool) uint64 {
	if lost {
		return 1
	}
	return 0
}
