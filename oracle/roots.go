package oracle

import (
	"math/bits"

	"github.com/picaproof/picaproof/pica"
)

// reciprocal is RCP: 0 to inf, inf to 0, NaN to NaN (fp-tests); the quotient is
// rounded to nearest (the console's table is unknown).
func reciprocal(u *Unit, a uint32) uint32 {
	n := u.Operand(a)
	return u.Pack(u.estimated(n, u.inverse(n), 2), Nearest)
}

// reciprocalRoot is RSQ: 0 to inf, 1 to 1, negative to NaN, inf to 0, NaN to
// NaN (fp-tests), -0 to inf (3dbrew); rounded to nearest (the console's table is
// unknown).
func reciprocalRoot(u *Unit, a uint32) uint32 {
	n := u.Operand(a)
	switch {
	case n.Class == Zero:
		return u.Pack(u.inverse(n), Nearest)
	case n.Class == NaN || n.Neg:
		return u.Quiet
	case n.Class == Infinite:
		return 0
	}
	if u.Knobs[pica.KnobReciprocal] == pica.ReciprocalTwice {
		// The interpreters round the root, then the quotient.
		root := u.Round(squareRoot(n), Nearest, false)
		return u.Pack(u.inverse(u.Unpack(root)), Nearest)
	}
	return u.Pack(u.estimated(n, inverseRoot(n), 4), Nearest)
}

// inverse returns 1/n, exact but for a sticky bit.
func (u *Unit) inverse(n Number) Number {
	switch n.Class {
	case NaN:
		return n
	case Infinite:
		return Number{Class: Zero, Neg: n.Neg}
	case Zero:
		return Number{Class: Infinite, Neg: n.Neg && u.Knobs[pica.KnobReciprocalZero] == pica.ReciprocalZeroSigned}
	}
	// sig has at most 24 bits, so the quotient has at least 38.
	const dividend = 1 << 62
	q, rest := dividend/n.Sig, dividend%n.Sig
	return Number{Class: Finite, Neg: n.Neg, Sig: q | sticky(rest != 0), Exp: -62 - n.Exp}
}

// squareRoot returns the root of a positive finite number, exact but for a
// sticky bit.
func squareRoot(n Number) Number {
	n = n.evenExponent(61)
	r := integerRoot(n.Sig) // 31 bits
	return Number{Class: Finite, Sig: r | sticky(r*r != n.Sig), Exp: n.Exp / 2}
}

// inverseRoot returns 1 over the root of a positive finite number, exact but
// for a sticky bit: with an even exponent 1/sqrt(sig) = 2^-43 * sqrt(2^86/sig),
// and the floor of a root is the root of the floor.
func inverseRoot(n Number) Number {
	n = n.evenExponent(25)                   // 2^24 <= sig < 2^26
	q, _ := bits.Div64(1<<(86-64), 0, n.Sig) // 2^60 < q <= 2^62
	r := integerRoot(q)                      // 31 bits
	hi, lo := bits.Mul64(r*r, n.Sig)         // 2^86 when exact
	return Number{Class: Finite, Sig: r | sticky(hi != 1<<(86-64) || lo != 0), Exp: -43 - n.Exp/2}
}

// evenExponent returns the same value with an even exponent and the leading
// bit of sig at position p or p-1.
func (n Number) evenExponent(p int) Number {
	if n = n.normalised(p); n.Exp&1 != 0 {
		n = n.normalised(p - 1)
	}
	return n
}

// integerRoot returns the floor of the square root of x, bit by bit.
func integerRoot(x uint64) uint64 {
	var r uint64
	for bit := uint64(1) << 31; bit != 0; bit >>= 1 {
		if t := r | bit; t*t <= x {
			r = t
		}
	}
	return r
}
