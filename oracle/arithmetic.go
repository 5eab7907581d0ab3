package oracle

import (
	"math/bits"

	"github.com/picaproof/picaproof/pica"
)

// An arithmetic is the arithmetic of one profile: a storage format, the knobs,
// and the operations, which tests replace one at a time.
type arithmetic struct {
	format
	knobs [pica.NumKnobs]pica.Value
	ops   operations
}

// An operations table holds the arithmetic of the instructions. Everything the
// executor computes goes through it, composed operations (MAD, dot products)
// included, so that a test can break one rule and nothing else.
type operations struct {
	Round          func(f *format, n number, mode direction, flush bool) uint32
	Add, Mul       func(u *arithmetic, a, b uint32) uint32
	MAD            func(u *arithmetic, a, b, c uint32) uint32
	Dot            func(u *arithmetic, a, b pica.Vec4, terms int) uint32
	Distance       func(u *arithmetic, a, b pica.Vec4) pica.Vec4
	Max, Min       func(u *arithmetic, a, b uint32) uint32
	SGE, SLT       func(u *arithmetic, a, b uint32) uint32
	Floor          func(u *arithmetic, a uint32) uint32
	Reciprocal     func(u *arithmetic, a uint32) uint32
	ReciprocalRoot func(u *arithmetic, a uint32) uint32
	Exp2, Log2     func(u *arithmetic, a uint32) uint32
	Integer        func(u *arithmetic, a uint32) int32
	Compare        func(u *arithmetic, op uint32, a, b uint32) bool
	Light          func(u *arithmetic, a pica.Vec4) (pica.Vec4, [2]bool)
	Negate         func(u *arithmetic, a uint32) uint32
	FromRaw24      func(u *arithmetic, x uint32) uint32
	FromFloat32    func(u *arithmetic, x uint32) uint32
}

// reference is the table that engines use.
var reference = operations{
	Round: (*format).round,
	Add:   add, Mul: mul, MAD: mad, Dot: dot, Distance: distance,
	Max: maximum, Min: minimum, SGE: greaterOrEqual, SLT: less,
	Floor: floor, Reciprocal: reciprocal, ReciprocalRoot: reciprocalRoot, Exp2: exp2, Log2: log2,
	Integer: integer, Compare: compare, Light: light, Negate: negate,
	FromRaw24: fromRaw24, FromFloat32: fromFloat32,
}

// operand takes an operand of an arithmetic operation apart.
func (u *arithmetic) operand(x uint32) number {
	if u.knobs[pica.KnobFlush] == pica.FlushAll && u.exponent(x) == 0 {
		return number{class: zero} // subnormal inputs count as +0 (3dbrew, T. Karras); -0 too (guess)
	}
	return u.unpack(x)
}

// result packs the result of ADD and MUL.
func (u *arithmetic) result(n number) uint32 {
	switch u.knobs[pica.KnobRound] {
	case pica.RoundRZ, pica.RoundAlign:
		return u.pack(n, towardZero) // suspected of the console (games that clip without it); unknown
	}
	return u.pack(n, nearest)
}

// pack turns a number into bits, rounding a finite one.
func (u *arithmetic) pack(n number, mode direction) uint32 {
	flush := u.knobs[pica.KnobFlush] == pica.FlushAll
	switch n.class {
	case nan:
		return u.quiet
	case infinite:
		return u.signed(u.infinity, n.neg)
	case zero:
		return u.signed(0, n.neg && !flush) // "there is no -0" (3dbrew)
	}
	x := u.ops.Round(&u.format, n, mode, flush)
	if u.knobs[pica.KnobRound] == pica.RoundCut {
		return cut(x)
	}
	return x
}

// cut shortens a float32 to 16 mantissa bits and the range of float24
// (Borked3DS). That sign and NaN survive is a guess.
func cut(x uint32) uint32 {
	const smallest, largest = 0x20800000, 0x5F800000 // 2^-62, 2^64
	sign, magnitude := x&binary32.sign, x&^binary32.sign&^0x7F
	switch {
	case binary32.isNaN(x):
		return binary32.quiet
	case magnitude < smallest:
		return sign
	case magnitude > largest:
		return sign | binary32.infinity
	}
	return sign | magnitude
}

func add(u *arithmetic, a, b uint32) uint32 { return u.result(u.sum(u.operand(a), u.operand(b))) }

func mul(u *arithmetic, a, b uint32) uint32 { return u.result(u.product(u.operand(a), u.operand(b))) }

