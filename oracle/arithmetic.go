package oracle

import (
	"math/bits"

	"github.com/picaproof/picaproof/pica"
)

// This file states the arithmetic: the result of each instruction for one lane, or for a
// vector if the lanes are not computed alike. The results for infinities and NaN come from
// fp-tests or, where fp-tests has no case, from IEEE 754, which all emulators follow.
//
// 3dbrew says that there is no -0; no test confirms it. A unit that flushes therefore computes
// with +0 instead of -0, and never computes -0, unless it keeps signs. A unit that does not
// flush has the signed zeros of IEEE 754.

// Operand unpacks an operand of an instruction that computes, and flushes it if the unit
// flushes. The comment of [Unit] lists the instructions that take operands as they are.
func (u *Unit) Operand(x uint32) Number {
	if u.Flush && u.Exponent(x) == 0 {
		return Number{Class: Zero, Neg: u.Signs && x&u.Sign != 0} // T. Karras on 3dbrew
	}
	return u.Unpack(x)
}

// Result packs a sum or a product, rounded in the direction of the unit. The console's
// direction is unknown.
func (u *Unit) Result(n Number) uint32 { return u.Pack(n, u.Direction) }

// Pack returns the pattern of a number. It rounds a finite number, and flushes a subnormal
// result if the unit flushes (T. Karras on 3dbrew: 1.0 halved 63 times is 0).
func (u *Unit) Pack(n Number, direction Direction) uint32 {
	switch n.Class {
	case NaN:
		return u.Quiet // the only NaN; in all emulators the host decides the payload
	case Infinite:
		return u.Signed(u.Infinity, n.Neg)
	case Zero:
		return u.Signed(0, n.Neg && (u.Signs || !u.Flush))
	}
	return u.Signed(u.Ops.Round(&u.NumberFormat, n, direction, u.Flush), n.Neg && u.Signs)
}

// negate flips the sign bit, of zeros and NaN too (Azahar, Panda3DS, Citra; unknown
// on the console for zeros).
func negate(u *Unit, a uint32) uint32 { return a ^ u.Sign }

// add is ADD, rounded once.
func add(u *Unit, a, b uint32) uint32 { return u.Result(u.Ops.Sum(u, u.Operand(a), u.Operand(b))) }

func sum(_ *Unit, a, b Number) Number { return Sum(a, b) }

// Sum returns a + b, exact except for the sticky bit; see [Number]. Significands of operands
// have at most 48 bits.
func Sum(a, b Number) Number {
	switch {
	case a.Class == NaN || b.Class == NaN:
		return Number{Class: NaN}
	case a.Class == Infinite && b.Class == Infinite && a.Neg != b.Neg:
		return Number{Class: NaN} // inf - inf (fp-tests)
	case a.Class == Infinite:
		return a
	case b.Class == Infinite:
		return b
	case a.Class == Zero && b.Class == Zero:
		return Number{Class: Zero, Neg: a.Neg && b.Neg} // -0 only for -0 + -0 (IEEE 754, all emulators)
	case a.Class == Zero:
		return b
	case b.Class == Zero:
		return a
	}
	// The leading bits go to position 62, so that a carry fits. At least 15 zeros
	// follow the significand, so alignment loses bits only if the exponents differ by
	// 16 or more; a subtraction then cancels at most one bit.
	a, b = a.Normalised(62), b.Normalised(62)
	if a.Exp < b.Exp || (a.Exp == b.Exp && a.Sig < b.Sig) {
		a, b = b, a
	}
	b.Sig = shift(b.Sig, a.Exp-b.Exp)
	s := Number{Class: Finite, Neg: a.Neg, Exp: a.Exp, Sig: a.Sig + b.Sig}
	if a.Neg != b.Neg {
		s.Sig = a.Sig - b.Sig
	}
	if s.Sig == 0 {
		return Number{Class: Zero} // x - x is +0 (IEEE 754, all emulators)
	}
	return s
}

// mul is MUL, rounded once.
func mul(u *Unit, a, b uint32) uint32 { return u.Result(Product(u.Operand(a), u.Operand(b))) }

