package oracle

import "math/bits"

// A class says what kind of number a bit pattern holds.
type class uint8

const (
	zero class = iota
	finite
	infinite
	nan
)

// A number is a bit pattern taken apart: for class finite the value is
// (-1)^neg * sig * 2^exp with sig != 0. Exact results that do not fit 64 bits
// keep in bit 0 of sig the OR of everything cut off below it; sig then has at
// least two bits more than any format it is rounded to, so that rounding sees
// correctly whether the value lies below, on or above a midpoint.
type number struct {
	class class
	neg   bool
	sig   uint64
	exp   int
}

// A format is a binary floating-point format with a hidden bit, subnormals,
// infinities and NaN; the exponent field lies between sign and mantissa.
type format struct {
	mantissa int    // bits of the mantissa field
	unit     int    // the smallest subnormal is 2^unit
	sign     uint32 // the sign bit
	infinity uint32 // +inf, which is also the mask of the exponent field
	quiet    uint32 // the NaN that arithmetic produces
	one      uint32
	clamp    uint32 // 127.99609375, the limit of LITP
	loose    uint32 // 127.9961, Panda3DS's way to write it
}

// The formats: registers of the console are 1/7/16 (3dbrew), those of the
// emulators binary32.
var (
	float24  = format{mantissa: 16, unit: -78, sign: 1 << 23, infinity: 0x7F0000, quiet: 0x7F8000, one: 0x3F0000, clamp: 0x45FFFC, loose: 0x45FFFC}
	binary32 = format{mantissa: 23, unit: -149, sign: 1 << 31, infinity: 0x7F800000, quiet: 0x7FC00000, one: 0x3F800000, clamp: 0x42FFFE00, loose: 0x42FFFE01}
)

// exponent returns the exponent field of x.
func (f *format) exponent(x uint32) int { return int(x & f.infinity >> f.mantissa) }

// fraction returns the mantissa field of x.
func (f *format) fraction(x uint32) uint32 { return x & (1<<f.mantissa - 1) }

// isNaN reports whether x is a NaN of either sign.
func (f *format) isNaN(x uint32) bool { return x&f.infinity == f.infinity && f.fraction(x) != 0 }

// isZero reports whether x is +0 or -0.
func (f *format) isZero(x uint32) bool { return x&^f.sign == 0 }

// isInf reports whether x is an infinity.
func (f *format) isInf(x uint32) bool { return x&^f.sign == f.infinity }

// signed returns the pattern x with the sign bit set if neg.
func (f *format) signed(x uint32, neg bool) uint32 {
	if neg {
		return x | f.sign
	}
	return x
}

// unpack takes x apart.
func (f *format) unpack(x uint32) number {
	e, m, neg := f.exponent(x), uint64(f.fraction(x)), x&f.sign != 0
	switch {
	case x&f.infinity == f.infinity && m != 0:
		return number{class: nan}
	case x&f.infinity == f.infinity:
		return number{class: infinite, neg: neg}
	case e == 0 && m == 0:
		return number{class: zero, neg: neg}
	case e == 0:
		return number{class: finite, neg: neg, sig: m, exp: f.unit}
	}
	return number{class: finite, neg: neg, sig: m | 1<<f.mantissa, exp: f.unit + e - 1}
}

// A direction is a rounding mode.
type direction uint8

const (
	nearest    direction = iota // to nearest, ties to even
	towardZero                  // truncation
)

// round returns the pattern of the finite number n in format f. With flush a
// result below the smallest normal number is +0.
func (f *format) round(n number, mode direction, flush bool) uint32 {
	// The last bit kept is 2^q: mantissa bits below the leading one, but never below a subnormal's unit.
	q := max(n.exp+bits.Len64(n.sig)-1-f.mantissa, f.unit)
	// Keep two bits more: the half, and whether anything lies below it.
	u := shift(n.sig, q-2-n.exp)
	rest := u & 3
	u >>= 2
	if mode == nearest && (rest == 3 || rest == 2 && u&1 == 1) {
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
		return f.signed(uint32(u), n.neg)
	}
	e := q - f.unit + 1
	if e >= int(f.infinity>>f.mantissa) {
		return f.signed(f.infinity, n.neg) // in both directions
	}
	return f.signed(uint32(e)<<f.mantissa|uint32(u-hidden), n.neg)
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
