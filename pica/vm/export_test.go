package vm

import "github.com/picaproof/picaproof/pica"

// The correctly rounded functions of profile f32, and their careful paths.
var (
	Exp2 = exp2
	Log2 = log2
)

// Odd rounds a sum of two numbers to odd.
func Odd(hi, lo float64) float64 { return double{hi, lo}.odd() }

// Exp2Fraction returns 2^f as a sum of two numbers.
func Exp2Fraction(f float64) (hi, lo float64) {
	y := exp2Fraction(f)
	return y.hi, y.lo
}

// HasKernel reports whether every model can execute an instruction with operands.
func HasKernel(op pica.Opcode) bool {
	for m := range kernels {
		if kernels[m][pica.Opcodes[op].Plain] == nil {
			return false
		}
	}
	return true
}

// ForceSlow forces the slow paths: native code runs the handlers for masked lanes if fewer than 64 run,
// and exp2 and log2 take the careful path.
func ForceSlow() (undo func()) {
	old := doubt
	ignoreWhole, doubt = ^uint64(0), 1
	return func() { ignoreWhole, doubt = 0, old }
}

// ForgetLane takes the lane operation of an instruction away.
func ForgetLane(op pica.Opcode) (undo func()) {
	old := laneOps[op]
	laneOps[op] = 0
	return func() { laneOps[op] = old }
}