// Product returns a * b, exact: significands of operands have at most 24 bits.
func Product(a, b Number) Number {
	neg := a.Neg != b.Neg
	switch {
	case a.Class == NaN || b.Class == NaN:
		return Number{Class: NaN} // NaN * 0 too (fp-tests; the 3dbrew table of 2015 disagrees)
	case a.Class == Infinite && b.Class == Zero, a.Class == Zero && b.Class == Infinite:
		return Number{Class: Zero} // +0 (fp-tests, in MAD and dot products too)
	case a.Class == Infinite || b.Class == Infinite:
		return Number{Class: Infinite, Neg: neg}
	case a.Class == Zero || b.Class == Zero:
		return Number{Class: Zero, Neg: neg} // signed (all emulators but Mikage)
	}
	return Number{Class: Finite, Neg: neg, Sig: a.Sig * b.Sig, Exp: a.Exp + b.Exp}
}

// mad rounds the product, then the sum (all emulators but the compilers of
// Panda3DS; unknown on the console).
func mad(u *Unit, a, b, c uint32) uint32 { return u.Ops.Add(u, u.Ops.Mul(u, a, b), c) }

// dot is DP3 and DP4: it adds the products of the lanes from the left and rounds after
// each step (Panda3DS's interpreter; the order is unknown on the console).
func dot(u *Unit, a, b pica.Vec4, terms int) uint32 {
	s := u.Ops.Mul(u, a[0], b[0])
	for i := 1; i < terms; i++ {
		s = u.Ops.Add(u, s, u.Ops.Mul(u, a[i], b[i]))
	}
	return s
}

// dph is DPH and DPHI: DP4 with w of the first operand counting as 1 (aroulin on a
// console).
func dph(u *Unit, a, b pica.Vec4) uint32 {
	a[3] = u.One
	return u.Ops.Dot(u, a, b, 4)
}

// distance is DST and DSTI, the distance vector of vs_3_0 (T. Karras on picasso).
func distance(u *Unit, a, b pica.Vec4) pica.Vec4 {
	return pica.Vec4{u.One, u.Ops.Mul(u, a[1], b[1]), a[2], b[3]}
}

// Relation is the outcome of a numeric comparison.
type Relation uint8

// The relations; NaN is unordered with everything.
const (
	Equal Relation = iota
	Below
	Above
	Unordered
)

// Relate compares two patterns by value. Subnormals are not flushed (T. Karras on 3dbrew,
// for MAX and CMP; a guess for MIN, SGE, SLT and LITP), -0 equals +0 (IEEE 754, all
// emulators).
func (f *NumberFormat) Relate(a, b uint32) Relation {
	switch x, y := f.key(a), f.key(b); {
	case f.IsNaN(a) || f.IsNaN(b):
		return Unordered
	case x < y:
		return Below
	case x > y:
		return Above
	}
	return Equal
}

// key maps patterns to integers in the order of their values.
func (f *NumberFormat) key(x uint32) int64 {
	magnitude := int64(x &^ f.Sign)
	if x&f.Sign != 0 {
		return -magnitude
	}
	return magnitude
}

// maximum is MAX, a > b ? a : b: it returns b on NaN (fp-tests) and on equal zeros (all
// interpreters), and 0 for 0 and -inf (fp-tests; the 3dbrew table of 2015 disagrees).
func maximum(u *Unit, a, b uint32) uint32 {
	if u.Relate(a, b) == Above {
		return a
	}
	return b
}

// minimum is MIN, a < b ? a : b: it returns b on NaN (fp-tests) and on equal zeros (all
// interpreters).
func minimum(u *Unit, a, b uint32) uint32 {
	if u.Relate(a, b) == Below {
		return a
	}
	return b
}

// greaterOrEqual is SGE and SGEI, 0 on NaN (fp-tests).
func greaterOrEqual(u *Unit, a, b uint32) uint32 {
	r := u.Relate(a, b)
	return u.truth(r == Above || r == Equal)
}