// mad rounds the product, then the sum (Azahar, Citra, Mikage; unknown on the
// console), or only the sum where the host's fused operation is used (Panda3DS
// x64).
func mad(u *arithmetic, a, b, c uint32) uint32 {
	if u.knobs[pica.KnobMAD] == pica.MADFused {
		return u.result(u.sum(u.product(u.operand(a), u.operand(b)), u.operand(c)))
	}
	return u.ops.Add(u, u.ops.Mul(u, a, b), c)
}

// product is exact: 24 by 24 bits fit.
func (u *arithmetic) product(a, b number) number {
	neg := a.neg != b.neg
	switch {
	case a.class == nan && b.class == zero, a.class == zero && b.class == nan:
		if u.knobs[pica.KnobNaNZero] == pica.NaNZeroZero {
			return number{class: zero} // the 3dbrew table of 2015
		}
		return number{class: nan} // fp-tests
	case a.class == nan || b.class == nan:
		return number{class: nan}
	case a.class == infinite && b.class == zero, a.class == zero && b.class == infinite:
		if u.knobs[pica.KnobZeroInf] == pica.ZeroInfNaN {
			return number{class: nan} // IEEE (Panda3DS x64)
		}
		return number{class: zero} // fp-tests
	case a.class == infinite || b.class == infinite:
		return number{class: infinite, neg: neg}
	case a.class == zero || b.class == zero:
		if u.knobs[pica.KnobZeroInf] == pica.ZeroInfPositive {
			return number{class: zero} // Mikage
		}
		return number{class: zero, neg: neg}
	}
	return number{class: finite, neg: neg, sig: a.sig * b.sig, exp: a.exp + b.exp}
}

// sum is exact but for a sticky bit.
func (u *arithmetic) sum(a, b number) number {
	switch {
	case a.class == nan || b.class == nan:
		return number{class: nan}
	case a.class == infinite && b.class == infinite && a.neg != b.neg:
		return number{class: nan} // fp-tests
	case a.class == infinite:
		return a
	case b.class == infinite:
		return b
	case a.class == zero && b.class == zero:
		return number{class: zero, neg: a.neg && b.neg}
	case a.class == zero:
		return b
	case b.class == zero:
		return a
	}
	// The leading bits go to position 62, so that a carry fits. A product has at
	// most 48 bits, so 14 zeros follow and aligning loses bits only where the
	// exponents differ by more than that; a difference then cancels at most one bit.
	a, b = a.normalised(62), b.normalised(62)
	if a.exp < b.exp || a.exp == b.exp && a.sig < b.sig {
		a, b = b, a
	}
	b.sig = shift(b.sig, a.exp-b.exp)
	if u.knobs[pica.KnobRound] == pica.RoundAlign {
		drop := 62 - u.mantissa - guardBits
		a.sig, b.sig = a.sig>>drop<<drop, b.sig>>drop<<drop
	}
	s := number{class: finite, neg: a.neg, exp: a.exp, sig: a.sig + b.sig}
	if a.neg != b.neg {
		s.sig = a.sig - b.sig
	}
	if s.sig == 0 {
		return number{class: zero} // x - x is +0
	}
	return s
}

// guardBits is how many bits below the larger operand's last one take part in
// a sum under RoundAlign (guess).
const guardBits = 3

// normalised returns the same value with the leading bit of sig at position p.
func (n number) normalised(p int) number {
	s := p + 1 - bits.Len64(n.sig)
	n.sig, n.exp = shift(n.sig, -s), n.exp-s
	return n
}

// dot sums the first terms products, 3 or 4, in the profile's order.
func dot(u *arithmetic, a, b pica.Vec4, terms int) uint32 {
	var p pica.Vec4 // of three terms the fourth is +0
	for i := range terms {
		p[i] = u.ops.Mul(u, a[i], b[i])
	}
	order := u.knobs[pica.KnobDot]
	if order == pica.DotPairwise || order == pica.DotMixed && terms == 4 {
		return u.ops.Add(u, u.ops.Add(u, p[0], p[1]), u.ops.Add(u, p[2], p[3])) // Azahar and Panda3DS x64
	}
	s := p[0]
	if order == pica.DotSeeded {
		s = u.ops.Add(u, 0, s) // Azahar, Citra and Mikage start from +0
	}
	for _, x := range p[1:terms] {
		s = u.ops.Add(u, s, x) // order unknown on the console
	}
	return s
}

// distance is DST, the distance vector of vs_3_0 (T. Karras on picasso).
func distance(u *arithmetic, a, b pica.Vec4) pica.Vec4 {
	return pica.Vec4{u.one, u.ops.Mul(u, a[1], b[1]), a[2], b[3]}
}

// relation is the outcome of a numeric comparison.
type relation uint8

const (
	equal relation = iota
	below
	above
	unordered
)

