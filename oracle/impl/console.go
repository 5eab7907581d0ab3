package impl

import (
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// Rules that the console may have: no observation decides, or sources differ. Also the
// conversions of MOVA.

// The limits of a signed byte and of an int32.
const (
	lowestByte, highestByte = -1 << 7, 1<<7 - 1
	lowest, highest         = -1 << 31, 1<<31 - 1
)

// guardBits is the number of bits that an aligned sum keeps below the ULP of the larger operand
// (guess).
const guardBits = 3

// aligned: sums and products are truncated; a sum first drops low bits of the smaller operand.
func aligned(r *oracle.Rules, _ *pica.Profile) {
	r.Unit.Direction = oracle.TowardZero
	before := r.Unit.Ops.Sum
	r.Unit.Ops.Sum = func(u *oracle.Unit, a, b oracle.Number) oracle.Number {
		if a.Class == oracle.Finite && b.Class == oracle.Finite {
			const top = 62 // position of the leading bit
			last := max(a.Normalised(top).Exp, b.Normalised(top).Exp) + top - u.Mantissa - guardBits
			a, b = cutBelow(a, last), cutBelow(b, last)
		}
		return before(u, a, b)
	}
}

// cutBelow drops the bits of a finite number below 2^last.
func cutBelow(n oracle.Number, last int) oracle.Number {
	switch drop := last - n.Exp; {
	case drop <= 0:
		return n
	case drop >= 64 || n.Sig>>drop == 0:
		return oracle.Number{Class: oracle.Zero}
	default:
		n.Sig = n.Sig >> drop << drop
		return n
	}
}

// positiveZero: raw24 -0 is +0 (the 3dbrew table of 2015).
func positiveZero(r *oracle.Rules, _ *pica.Profile) {
	before := r.Unit.Ops.FromRaw24
	r.Unit.Ops.FromRaw24 = func(u *oracle.Unit, x uint32) uint32 {
		if y := before(u, x); !u.IsZero(y) {
			return y
		}
		return 0
	}
}

// signedZeros: arithmetic flushes, but zeros keep their sign.
func signedZeros(r *oracle.Rules, _ *pica.Profile) { r.Unit.Flush, r.Unit.Signs = true, true }

// flushed returns +0 for a zero or subnormal, and other patterns as they are.
func flushed(u *oracle.Unit, x uint32) uint32 {
	if u.Exponent(x) == 0 {
		return 0
	}
	return x
}

// movFlushes: MOV flushes, as arithmetic does.
func movFlushes(r *oracle.Rules, _ *pica.Profile) {
	write := r.Operands.Write
	r.Operands.Write = func(op pica.Opcode, to, v *pica.Vec4, mask uint8) {
		if op == pica.MOV {
			for lane := range v {
				v[lane] = flushed(&r.Unit, v[lane])
			}
		}
		write(op, to, v, mask)
	}
}

// sgeFlushes: SGE, SLT and the flags of LITP flush their operands, as arithmetic does.
func sgeFlushes(r *oracle.Rules, _ *pica.Profile) {
	for _, op := range []*func(u *oracle.Unit, a, b uint32) uint32{&r.Unit.Ops.SGE, &r.Unit.Ops.SLT} {
		before := *op
		*op = func(u *oracle.Unit, a, b uint32) uint32 { return before(u, flushed(u, a), flushed(u, b)) }
	}
}

// litpFlushes: LITP flushes its operand, as arithmetic does.
func litpFlushes(r *oracle.Rules, _ *pica.Profile) {
	before := r.Unit.Ops.Light
	r.Unit.Ops.Light = func(u *oracle.Unit, a pica.Vec4) (pica.Vec4, [2]bool) {
		for lane := range a {
			a[lane] = flushed(u, a[lane])
		}
		return before(u, a)
	}
}

// nanTimesZero: NaN * 0 is +0 (the 3dbrew table of 2015).
func nanTimesZero(r *oracle.Rules, _ *pica.Profile) {
	mul := r.Unit.Ops.Mul
	r.Unit.Ops.Mul = func(u *oracle.Unit, a, b uint32) uint32 {
		x, y := u.Operand(a).Class, u.Operand(b).Class
		if x == oracle.NaN && y == oracle.Zero || x == oracle.Zero && y == oracle.NaN {
			return 0
		}
		return mul(u, a, b)
	}
}

// saturated: a finite result that is too large becomes the largest number.
func saturated(r *oracle.Rules, _ *pica.Profile) {
	round := r.Unit.Ops.Round
	r.Unit.Ops.Round = func(f *oracle.NumberFormat, n oracle.Number, direction oracle.Direction, flush bool) uint32 {
		x := round(f, n, direction, flush)
		if f.IsInf(x) {
			x--
		}
		return x
	}
}

// windowZeros: a float uniform with an offset beyond a byte is zeros (3dbrew).
func windowZeros(r *oracle.Rules, _ *pica.Profile) {
	displace := r.Operands.Displace
	r.Operands.Displace = func(c *oracle.Control, n, index int) int {
		if n >= pica.SourceUniform {
			if offset := c.Offset(index); offset < lowestByte || offset > highestByte {
				return oracle.Zeros
			}
		}
		return displace(c, n, index)
	}
}

// movaFloors: MOVA rounds toward -inf.
func movaFloors(r *oracle.Rules, _ *pica.Profile) {
	movaRounds(r, func(_ int32, neg bool, _ int) bool { return neg })
}

// movaNearest: MOVA rounds to the nearest integer, ties to even.
func movaNearest(r *oracle.Rules, _ *pica.Profile) {
	movaRounds(r, func(whole int32, _ bool, half int) bool { return half > 0 || half == 0 && whole&1 != 0 })
}

// movaRounds rounds a number between two integers away from zero if away returns true,
// else toward zero. whole is the integer toward zero; half is -1, 0 or 1 if the
// fraction is below, equal to or above a half.
func movaRounds(r *oracle.Rules, away func(whole int32, neg bool, half int) bool) {
	truncate := r.Unit.Ops.Integer
	r.Unit.Ops.Integer = func(u *oracle.Unit, a uint32) int32 {
		whole, n := truncate(u, a), u.Unpack(a)
		half, fraction := fractionOf(n)
		if !fraction || whole == lowest || !away(whole, n.Neg, half) {
			return whole
		}
		if n.Neg {
			return whole - 1
		}
		return whole + 1
	}
}

// fractionOf returns -1, 0 or 1 if the fraction of n is below, equal to or above a half.
// ok is false for integers, zero included, infinities and NaN.
func fractionOf(n oracle.Number) (half int, ok bool) {
	if n.Class != oracle.Finite || n.Exp >= 0 {
		return 0, false
	}
	if n.Exp < -63 {
		return -1, true
	}
	rest, middle := n.Sig&(1<<-n.Exp-1), uint64(1)<<(-n.Exp-1)
	switch {
	case rest < middle:
		half = -1
	case rest > middle:
		half = 1
	}
	return half, rest != 0
}

// movaSaturates: a number beyond the int32 becomes the nearest int32, NaN becomes 0 (the
// arm64 compilers of Azahar and Panda3DS).
func movaSaturates(r *oracle.Rules, _ *pica.Profile) { movaClamps(r, lowest, highest) }

// movaBytes: the same for a signed byte (Tanuki3DS; NaN is a guess).
func movaBytes(r *oracle.Rules, _ *pica.Profile) { movaClamps(r, lowestByte, highestByte) }

// movaClamps limits MOVA's integers to the range from least to most; NaN becomes 0.
func movaClamps(r *oracle.Rules, least, most int32) {
	integer := r.Unit.Ops.Integer
	r.Unit.Ops.Integer = func(u *oracle.Unit, a uint32) int32 {
		whole, n := integer(u, a), u.Unpack(a)
		switch {
		case n.Class == oracle.NaN:
			return 0
		case whole == lowest && !n.Neg:
			return most
		}
		return min(max(whole, least), most)
	}
}

// wideLoopID: LOOP names one of i0 to i7, and i4 to i7 are zero.
func wideLoopID(r *oracle.Rules, _ *pica.Profile) { r.Encoding.Int.Width = 3 }

// byteAL: aL has eight bits, so a step wraps from 255 to 0.
func byteAL(r *oracle.Rules, _ *pica.Profile) {
	step := r.Flow.StepAL
	r.Flow.StepAL = func(c *oracle.Control, e *pica.LoopEntry) {
		step(c, e)
		c.AL &= 0xFF
	}
}

// noVertex3: an EMIT with vertex id 3 stores no vertex.
func noVertex3(r *oracle.Rules, _ *pica.Profile) { r.Emission.NoSlot = func(*oracle.Control) {} }
