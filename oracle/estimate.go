package oracle

import (
	"math/bits"

	"github.com/picaproof/picaproof/pica"
)

// estimates reports whether the implementation answers with a host's estimate
// whose low bits depend on the processor. Its place is then taken by the
// correctly rounded result, and the outcome says so. Zeros, NaN, infinities,
// negative operands of RSQ and what [arithmetic.known] lists are certain.
func (u *Unit) estimates(op pica.Opcode, x uint32) bool {
	reciprocal, exponential := u.Knobs[pica.KnobReciprocal], u.Knobs[pica.KnobExponential]
	n := u.Unpack(x)
	certain := n.Class != Finite
	switch op {
	case pica.RCP:
		return !certain && reciprocal >= pica.ReciprocalEstimate && !powerOf(2, n)
	case pica.RSQ:
		if n.Neg {
			return !certain && reciprocal == pica.ReciprocalShort && u.Exponent(x) == 0 // may count as -0
		}
		return !certain && reciprocal >= pica.ReciprocalEstimate && !powerOf(4, n)
	case pica.EX2:
		return exponential == pica.ExponentialEstimate && n.Class != NaN
	}
	return exponential == pica.ExponentialEstimate && !certain && !n.Neg
}

// powerOf reports whether a finite number is plus or minus a power of base, 2 or
// 4.
func powerOf(base int, n Number) bool {
	return bits.OnesCount64(n.Sig) == 1 && (base == 2 || (n.Exp+bits.TrailingZeros64(n.Sig))&1 == 0)
}

// estimated returns the certain estimates among results: for powers of two the
// short estimates of a processor without AVX-512 lie one part in 4096 below the
// reciprocal (1 gives 3F7FF000); those of AVX-512 are exact.
func (u *Unit) estimated(n, result Number, base int) Number {
	if u.Knobs[pica.KnobReciprocal] != pica.ReciprocalShort || n.Class != Finite || !powerOf(base, n) {
		return result
	}
	result = result.normalised(23)
	return Number{Class: Finite, Neg: result.Neg, Sig: 0xFFF000, Exp: result.Exp - 1}
}
