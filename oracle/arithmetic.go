package oracle

import (
	"math/bits"

	"github.com/picaproof/picaproof/pica"
)

// A Unit is the arithmetic of one profile: the format of its registers, the
// knobs, and the operations.
type Unit struct {
	Format
	Knobs [pica.NumKnobs]pica.Value
	Ops   Arithmetic
}

// With returns the unit with a knob changed.
func (u *Unit) With(k pica.Knob, v pica.Value) *Unit {
	w := *u
	w.Knobs[k] = v
	return &w
}

// arithmetic is the table of the oracle itself.
var arithmetic = Arithmetic{
	Round: (*Format).Round,
	Add:   add, Mul: mul, MAD: mad, Dot: dot, DPH: dph, Distance: distance, Scalar: scalar,
	Max: maximum, Min: minimum, SGE: greaterOrEqual, SLT: less,
	Floor: floor, Reciprocal: reciprocal, ReciprocalRoot: reciprocalRoot, Exp2: exp2, Log2: log2,
	Integer: integer, Compare: compare, Light: light, Negate: negate,
	FromRaw24: fromRaw24, FromFloat32: fromFloat32,
}

// Operand takes an operand of an arithmetic operation apart.
func (u *Unit) Operand(x uint32) Number {
	if u.Knobs[pica.KnobFlush] == pica.FlushAll && u.Exponent(x) == 0 {
		return Number{Class: Zero} // subnormal inputs count as +0 (3dbrew, T. Karras); -0 too (guess)
	}
	return u.Unpack(x)
}

// result packs the result of ADD and MUL.
func (u *Unit) result(n Number) uint32 {
	switch u.Knobs[pica.KnobRound] {
	case pica.RoundRZ, pica.RoundAlign:
		return u.Pack(n, TowardZero) // suspected of the console (games that clip without it); unknown
	}
	return u.Pack(n, Nearest)
}

// Pack turns a number into bits, rounding a finite one.
func (u *Unit) Pack(n Number, mode Direction) uint32 {
	flush := u.Knobs[pica.KnobFlush] == pica.FlushAll
	switch n.Class {
	case NaN:
		return u.Quiet
	case Infinite:
		return u.Signed(u.Infinity, n.Neg)
	case Zero:
		return u.Signed(0, n.Neg && !flush) // "there is no -0" (3dbrew)
	}
	x := u.Ops.Round(&u.Format, n, mode, flush)
	if u.Knobs[pica.KnobRound] == pica.RoundCut {
		return cut(x)
	}
	return x
}

// cut shortens a float32 to 16 mantissa bits and the range of float24
// (Borked3DS). That sign and NaN survive is a guess.
func cut(x uint32) uint32 {
	const smallest, largest = 0x20800000, 0x5F800000 // 2^-62, 2^64
	sign, magnitude := x&Binary32.Sign, x&^Binary32.Sign&^0x7F
	switch {
	case Binary32.IsNaN(x):
		return Binary32.Quiet
	case magnitude < smallest:
		return sign
	case magnitude > largest:
		return sign | Binary32.Infinity
	}
	return sign | magnitude
}

func add(u *Unit, a, b uint32) uint32 { return u.result(u.sum(u.Operand(a), u.Operand(b))) }

func mul(u *Unit, a, b uint32) uint32 { return u.result(u.product(u.Operand(a), u.Operand(b))) }

// mad rounds the product, then the sum (Azahar, Citra, Mikage; unknown on the
// console), or only the sum where the host's fused operation is used (Panda3DS
// x64).
func mad(u *Unit, a, b, c uint32) uint32 {
	if u.Knobs[pica.KnobMAD] == pica.MADFused {
		return u.result(u.sum(u.product(u.Operand(a), u.Operand(b)), u.Operand(c)))
	}
	return u.Ops.Add(u, u.Ops.Mul(u, a, b), c)
}