// relate compares two patterns by value. Subnormals are not flushed (3dbrew,
// T. Karras, for MAX and CMP), -0 equals +0.
func (f *format) relate(a, b uint32) relation {
	switch x, y := f.key(a), f.key(b); {
	case f.isNaN(a) || f.isNaN(b):
		return unordered
	case x < y:
		return below
	case x > y:
		return above
	}
	return equal
}

// key maps patterns to integers in the order of their values.
func (f *format) key(x uint32) int64 {
	magnitude := int64(x &^ f.sign)
	if x&f.sign != 0 {
		return -magnitude
	}
	return magnitude
}

// maximum returns b on NaN and on equal zeros (fp-tests).
func maximum(u *arithmetic, a, b uint32) uint32 {
	if u.knobs[pica.KnobMax] == pica.MaxInfB && u.isInf(b) {
		return b // Panda3DS, after the 3dbrew table of 2015
	}
	if u.relate(a, b) == above {
		return a
	}
	return b
}

// minimum returns b on NaN and on equal zeros (fp-tests).
func minimum(u *arithmetic, a, b uint32) uint32 {
	if u.relate(a, b) == below {
		return a
	}
	return b
}

// greaterOrEqual is 0 on NaN (fp-tests).
func greaterOrEqual(u *arithmetic, a, b uint32) uint32 {
	r := u.relate(a, b)
	return u.truth(r == above || r == equal)
}

// less is 0 on NaN (fp-tests).
func less(u *arithmetic, a, b uint32) uint32 { return u.truth(u.relate(a, b) == below) }

func (u *arithmetic) truth(b bool) uint32 {
	if b {
		return u.one
	}
	return 0
}

// compare applies a comparison operator of CMP. The operators 6 and 7 are
// "true" (3dbrew); keeping the flag is up to the caller.
func compare(u *arithmetic, op uint32, a, b uint32) bool {
	r := u.relate(a, b)
	switch op {
	case pica.CmpEQ:
		return r == equal
	case pica.CmpNE:
		return r != equal // true on NaN
	case pica.CmpLT:
		return r == below
	case pica.CmpLE:
		return r == below || r == equal
	case pica.CmpGT:
		return r == above
	case pica.CmpGE:
		return r == above || r == equal
	}
	return true
}

// floor keeps infinities and zeros; -flr(-0.1) is 1 (fp-tests).
func floor(u *arithmetic, a uint32) uint32 {
	n := u.operand(a)
	if n.class != finite || n.exp >= 0 {
		return u.pack(n, nearest)
	}
	whole := n.sig >> -n.exp
	if n.neg && whole<<-n.exp != n.sig {
		whole++ // a fraction was cut off
	}
	if whole == 0 {
		return 0
	}
	return u.pack(number{class: finite, neg: n.neg, sig: whole}, nearest)
}

// integer is MOVA's conversion: toward zero, the most negative integer for
// what does not fit (all interpreters on x86; unknown on the console).
func integer(u *arithmetic, a uint32) int32 {
	const none = -1 << 31
	n := u.unpack(a)
	switch {
	case n.class == zero:
		return 0
	case n.class != finite || n.exp+bits.Len64(n.sig) > 31:
		return none
	}
	whole := int32(n.sig << max(n.exp, 0) >> max(-n.exp, 0))
	if n.neg {
		return -whole
	}
	return whole
}

// light is LITP: it only clamps and sets the flags (T. Karras; console photo on
// a Panda3DS pull request). What NaN and -0 do is a guess.
func light(u *arithmetic, a pica.Vec4) (pica.Vec4, [2]bool) {
	flags := [2]bool{u.ops.SGE(u, a[0], 0) != 0, u.ops.SGE(u, a[3], 0) != 0}
	if u.knobs[pica.KnobLITP] == pica.LITPPass {
		return pica.Vec4{u.between(a[0], 0, u.infinity), u.between(a[1], u.sign|u.loose, u.loose), 0, u.between(a[3], 0, u.infinity)}, flags
	}
	y := u.ops.Min(u, u.ops.Max(u, a[1], u.sign|u.clamp), u.clamp)
	return pica.Vec4{u.ops.Max(u, a[0], 0), y, 0, u.ops.Max(u, a[3], 0)}, flags
}

// between clamps x and lets what compares with neither limit pass.
func (u *arithmetic) between(x, low, high uint32) uint32 {
	switch {
	case u.relate(x, low) == below:
		return low
	case u.relate(x, high) == above:
		return high
	}
	return x
}

// negate is the descriptor's negate bit.
func negate(u *arithmetic, a uint32) uint32 {
	if u.knobs[pica.KnobNegate] == pica.NegateMultiply {
		return u.ops.Mul(u, a, u.one|u.sign) // Mikage
	}
	return a ^ u.sign // Azahar, Panda3DS, Citra; unknown on the console for zeros
}