// less is SLT and SLTI, 0 on NaN (fp-tests).
func less(u *Unit, a, b uint32) uint32 { return u.truth(u.Relate(a, b) == Below) }

// truth returns 1.0 or +0, the results of SGE and SLT.
func (u *Unit) truth(b bool) uint32 {
	if b {
		return u.One
	}
	return 0
}

// floor is FLR: the greatest integer that is not above the operand. So -0.1 becomes -1
// (fp-tests), and so does a negative subnormal, unless it is flushed. Infinities keep their
// sign, and zeros unless flushed (all emulators); a number between 0 and 1 becomes +0.
func floor(u *Unit, a uint32) uint32 {
	n := u.Operand(a)
	if n.Class != Finite || n.Exp >= 0 {
		return u.Pack(n, Nearest)
	}
	whole := n.Sig >> -n.Exp
	if n.Neg && whole<<-n.Exp != n.Sig {
		whole++ // away from zero, which is down
	}
	if whole == 0 {
		return 0
	}
	return u.Pack(Number{Class: Finite, Neg: n.Neg, Sig: whole}, Nearest)
}

// Broadcast returns (x, x, x, x).
func Broadcast(x uint32) pica.Vec4 { return pica.Vec4{x, x, x, x} }

// scalar is RCP, RSQ, EX2 and LG2 of a vector: it applies f to lane x and broadcasts the
// result (aroulin on a console).
func scalar(c *Control, f func(u *Unit, a uint32) uint32, a *pica.Vec4) pica.Vec4 {
	return Broadcast(f(&c.Rules.Unit, a[0]))
}

// integer is MOVA of one lane, toward zero (all emulators). NaN, infinities and numbers
// that an int32 cannot hold become the lowest int32 (all emulators on x86). Both are
// unknown on the console.
func integer(u *Unit, a uint32) int32 {
	const lowest = -1 << 31
	n := u.Unpack(a)
	switch {
	case n.Class == Zero:
		return 0
	case n.Class != Finite || n.Exp+bits.Len64(n.Sig) > 31:
		return lowest
	}
	whole := int32(n.Sig << max(n.Exp, 0) >> max(-n.Exp, 0))
	if n.Neg {
		return -whole
	}
	return whole
}

// compare is CMP of one lane. An ordered comparison of NaN is false (all emulators on x86;
// unknown on the console). The operators 6 and 7 are true (3dbrew).
func compare(u *Unit, op uint32, a, b uint32) bool {
	r := u.Relate(a, b)
	switch op {
	case pica.CmpEQ:
		return r == Equal
	case pica.CmpNE:
		return r != Equal // true on NaN (all emulators)
	case pica.CmpLT:
		return r == Below
	case pica.CmpLE:
		return r == Below || r == Equal
	case pica.CmpGT:
		return r == Above
	case pica.CmpGE:
		return r == Above || r == Equal
	}
	return true
}

// LITPLimit returns 127.99609375 = 2^7 - 2^-8, the limit of LITP. Just below 2^7 one ULP is
// 2^(6-Mantissa). Panda3DS writes 127.9961, which truncates to this float24.
func (f *NumberFormat) LITPLimit() uint32 { return f.One + 7<<f.Mantissa - 1<<(f.Mantissa-14) }

// light is LITP: it clamps x and w at 0, y at plus and minus the limit, sets z to 0, and sets
// the flags x >= 0 and w >= 0 (T. Karras; console photo on a Panda3DS pull request). The
// results for NaN and -0 are a guess.
func light(u *Unit, a pica.Vec4) (pica.Vec4, [2]bool) {
	limit := u.LITPLimit()
	x, w := u.Ops.Max(u, a[0], 0), u.Ops.Max(u, a[3], 0)
	y := u.Ops.Min(u, u.Ops.Max(u, a[1], u.Sign|limit), limit)
	return pica.Vec4{x, y, 0, w}, [2]bool{u.Ops.SGE(u, a[0], 0) != 0, u.Ops.SGE(u, a[3], 0) != 0}
}