// product is exact: 24 by 24 bits fit.
func (u *Unit) product(a, b Number) Number {
	neg := a.Neg != b.Neg
	switch {
	case a.Class == NaN && b.Class == Zero, a.Class == Zero && b.Class == NaN:
		if u.Knobs[pica.KnobNaNZero] == pica.NaNZeroZero {
			return Number{Class: Zero} // the 3dbrew table of 2015
		}
		return Number{Class: NaN} // fp-tests
	case a.Class == NaN || b.Class == NaN:
		return Number{Class: NaN}
	case a.Class == Infinite && b.Class == Zero, a.Class == Zero && b.Class == Infinite:
		if u.Knobs[pica.KnobZeroInf] == pica.ZeroInfNaN {
			return Number{Class: NaN} // IEEE (Panda3DS x64)
		}
		return Number{Class: Zero} // fp-tests
	case a.Class == Infinite || b.Class == Infinite:
		return Number{Class: Infinite, Neg: neg}
	case a.Class == Zero || b.Class == Zero:
		if u.Knobs[pica.KnobZeroInf] == pica.ZeroInfPositive {
			return Number{Class: Zero} // Mikage
		}
		return Number{Class: Zero, Neg: neg}
	}
	return Number{Class: Finite, Neg: neg, Sig: a.Sig * b.Sig, Exp: a.Exp + b.Exp}
}

// sum is exact but for a sticky bit.
func (u *Unit) sum(a, b Number) Number {
	switch {
	case a.Class == NaN || b.Class == NaN:
		return Number{Class: NaN}
	case a.Class == Infinite && b.Class == Infinite && a.Neg != b.Neg:
		return Number{Class: NaN} // fp-tests
	case a.Class == Infinite:
		return a
	case b.Class == Infinite:
		return b
	case a.Class == Zero && b.Class == Zero:
		return Number{Class: Zero, Neg: a.Neg && b.Neg}
	case a.Class == Zero:
		return b
	case b.Class == Zero:
		return a
	}
	// The leading bits go to position 62, so that a carry fits. A product has at
	// most 48 bits, so 14 zeros follow and aligning loses bits only where the
	// exponents differ by more than that; a difference then cancels at most one bit.
	a, b = a.normalised(62), b.normalised(62)
	if a.Exp < b.Exp || a.Exp == b.Exp && a.Sig < b.Sig {
		a, b = b, a
	}
	b.Sig = shift(b.Sig, a.Exp-b.Exp)
	if u.Knobs[pica.KnobRound] == pica.RoundAlign {
		drop := 62 - u.mantissa - guardBits
		a.Sig, b.Sig = a.Sig>>drop<<drop, b.Sig>>drop<<drop
	}
	s := Number{Class: Finite, Neg: a.Neg, Exp: a.Exp, Sig: a.Sig + b.Sig}
	if a.Neg != b.Neg {
		s.Sig = a.Sig - b.Sig
	}
	if s.Sig == 0 {
		return Number{Class: Zero} // x - x is +0
	}
	return s
}

// guardBits is how many bits below the larger operand's last one take part in
// a sum under RoundAlign (guess).
const guardBits = 3

// normalised returns the same value with the leading bit of sig at position p.
func (n Number) normalised(p int) Number {
	s := p + 1 - bits.Len64(n.Sig)
	n.Sig, n.Exp = shift(n.Sig, -s), n.Exp-s
	return n
}

// dot sums the first terms products, 3 or 4, in the profile's order.
func dot(u *Unit, a, b pica.Vec4, terms int) uint32 {
	var p pica.Vec4 // of three terms the fourth is +0
	for i := range terms {
		p[i] = u.Ops.Mul(u, a[i], b[i])
	}
	order := u.Knobs[pica.KnobDot]
	if order == pica.DotPairwise || order == pica.DotMixed && terms == 4 {
		return u.Ops.Add(u, u.Ops.Add(u, p[0], p[1]), u.Ops.Add(u, p[2], p[3])) // Azahar and Panda3DS x64
	}
	s := p[0]
	if order == pica.DotSeeded {
		s = u.Ops.Add(u, 0, s) // Azahar, Citra and Mikage start from +0
	}
	for _, x := range p[1:terms] {
		s = u.Ops.Add(u, s, x) // order unknown on the console
	}
	return s
}

// dph is DP4 with the first operand's w counting as 1 (aroulin on a console).
func dph(u *Unit, a, b pica.Vec4) uint32 {
	a[3] = u.One
	return u.Ops.Dot(u, a, b, 4)
}

// scalar computes from the x component and broadcasts (aroulin on a console).
func scalar(u *Unit, f func(u *Unit, a uint32) uint32, a *pica.Vec4) pica.Vec4 {
	return broadcast(f(u, a[0]))
}

// distance is DST, the distance vector of vs_3_0 (T. Karras on picasso).
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

