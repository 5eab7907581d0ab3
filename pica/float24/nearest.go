package float24

import "math"

// Properties of binary64: it has 36 significand bits more than float24; lowest and
// highest are the exponent fields of float24's normal numbers.
const (
	dropped     = 36
	droppedMask = 1<<dropped - 1
	lowest      = 1023 - 62
	highest     = 1023 + 63
	smallest    = 0x1p-62
	unit        = 0x1p-78 // of subnormals
)

// nan is the NaN that arithmetic returns: it becomes QNaN, or 0x7FC00000 in binary32.
var nan = math.Float64frombits(0x7FF8 << 48)

// Regular reports whether v is a zero, or a number so far inside the range that
// rounding it gives a normal number. Sums and products of float24 are never so
// small that they are subnormal in binary64.
//
// Regular, RoundRegular and CutRegular are small enough to be inlined into a loop;
// the others are calls.
func Regular(v float64) bool {
	e := math.Float64bits(v) >> 52 & 0x7FF
	return e-lowest < highest-lowest || e == 0
}

// RoundRegular is RoundNearest for a regular value.
func RoundRegular(v float64) float64 {
	b := math.Float64bits(v)
	return math.Float64frombits((b + (droppedMask >> 1) + b>>dropped&1) &^ droppedMask)
}

// RoundNearest rounds to the nearest float24, ties to even, with gradual
// underflow and signed zeros. Any NaN becomes the canonical one.
//
// The sum of two float24 may be given as binary64 rounded it: 53 bits are more
// than twice 17 plus 2, so rounding twice does no harm.
func RoundNearest(v float64) float64 {
	switch m := math.Abs(v); {
	case v == 0:
		return v
	case m < smallest:
		return math.Copysign(math.RoundToEven(m*(1/unit))*unit, v)
	case m >= 0x1.FFFF8p63:
		return math.Copysign(math.Inf(1), v)
	case v != v:
		return nan
	}
	return RoundRegular(v)
}

// MulNearest multiplies two float24 and rounds to nearest; the product of a
// zero and an infinity is +0.
func MulNearest(a, b float64) float64 {
	p := a * b
	if p != p && a == a && b == b {
		return 0
	}
	return RoundNearest(p)
}

// Reciprocal returns 1/x rounded to nearest; +infinity for zeros of both signs.
func Reciprocal(x float64) float64 {
	if x == 0 {
		return math.Inf(1)
	}
	return RoundNearest(1 / x)
}

// ReciprocalRoot returns 1/sqrt(x) rounded to nearest; +infinity for zeros of
// both signs, NaN for negative numbers.
func ReciprocalRoot(x float64) float64 {
	if x == 0 {
		return math.Inf(1)
	}
	return RoundNearest(1 / math.Sqrt(x))
}

// Floor returns the largest integer that is at most x.
func Floor(x float64) float64 {
	if x != x {
		return nan
	}
	return math.Floor(x)
}
