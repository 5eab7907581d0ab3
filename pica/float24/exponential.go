package float24

import "math"

// Powers and logarithms are computed in binary64 from a table and a short
// series. No exact result lies nearer to the middle of two float24 than 2^-40 of
// its size (found by computing them all); the error here is far smaller, so that
// rounding gives the correctly rounded result, and fused operations would do no
// harm.

const (
	expSteps = 32
	logSteps = 64
)

// expTable holds 2^(k/32).
var expTable = func() (t [expSteps]float64) {
	for k := range t {
		t[k] = math.Exp2(float64(k) / expSteps)
	}
	return t
}()

// expGrid added to a number leaves the number, in 32nds, in the low bits.
const expGrid = 0x1.8p52 / expSteps

// The series of 2^r - 1.
const (
	exp1 = math.Ln2
	exp2 = exp1 * math.Ln2 / 2
	exp3 = exp2 * math.Ln2 / 3
	exp4 = exp3 * math.Ln2 / 4
	exp5 = exp4 * math.Ln2 / 5
)

// Exp2 returns 2^x rounded to nearest.
func Exp2(x float64) float64 {
	if !(math.Abs(x) < 128) {
		return RoundNearest(math.Exp2(x))
	}
	shifted := x + expGrid
	steps := int64(math.Float64bits(shifted)<<12) >> 12
	r := x - (shifted - expGrid)
	q := r * r
	series := (exp5*r+exp4)*(q*q) + ((exp3*r+exp2)*q + exp1*r)
	base := expTable[steps&(expSteps-1)]
	v := math.Float64frombits(math.Float64bits(base+base*series) + uint64(steps>>5<<52))
	if Regular(v) {
		return RoundRegular(v)
	}
	return RoundNearest(v)
}

// logTable holds for each 64th of [1, 2) a reciprocal of its middle, of so few bits
// that the product with a float24 is exact, and the logarithm of the middle. In the
// upper part it holds the logarithm of half the middle: the logarithm of a number
// near 1 is then a sum of small terms on both sides.
var logTable = func() (t [logSteps]struct{ reciprocal, log, exponent float64 }) {
	for k := range t {
		middle := 1 + (float64(k)+0.5)/logSteps
		c := math.Round(0x1p24/middle) * 0x1p-24
		if middle < math.Sqrt2 {
			t[k].reciprocal, t[k].log = c, -math.Log2(c)
		} else {
			t[k].reciprocal, t[k].log, t[k].exponent = c, -math.Log2(2*c), 1
		}
	}
	return t
}()

// The series of log2(1+r).
const (
	log1 = math.Log2E
	log2 = -math.Log2E / 2
	log3 = math.Log2E / 3
	log4 = -math.Log2E / 4
	log5 = math.Log2E / 5
	log6 = -math.Log2E / 6
)

// Log2 returns the binary logarithm rounded to nearest; -infinity for zeros of
// both signs, NaN for negative numbers.
func Log2(x float64) float64 {
	if !(x > 0 && x < 0x1p64) {
		return RoundNearest(math.Log2(x))
	}
	b := math.Float64bits(x)
	if b<<12 == 0 { // a power of two
		return float64(int(b>>52) - 1023)
	}
	row := &logTable[b>>(52-6)&(logSteps-1)]
	r := math.Float64frombits(b&(1<<52-1)|1023<<52)*row.reciprocal - 1
	q := r * r
	series := (log6*r+log5)*(q*q)*r + ((log4*r+log3)*(q*r) + (log2*q + log1*r))
	// Only the logarithm of 1 is too small to be regular.
	return RoundRegular(float64(int(b>>52)-1023) + row.exponent + (row.log + series))
}
