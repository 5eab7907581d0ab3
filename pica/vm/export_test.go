package vm

// The correctly rounded functions of profile f32, and their careful paths.
var (
	Exp2    = exp2
	Log2    = log2
	Certain = certain
)

// Exp2Fraction returns 2^f as a sum of two numbers.
func Exp2Fraction(f float64) (hi, lo float64) {
	y := exp2Fraction(f)
	return y.hi, y.lo
}
