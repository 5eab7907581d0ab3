package float24

import "math"

// Flush returns x, or +0 for zeros and subnormals, as the console's arithmetic
// reads its operands (T. Karras, 3dbrew).
func Flush(x float64) float64 {
	if math.Abs(x) < smallest {
		return 0
	}
	return x
}

// CutRegular rounds a regular value toward zero: it drops the bits that float24 lacks.
func CutRegular(v float64) float64 {
	return math.Float64frombits(math.Float64bits(v) &^ droppedMask)
}

// cut rounds any value toward zero. Results below 2^-62 are +0, results from
// 2^64 up are infinite.
func cut(v float64) float64 {
	switch m := math.Abs(v); {
	case v != v:
		return nan
	case m < smallest:
		return 0
	case m >= 0x1p64:
		return math.Copysign(math.Inf(1), v)
	}
	return CutRegular(v)
}

// AddTruncated adds two flushed float24 toward zero. Where binary64 rounds the sum
// away from zero, the next number toward zero truncates to the right float24.
func AddTruncated(a, b float64) float64 {
	s := a + b
	if s-s == 0 {
		part := s - a
		if rest := (a - (s - part)) + (b - part); rest != 0 && rest > 0 != (s > 0) {
			s = math.Float64frombits(math.Float64bits(s) - 1)
		}
	}
	return cut(s)
}

// MulTruncated multiplies two flushed float24 toward zero; the product of a
// zero and an infinity is +0.
func MulTruncated(a, b float64) float64 {
	p := a * b
	if p != p && a == a && b == b {
		return 0
	}
	return cut(p)
}
