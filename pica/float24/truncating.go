package float24

import "math"

// Flush returns x, or +0 for zeros and subnormals: what arithmetic on the
// console sees of its operands (T. Karras, 3dbrew).
func Flush(x float64) float64 {
	if math.Abs(x) < smallest {
		return 0
	}
	return x
}

// truncate drops the bits of a number in [2^-62, 2^64) that float24 lacks.
func truncate(v float64) float64 {
	return math.Float64frombits(math.Float64bits(v) &^ droppedMask)
}

// AddTruncated adds two flushed float24 toward zero. Results below 2^-62 are
// +0, results from 2^64 up are infinite.
func AddTruncated(a, b float64) float64 {
	s := a + b
	v := math.Float64bits(s)
	if v>>52&0x7FF-lowest <= highest-lowest && s-a == b && s-b == a {
		return math.Float64frombits(v &^ droppedMask)
	}
	return addTruncatedEdge(a, b, s)
}

// addTruncatedEdge handles specials and sums that binary64 had to round: when
// that went away from zero, the neighbour is on the right side of every float24.
func addTruncatedEdge(a, b, s float64) float64 {
	if s-s == 0 {
		part := s - a
		if rest := (a - (s - part)) + (b - part); rest != 0 && rest > 0 != (s > 0) {
			s = math.Float64frombits(math.Float64bits(s) - 1)
		}
	}
	return truncatedEdge(s)
}

// truncatedEdge rounds any value toward zero.
func truncatedEdge(v float64) float64 {
	switch m := math.Abs(v); {
	case v != v:
		return nan
	case m < smallest:
		return 0
	case m >= 0x1p64:
		return math.Copysign(math.Inf(1), v)
	}
	return truncate(v)
}

// MulTruncated multiplies two flushed float24 toward zero, with the range of
// AddTruncated; the product of a zero and an infinity is +0.
func MulTruncated(a, b float64) float64 {
	p := a * b
	v := math.Float64bits(p)
	if v>>52&0x7FF-lowest <= highest-lowest {
		return math.Float64frombits(v &^ droppedMask)
	}
	return mulTruncatedEdge(a, b, p)
}

func mulTruncatedEdge(a, b, p float64) float64 {
	if p != p && a == a && b == b {
		return 0
	}
	return truncatedEdge(p)
}
