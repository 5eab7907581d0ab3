package oracle

import (
	"math/bits"

	"github.com/picaproof/picaproof/pica"
)

// reciprocal is RCP: 0 to inf, inf to 0, NaN to NaN (fp-tests); the quotient is
// rounded to nearest (the console's table is unknown).
func reciprocal(u *arithmetic, a uint32) uint32 {
	n := u.operand(a)
	return u.pack(u.estimated(n, u.inverse(n), 2), nearest)
}

// reciprocalRoot is RSQ: 0 to inf, 1 to 1, negative to NaN, inf to 0, NaN to
// NaN (fp-tests), -0 to inf (3dbrew); rounded to nearest (the console's table is
// unknown).
func reciprocalRoot(u *arithmetic, a uint32) uint32 {
	n := u.operand(a)
	switch {
	case n.class == zero:
		return u.pack(u.inverse(n), nearest)
	case n.class == nan || n.neg:
		return u.quiet
	case n.class == infinite:
		return 0
	}
	if u.knobs[pica.KnobReciprocal] == pica.ReciprocalTwice {
		// The interpreters round the root, then the quotient.
		root := u.round(squareRoot(n), nearest, false)
		return u.pack(u.inverse(u.unpack(root)), nearest)
	}
	return u.pack(u.estimated(n, inverseRoot(n), 4), nearest)
}

// inverse returns 1/n, exact but for a sticky bit.
func (u *arithmetic) inverse(n number) number {
	switch n.class {
	case nan:
		return n
	case infinite:
		return number{class: zero, neg: n.neg}
	case zero:
		return number{class: infinite, neg: n.neg && u.knobs[pica.KnobReciprocalZero] == pica.ReciprocalZeroSigned}
	}
	// sig has at most 24 bits, so the quotient has at least 38.
	const dividend = 1 << 62
	q, rest := dividend/n.sig, dividend%n.sig
	return number{class: finite, neg: n.neg, sig: q | sticky(rest != 0), exp: -62 - n.exp}
}

// squareRoot returns the root of a positive finite number, exact but for a
// sticky bit.
func squareRoot(n number) number {
	n = n.evenExponent(61)
	r := integerRoot(n.sig) // 31 bits
	return number{class: finite, sig: r | sticky(r*r != n.sig), exp: n.exp / 2}
}

// inverseRoot returns 1 over the root of a positive finite number, exact but
// for a sticky bit: with an even exponent 1/sqrt(sig) = 2^-43 * sqrt(2^86/sig),
// and the floor of a root is the root of the floor.
func inverseRoot(n number) number {
	n = n.evenExponent(25)                   // 2^24 <= sig < 2^26
	q, _ := bits.Div64(1<<(86-64), 0, n.sig) // 2^60 < q <= 2^62
	r := integerRoot(q)                      // 31 bits
	hi, lo := bits.Mul64(r*r, n.sig)         // 2^86 when exact
	return number{class: finite, sig: r | sticky(hi != 1<<(86-64) || lo != 0), exp: -43 - n.exp/2}
}

// evenExponent returns the same value with an even exponent and the leading
// bit of sig at position p or p-1.
func (n number) evenExponent(p int) number {
	if n = n.normalised(p); n.exp&1 != 0 {
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