// Relate compares two patterns by value. Subnormals are not flushed (3dbrew,
// T. Karras, for MAX and CMP), -0 equals +0.
func (f *Format) Relate(a, b uint32) Relation {
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
func (f *Format) key(x uint32) int64 {
	magnitude := int64(x &^ f.Sign)
	if x&f.Sign != 0 {
		return -magnitude
	}
	return magnitude
}

// maximum returns b on NaN and on equal zeros (fp-tests).
func maximum(u *Unit, a, b uint32) uint32 {
	if u.Knobs[pica.KnobMax] == pica.MaxInfB && u.IsInf(b) {
		return b // Panda3DS, after the 3dbrew table of 2015
	}
	if u.Relate(a, b) == Above {
		return a
	}
	return b
}

// minimum returns b on NaN and on equal zeros (fp-tests).
func minimum(u *Unit, a, b uint32) uint32 {
	if u.Relate(a, b) == Below {
		return a
	}
	return b
}

// greaterOrEqual is 0 on NaN (fp-tests).
func greaterOrEqual(u *Unit, a, b uint32) uint32 {
	r := u.Relate(a, b)
	return u.truth(r == Above || r == Equal)
}

// less is 0 on NaN (fp-tests).
func less(u *Unit, a, b uint32) uint32 { return u.truth(u.Relate(a, b) == Below) }

func (u *Unit) truth(b bool) uint32 {
	if b {
		return u.One
	}
	return 0
}

// compare applies a comparison operator of CMP. The operators 6 and 7 are
// "true" (3dbrew); keeping the flag is up to the caller.
func compare(u *Unit, op uint32, a, b uint32) bool {
	r := u.Relate(a, b)
	switch op {
	case pica.CmpEQ:
		return r == Equal
	case pica.CmpNE:
		return r != Equal // true on NaN
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

// floor keeps infinities and zeros; -flr(-0.1) is 1 (fp-tests).
func floor(u *Unit, a uint32) uint32 {
	n := u.Operand(a)
	if n.Class != Finite || n.Exp >= 0 {
		return u.Pack(n, Nearest)
	}
	whole := n.Sig >> -n.Exp
	if n.Neg && whole<<-n.Exp != n.Sig {
		whole++ // a fraction was cut off
	}
	if whole == 0 {
		return 0
	}
	return u.Pack(Number{Class: Finite, Neg: n.Neg, Sig: whole}, Nearest)
}

// integer is MOVA's conversion: toward zero, the most negative integer for
// what does not fit (all interpreters on x86; unknown on the console).
func integer(u *Unit, a uint32) int32 {
	const none = -1 << 31
	n := u.Unpack(a)
	switch {
	case n.Class == Zero:
		return 0
	case n.Class != Finite || n.Exp+bits.Len64(n.Sig) > 31:
		return none
	}
	whole := int32(n.Sig << max(n.Exp, 0) >> max(-n.Exp, 0))
	if n.Neg {
		return -whole
	}
	return whole
}

// light is LITP: it only clamps and sets the flags (T. Karras; console photo on
// a Panda3DS pull request). What NaN and -0 do is a guess.
func light(u *Unit, a pica.Vec4) (pica.Vec4, [2]bool) {
	flags := [2]bool{u.Ops.SGE(u, a[0], 0) != 0, u.Ops.SGE(u, a[3], 0) != 0}
	if u.Knobs[pica.KnobLITP] == pica.LITPPass {
		return pica.Vec4{u.between(a[0], 0, u.Infinity), u.between(a[1], u.Sign|u.loose, u.loose), 0, u.between(a[3], 0, u.Infinity)}, flags
	}
	y := u.Ops.Min(u, u.Ops.Max(u, a[1], u.Sign|u.Clamp), u.Clamp)
	return pica.Vec4{u.Ops.Max(u, a[0], 0), y, 0, u.Ops.Max(u, a[3], 0)}, flags
}

// between clamps x and lets what compares with neither limit pass.
func (u *Unit) between(x, low, high uint32) uint32 {
	switch {
	case u.Relate(x, low) == Below:
		return low
	case u.Relate(x, high) == Above:
		return high
	}
	return x
}

// negate is the descriptor's negate bit.
func negate(u *Unit, a uint32) uint32 {
	if u.Knobs[pica.KnobNegate] == pica.NegateMultiply {
		return u.Ops.Mul(u, a, u.One|u.Sign) // Mikage
	}
	return a ^ u.Sign // Azahar, Panda3DS, Citra; unknown on the console for zeros
}
