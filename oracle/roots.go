package oracle

import "math/bits"

// This file states RCP and RSQ. The console's tables for them are unknown, so finite
// results are correctly rounded.

// reciprocal is RCP: 0 to inf, inf to 0, NaN to NaN (fp-tests), -0 to inf like RSQ
// (Panda3DS's interpreter), -inf to -0, which is +0 with flush (guess).
func reciprocal(u *Unit, a uint32) uint32 {
	return u.Pack(Inverse(u.Operand(a)), Nearest)
}

// reciprocalRoot is RSQ: 0 to inf, 1 to 1, negative numbers to NaN, inf to 0, NaN to NaN
// (fp-tests), -0 to inf (3dbrew).
func reciprocalRoot(u *Unit, a uint32) uint32 {
	n := u.Operand(a)
	switch {
	case n.Class == Zero:
		return u.Pack(Inverse(n), Nearest)
	case n.Class == NaN || n.Neg:
		return u.Quiet
	case n.Class == Infinite:
		return 0
	}
	return u.Pack(inverseRoot(n), Nearest)
}

// Inverse returns 1/n, exact except for the sticky bit. The inverse of +0 and of -0 is +inf.
func Inverse(n Number) Number {
	switch n.Class {
	case NaN:
		return n
	case Infinite:
		return Number{Class: Zero, Neg: n.Neg}
	case Zero:
		return Number{Class: Infinite}
	}
	// Sig has at most 24 bits in a register and 31 bits in a root, so the quotient has at
	// least 32.
	const dividend = 1 << 62
	q, rest := dividend/n.Sig, dividend%n.Sig
	return Number{Class: Finite, Neg: n.Neg, Sig: q | sticky(rest != 0), Exp: -62 - n.Exp}
}

// SquareRoot returns the root of a positive finite number, exact except for the sticky bit.
// The reference does not call it: RSQ rounds once, after the inverse of the root.
func SquareRoot(n Number) Number {
	n = n.evenExponent(61)
	r := integerRoot(n.Sig) // 31 bits
	return Number{Class: Finite, Sig: r | sticky(r*r != n.Sig), Exp: n.Exp / 2}
}

// inverseRoot returns 1 over the root of a positive finite number, exact except for the
// sticky bit. 1/sqrt(Sig) = 2^-43 * sqrt(2^86/Sig), and an even exponent is halved.
// The division may be cut: floor(sqrt(x)) = floor(sqrt(floor(x))).
func inverseRoot(n Number) Number {
	n = n.evenExponent(25)                   // 2^24 <= Sig < 2^26
	q, _ := bits.Div64(1<<(86-64), 0, n.Sig) // 2^60 < q <= 2^62
	r := integerRoot(q)                      // 2^30 <= r <= 2^31
	hi, lo := bits.Mul64(r*r, n.Sig)         // 2^86 when exact
	return Number{Class: Finite, Sig: r | sticky(hi != 1<<(86-64) || lo != 0), Exp: -43 - n.Exp/2}
}

// evenExponent returns the same value with an even exponent and the leading
// bit of Sig at position p or p-1.
func (n Number) evenExponent(p int) Number {
	if n = n.Normalised(p); n.Exp&1 != 0 {
		n = n.Normalised(p - 1)
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
