package vm

import "math"

// EX2 and LG2 of profile f32 are correctly rounded. The library functions have a
// relative error of about 2^-52. Where that leaves a doubt about the binary32 result,
// once in some millions of arguments, the value is computed to about 2^-100 as a sum
// of two binary64.

// doubt is a bound well above the relative error of the library functions. Tests raise it.
var doubt = 0x1p-48

// exp2 returns 2^x.
func exp2(x float32) float32 {
	v := math.Exp2(float64(x))
	if r, ok := certain(v); ok {
		return r
	}
	whole := math.RoundToEven(float64(x))
	y := exp2Fraction(float64(x) - whole)
	return float32(math.Ldexp(y.odd(), int(whole)))
}

// log2 returns the binary logarithm of x.
func log2(x float32) float32 {
	v := math.Log2(float64(x))
	if x > 0.5 && x < 2 { // where the sum in math.Log2 cancels
		v = math.Log1p(float64(x)-1) * math.Log2E
	}
	if r, ok := certain(v); ok {
		return r
	}
	// log2(x) = v + log2(x * 2^-v), and the last term is the logarithm of 1 + d.
	whole := math.RoundToEven(v)
	y := exp2Fraction(whole - v)
	z := math.Ldexp(float64(x), -int(whole))
	d := math.FMA(z, y.hi, -1) + float64(z*y.lo)
	return float32(sum(v, float64(d*math.Log2E)).odd())
}

// certain rounds v and reports whether the error of v cannot change the result. Zeros,
// infinities and NaN are exact.
func certain(v float64) (float32, bool) {
	r := float32(v)
	return r, v == 0 || v-v != 0 || r == float32(v-v*doubt) && r == float32(v+v*doubt)
}

// double is an unevaluated sum; lo is below half a unit in the last place of hi.
type double struct{ hi, lo float64 }

// sum adds two numbers exactly.
func sum(a, b float64) double {
	s := a + b
	part := s - a
	return double{s, (a - (s - part)) + (b - part)}
}

// times multiplies.
func (d double) times(e double) double {
	p := float64(d.hi * e.hi)
	rest := math.FMA(d.hi, e.hi, -p)
	return sum(p, rest+(float64(d.hi*e.lo)+float64(d.lo*e.hi)))
}

// over divides by a small integer.
func (d double) over(n float64) double {
	q := d.hi / n
	return sum(q, (math.FMA(-q, n, d.hi)+d.lo)/n)
}

// odd returns the sum rounded to odd: cut toward zero, with the last bit set if
// something was cut off. Rounding that to a shorter format rounds the exact sum.
func (d double) odd() float64 {
	if d.lo == 0 {
		return d.hi
	}
	b := math.Float64bits(d.hi)
	if d.lo > 0 != (d.hi > 0) {
		b--
	}
	return math.Float64frombits(b | 1)
}

// exp2Fraction returns 2^f for |f| up to 1/2 by the series of the exponential
// function.
func exp2Fraction(f float64) double {
	const terms = 26                                                             // 0.35^26 / 26! is below 2^-126
	t := double{f, 0}.times(double{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}) // ln 2
	y := double{1, 0}
	for n := terms; n > 0; n-- {
		y = y.times(t).over(float64(n))
		one := sum(1, y.hi)
		y = sum(one.hi, one.lo+y.lo)
	}
	return y
}
