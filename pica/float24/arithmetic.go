package float24

import "math"

// Arithmetic is one of the two models of what the console computes.
type Arithmetic uint8

// The models.
const (
	Nearest    Arithmetic = iota // profile f24: to nearest even, gradual underflow, signed zeros
	Truncating                   // profile hw: sums and products toward zero, zeros and subnormals are +0
)

// Vec is a vector of float24.
type Vec [4]Bits

// narrow returns the pattern of a value that is a float24.
func narrow(v float64) Bits { return Encode(math.Float32bits(float32(v)), TowardZero) }

// operand returns the value that arithmetic uses.
func (m Arithmetic) operand(x Bits) float64 {
	if m == Truncating {
		return Flush(x.Float64())
	}
	return x.Float64()
}

func (m Arithmetic) add(a, b float64) float64 {
	if m == Truncating {
		return AddTruncated(a, b)
	}
	return RoundNearest(a + b)
}

func (m Arithmetic) mul(a, b float64) float64 {
	if m == Truncating {
		return MulTruncated(a, b)
	}
	return MulNearest(a, b)
}

// unary applies a function that rounds to nearest.
func (m Arithmetic) unary(f func(float64) float64, x Bits) Bits {
	r := f(m.operand(x))
	if m == Truncating {
		r = Flush(r)
	}
	return narrow(r)
}

// Add returns a+b. Opposite infinities give QNaN, as does any NaN operand here
// and below.
func (m Arithmetic) Add(a, b Bits) Bits { return narrow(m.add(m.operand(a), m.operand(b))) }

// Mul returns a*b; the product of a zero and an infinity is +0.
func (m Arithmetic) Mul(a, b Bits) Bits { return narrow(m.mul(m.operand(a), m.operand(b))) }

// Mad returns a*b+c; product and sum are rounded.
func (m Arithmetic) Mad(a, b, c Bits) Bits {
	return narrow(m.add(m.mul(m.operand(a), m.operand(b)), m.operand(c)))
}

func (m Arithmetic) dot(a, b *Vec, n int) Bits {
	sum := m.mul(m.operand(a[0]), m.operand(b[0]))
	for k := 1; k < n; k++ {
		sum = m.add(sum, m.mul(m.operand(a[k]), m.operand(b[k])))
	}
	return narrow(sum)
}

// Dp3 returns the dot product of x, y, z, summed from the left with every
// product and sum rounded.
func (m Arithmetic) Dp3(a, b Vec) Bits { return m.dot(&a, &b, 3) }

// Dp4 returns the dot product of all components.
func (m Arithmetic) Dp4(a, b Vec) Bits { return m.dot(&a, &b, 4) }

// Dph returns Dp4 with a.w taken as 1.
func (m Arithmetic) Dph(a, b Vec) Bits {
	a[3] = One
	return m.dot(&a, &b, 4)
}

// Dst returns the distance vector (1, a.y*b.y, a.z, b.w).
func (m Arithmetic) Dst(a, b Vec) Vec { return Vec{One, m.Mul(a[1], b[1]), a[2], b[3]} }

// Flr returns the largest integer that is not above x.
func (m Arithmetic) Flr(x Bits) Bits { return m.unary(Floor, x) }

// Rcp returns 1/x; the reciprocal of a zero of either sign is +infinity.
func (m Arithmetic) Rcp(x Bits) Bits { return m.unary(Reciprocal, x) }

// Rsq returns 1/sqrt(x); +infinity for a zero of either sign.
func (m Arithmetic) Rsq(x Bits) Bits { return m.unary(ReciprocalRoot, x) }

// Ex2 returns 2^x.
func (m Arithmetic) Ex2(x Bits) Bits { return m.unary(Exp2, x) }

// Lg2 returns the binary logarithm of x; -infinity for a zero of either sign.
func (m Arithmetic) Lg2(x Bits) Bits { return m.unary(Log2, x) }
