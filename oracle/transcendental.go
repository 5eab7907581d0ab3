package oracle

import "math/bits"

// This file states EX2 and LG2. The console's tables for them are unknown, so finite results
// are correctly rounded, with fixed-point arithmetic and proofs of the errors.

// A fixed is a fixed-point number below 2 with 127 fraction bits: the value is
// (hi*2^64 + lo) / 2^127. It is at least 1, except for the operand of rootOfDouble, which is
// half a radicand.
type fixed struct{ hi, lo uint64 }

var fixedOne = fixed{hi: 1 << 63}

// multiply returns the top 192 of the 256 bits of a*b.
func multiply(a, b fixed) (hi, lo, under uint64) {
	hh, hl := bits.Mul64(a.hi, b.hi)
	xh, xl := bits.Mul64(a.hi, b.lo)
	yh, yl := bits.Mul64(a.lo, b.hi)
	zh, _ := bits.Mul64(a.lo, b.lo)
	var c uint64
	under, c = bits.Add64(xl, yl, 0)
	lo, hi = c, hh
	under, c = bits.Add64(under, zh, 0)
	lo += c
	lo, c = bits.Add64(lo, hl, 0)
	hi += c
	lo, c = bits.Add64(lo, xh, 0)
	hi += c
	lo, c = bits.Add64(lo, yh, 0)
	hi += c
	return hi, lo, under
}

// times returns a*b cut to 127 fraction bits; the product must be below 2.
func (a fixed) times(b fixed) fixed {
	hi, lo, under := multiply(a, b)
	return fixed{hi<<1 | lo>>63, lo<<1 | under>>63}
}

// squared returns a*a cut to 127 fraction bits, halved if it is 2 or more.
func (a fixed) squared() (b fixed, halved bool) {
	hi, lo, under := multiply(a, a)
	if hi>>63 != 0 {
		return fixed{hi, lo}, true
	}
	return fixed{hi<<1 | lo>>63, lo<<1 | under>>63}, false
}

// expBits is the number of fraction bits that exp2 takes from its operand.
const expBits = 53

// powers[i], from 1 on, is 2^(2^-i), cut: the square root of powers[i-1]. The relative error of
// an entry is at most half the previous error plus 2^-126 (the radicand and the root
// are cut), so below 2^-125.
var powers = func() (t [expBits + 1]fixed) {
	half := fixedOne // half of the radicand; the first radicand is 2
	for i := 1; i <= expBits; i++ {
		t[i] = rootOfDouble(half)
		half = fixed{t[i].hi >> 1, t[i].hi<<63 | t[i].lo>>1}
	}
	return t
}()

// rootOfDouble returns the square root of twice x, 1/2 <= x <= 1, cut to 127
// fraction bits, bit by bit.
func rootOfDouble(x fixed) fixed {
	r := fixedOne
	for i := 126; i >= 0; i-- {
		t := r
		if i >= 64 {
			t.hi |= 1 << (i - 64)
		} else {
			t.lo |= 1 << i
		}
		// hi and lo count units of 2^-126, x counts 2^-127: so x as it stands is twice x there.
		hi, lo, under := multiply(t, t)
		if hi < x.hi || (hi == x.hi && (lo < x.lo || (lo == x.lo && under == 0))) {
			r = t
		}
	}
	return r
}

// exp2 is EX2: 2 to the operand, rounded to nearest; 0 for -inf (fp-tests), inf for inf and
// 1 for zeros (all interpreters).
//
// 2^x = 2^i * 2^f with i the floor of x and f a fraction of 53 bits; 2^f is the
// product of powers[k] over the bits k of f. There are at most 53 factors with
// relative errors below 2^-125, and each multiplication adds one below 2^-127. The
// sum is below 2^-118, always downward: 2^-94 ULP of a float32. The result closest
// to a midpoint is 1.2e-7 ULP away in float24 and 2^-35 ULP in float32 (operand
// B52D1F9A; TestClosest32).
func exp2(u *Unit, a uint32) uint32 {
	n := u.Operand(a)
	switch {
	case n.Class == NaN:
		return u.Quiet
	case n.Class == Infinite && n.Neg:
		return 0
	case n.Class == Infinite:
		return u.Infinity
	case n.Class == Zero:
		return u.One
	}
	switch k := n.Exp + bits.Len64(n.Sig) - 1; { // 2^k <= |x| < 2^(k+1)
	case k < -30:
		return u.One // |2^x - 1| < 2^-30
	case k >= 10:
		n.Sig, n.Exp = 1, 9 // |x| = 512 gives the same result: too large, or rounded to 0
	}
	// 2^-30 <= |x| < 2^10, and the significand has at most 24 bits: x has at most 53 fraction
	// bits and 10 integer bits.
	x := int64(shift(n.Sig, -(n.Exp + expBits)))
	if n.Neg {
		x = -x
	}
	i, f := x>>expBits, x&(1<<expBits-1)
	y := fixedOne
	for k := 1; k <= expBits; k++ {
		if f>>(expBits-k)&1 != 0 {
			y = y.times(powers[k])
		}
	}
	return u.Pack(Number{Class: Finite, Sig: y.hi | sticky(f != 0), Exp: int(i) - 63}, Nearest)
}

// log2 is LG2: the binary logarithm, rounded to nearest; NaN for negative operands and -inf
// for zero (fp-tests), inf for inf (all interpreters).
//
// The logarithm of y in [1, 2) is computed bit by bit: squaring y doubles its
// logarithm, so the next bit is 1 if the square is at least 2. The k-th square is
// cut, with a relative error below 2^-127; this moves the logarithm of the operand by
// less than 2^-(126+k), and all squares together by less than 2^-126. The 80 bits are
// then at most 2^-80 + 2^-126 below the true logarithm, which is irrational unless
// the operand is a power of two. Compare this error with the distance of the closest
// result to a midpoint (TestClosest32):
//
//	format   operands   smallest ULP  error in ULP  closest in ULP
//	float24  all        2^-33         2^-47         5.7e-7
//	float32  1/2 to 2   2^-47         2^-33         2^-25
//	float32  others     2^-23         2^-57         2^-28
func log2(u *Unit, a uint32) uint32 {
	n := u.Operand(a)
	switch {
	case n.Class == Zero:
		return u.Infinity | u.Sign
	case n.Class == NaN || n.Neg:
		return u.Quiet
	case n.Class == Infinite:
		return u.Infinity
	}
	n = n.Normalised(63)
	y, inexact := fixed{hi: n.Sig}, n.Sig != 1<<63
	// The sum of the exponent and the 80 bits, as a 128-bit integer in units of 2^-80.
	e := int64(n.Exp + 63)
	hi, lo := uint64(e>>63), uint64(e)
	for range 80 {
		hi, lo = hi<<1|lo>>63, lo<<1
		var halved bool
		if y, halved = y.squared(); halved {
			lo |= 1
		}
	}
	neg := int64(hi) < 0
	switch {
	case neg && inexact:
		hi, lo = ^hi, ^lo // -(v + rest) = (-v - 1) + (1 - rest)
	case neg:
		var borrow uint64
		lo, borrow = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, borrow)
	case hi|lo == 0 && !inexact:
		return 0
	}
	s := bits.Len64(hi)
	sig := shift(lo, s)
	if s > 0 {
		sig |= hi << (64 - s)
	}
	return u.Pack(Number{Class: Finite, Neg: neg, Sig: sig | sticky(inexact), Exp: s - 80}, Nearest)
}
