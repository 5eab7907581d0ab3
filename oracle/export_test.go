package oracle

import (
	"math"
	"math/bits"

	"github.com/picaproof/picaproof/pica"
)

// Unit is the arithmetic of a profile, for tests that compute single results.
type Unit struct{ u arithmetic }

// NewUnit returns the arithmetic of a profile.
func NewUnit(p pica.Profile) *Unit {
	var m Machine
	if err := m.load(&pica.Job{Profile: p}); err != nil {
		panic(err)
	}
	return &Unit{m.unit}
}

// Compute returns the result of one component of an arithmetic instruction.
func (x *Unit) Compute(op pica.Opcode, a, b, c uint32) uint32 {
	u := &x.u
	switch op {
	case pica.ADD:
		return u.ops.Add(u, a, b)
	case pica.MUL:
		return u.ops.Mul(u, a, b)
	case pica.MAD:
		return u.ops.MAD(u, a, b, c)
	case pica.RCP:
		return u.ops.Reciprocal(u, a)
	case pica.RSQ:
		return u.ops.ReciprocalRoot(u, a)
	case pica.EX2:
		return u.ops.Exp2(u, a)
	case pica.LG2:
		return u.ops.Log2(u, a)
	case pica.FLR:
		return u.ops.Floor(u, a)
	}
	panic("not computed here")
}

// A Mutant is the oracle with one rule of its arithmetic broken.
type Mutant struct {
	Name  string
	Spoil func(ops *operations)
}

// New returns the mutant as an engine.
func (m *Mutant) New() pica.Engine {
	e := new(engine)
	e.machine.unit.ops = reference
	m.Spoil(&e.machine.unit.ops)
	return e
}

// flushing returns u with a knob changed.
func (u *arithmetic) with(k pica.Knob, v pica.Value) *arithmetic {
	w := *u
	w.knobs[k] = v
	return &w
}

type (
	unary  = func(u *arithmetic, a uint32) uint32
	binary = func(u *arithmetic, a, b uint32) uint32
)

// swapped exchanges the operands.
func swapped(f binary) binary {
	return func(u *arithmetic, a, b uint32) uint32 { return f(u, b, a) }
}

// knob1 and knob2 run an operation under another setting of a knob.
func knob1(f unary, k pica.Knob, v pica.Value) unary {
	return func(u *arithmetic, a uint32) uint32 { return f(u.with(k, v), a) }
}

func knob2(f binary, k pica.Knob, v pica.Value) binary {
	return func(u *arithmetic, a, b uint32) uint32 { return f(u.with(k, v), a, b) }
}

// when1 and when2 replace the result where a condition on the operands holds.
func when1(f unary, cond func(u *arithmetic, a uint32) bool, r func(u *arithmetic, a uint32) uint32) unary {
	return func(u *arithmetic, a uint32) uint32 {
		if cond(u, a) {
			return r(u, a)
		}
		return f(u, a)
	}
}

func when2(f binary, cond func(u *arithmetic, a, b uint32) bool, r func(u *arithmetic, a, b uint32) uint32) binary {
	return func(u *arithmetic, a, b uint32) uint32 {
		if cond(u, a, b) {
			return r(u, a, b)
		}
		return f(u, a, b)
	}
}

func either(is func(f *format, x uint32) bool) func(u *arithmetic, a, b uint32) bool {
	return func(u *arithmetic, a, b uint32) bool { return is(&u.format, a) || is(&u.format, b) }
}

func isMinusZero(u *arithmetic, a uint32) bool { return a == u.sign }

func negative(u *arithmetic, a uint32) bool {
	return a&u.sign != 0 && !u.isZero(a) && !u.isNaN(a)
}

// rounding replaces the rounding of finite results.
func rounding(f func(f *format, n number, mode direction, flush bool) uint32) func(*operations) {
	return func(ops *operations) { ops.Round = f }
}

// truncated computes f with results cut instead of rounded.
func truncated(f unary) unary {
	return func(u *arithmetic, a uint32) uint32 {
		w := *u
		w.ops.Round = func(f *format, n number, _ direction, flush bool) uint32 { return f.round(n, towardZero, flush) }
		return f(&w, a)
	}
}

// Mutants breaks the rules of the arithmetic one at a time.
var Mutants = []Mutant{
	{"ties go away from zero", rounding(func(f *format, n number, mode direction, flush bool) uint32 {
		if mode == nearest && n.sig&1 == 0 && n.sig < 1<<60 {
			n.sig, n.exp = n.sig<<2|1, n.exp-2
		}
		return f.round(n, mode, flush)
	})},
	{"nearest truncates", rounding(func(f *format, n number, _ direction, flush bool) uint32 { return f.round(n, towardZero, flush) })},
	{"truncation rounds", rounding(func(f *format, n number, _ direction, flush bool) uint32 { return f.round(n, nearest, flush) })},
	{"what is cut off is forgotten", rounding(func(f *format, n number, mode direction, flush bool) uint32 {
		n.sig &^= 1
		if n.sig == 0 {
			n.sig = 1
		}
		return f.round(n, mode, flush)
	})},
	{"rounding twice through float32", rounding(func(f *format, n number, mode direction, flush bool) uint32 {
		if x := binary32.unpack(binary32.round(n, nearest, false)); x.class == finite {
			n = x
		}
		return f.round(n, mode, flush)
	})},
	{"overflow saturates", rounding(func(f *format, n number, mode direction, flush bool) uint32 {
		x := f.round(n, mode, flush)
		if f.isInf(x) {
			x--
		}
		return x
	})},
	{"underflow is gradual", rounding(func(f *format, n number, mode direction, _ bool) uint32 { return f.round(n, mode, false) })},
	{"underflow is abrupt", rounding(func(f *format, n number, mode direction, _ bool) uint32 { return f.round(n, mode, true) })},
	{"underflow loses the sign", rounding(func(f *format, n number, mode direction, flush bool) uint32 {
		if x := f.round(n, mode, flush); !f.isZero(x) {
			return x
		}
		return 0
	})},

	{"inf - inf is inf", func(ops *operations) {
		ops.Add = when2(add, func(u *arithmetic, a, b uint32) bool { return u.isInf(a) && u.isInf(b) }, func(_ *arithmetic, a, _ uint32) uint32 { return a })
	}},
	{"-0 + -0 is +0", func(ops *operations) {
		ops.Add = when2(add, func(u *arithmetic, a, b uint32) bool { return a == u.sign && b == u.sign }, func(*arithmetic, uint32, uint32) uint32 { return 0 })
	}},
	{"x - x is -0", func(ops *operations) {
		ops.Add = when2(add, func(u *arithmetic, a, b uint32) bool { return a^b == u.sign && !u.isInf(a) && !u.isNaN(a) },
			func(u *arithmetic, _, _ uint32) uint32 { return u.sign })
	}},
	{"ADD keeps NaN payloads", func(ops *operations) {
		ops.Add = when2(add, either((*format).isNaN), func(u *arithmetic, a, b uint32) uint32 {
			if u.isNaN(a) {
				return a
			}
			return b
		})
	}},
	{"ADD does not flush", func(ops *operations) { ops.Add = knob2(add, pica.KnobFlush, pica.FlushNone) }},
	{"ADD flushes always", func(ops *operations) { ops.Add = knob2(add, pica.KnobFlush, pica.FlushAll) }},
	{"ADD aligns before it adds", func(ops *operations) { ops.Add = knob2(add, pica.KnobRound, pica.RoundAlign) }},
	{"0 * inf is NaN", func(ops *operations) { ops.Mul = knob2(mul, pica.KnobZeroInf, pica.ZeroInfNaN) }},
	{"NaN * 0 is 0", func(ops *operations) { ops.Mul = knob2(mul, pica.KnobNaNZero, pica.NaNZeroZero) }},
	{"zero products are positive", func(ops *operations) { ops.Mul = knob2(mul, pica.KnobZeroInf, pica.ZeroInfPositive) }},
	{"inf products are positive", func(ops *operations) {
		ops.Mul = func(u *arithmetic, a, b uint32) uint32 {
			if x := mul(u, a, b); !u.isInf(x) {
				return x
			}
			return u.infinity
		}
	}},
	{"MUL does not flush", func(ops *operations) { ops.Mul = knob2(mul, pica.KnobFlush, pica.FlushNone) }},
	{"MAD is fused", func(ops *operations) {
		ops.MAD = func(u *arithmetic, a, b, c uint32) uint32 { return mad(u.with(pica.KnobMAD, pica.MADFused), a, b, c) }
	}},
	{"dot products go pairwise", func(ops *operations) {
		ops.Dot = func(u *arithmetic, a, b pica.Vec4, n int) uint32 {
			return dot(u.with(pica.KnobDot, pica.DotPairwise), a, b, n)
		}
	}},
	{"dot products start from +0", func(ops *operations) {
		ops.Dot = func(u *arithmetic, a, b pica.Vec4, n int) uint32 {
			return dot(u.with(pica.KnobDot, pica.DotSeeded), a, b, n)
		}
	}},
	{"DP3 reads w", func(ops *operations) {
		ops.Dot = func(u *arithmetic, a, b pica.Vec4, _ int) uint32 { return dot(u, a, b, 4) }
	}},
	{"DST exchanges z and w", func(ops *operations) {
		ops.Distance = func(u *arithmetic, a, b pica.Vec4) pica.Vec4 {
			return distance(u, pica.Vec4{a[0], a[1], b[2], a[3]}, pica.Vec4{b[0], b[1], b[2], a[3]})
		}
	}},
	{"DST multiplies x", func(ops *operations) {
		ops.Distance = func(u *arithmetic, a, b pica.Vec4) pica.Vec4 {
			v := distance(u, a, b)
			v[0] = mul(u, a[0], b[0])
			return v
		}
	}},
	{"MAX returns src1 on NaN and equal zeros", func(ops *operations) { ops.Max = swapped(maximum) }},
	{"MIN returns src1 on NaN and equal zeros", func(ops *operations) { ops.Min = swapped(minimum) }},
	{"MAX returns an infinite src2", func(ops *operations) { ops.Max = knob2(maximum, pica.KnobMax, pica.MaxInfB) }},
	{"MAX flushes", func(ops *operations) {
		ops.Max = func(u *arithmetic, a, b uint32) uint32 { return u.pack(u.operand(maximum(u, a, b)), nearest) }
	}},
	{"MAX and MIN exchanged", func(ops *operations) { ops.Max, ops.Min = minimum, maximum }},
	{"SGE is SGT", func(ops *operations) {
		ops.SGE = func(u *arithmetic, a, b uint32) uint32 { return less(u, b, a) }
	}},
	{"SLT is SLE", func(ops *operations) { ops.SLT = swapped(greaterOrEqual) }},
	{"SGE is true on NaN", func(ops *operations) {
		ops.SGE = when2(greaterOrEqual, either((*format).isNaN), func(u *arithmetic, _, _ uint32) uint32 { return u.one })
	}},
	{"SLT is true on NaN", func(ops *operations) {
		ops.SLT = when2(less, either((*format).isNaN), func(u *arithmetic, _, _ uint32) uint32 { return u.one })
	}},
	{"FLR truncates", func(ops *operations) {
		ops.Floor = func(u *arithmetic, a uint32) uint32 {
			if a&u.sign == 0 {
				return floor(u, a)
			}
			return u.signed(floor(u, a&^u.sign), true)
		}
	}},
	{"FLR loses the sign of zero", func(ops *operations) {
		ops.Floor = when1(floor, isMinusZero, func(*arithmetic, uint32) uint32 { return 0 })
	}},
	{"FLR flushes always", func(ops *operations) { ops.Floor = knob1(floor, pica.KnobFlush, pica.FlushAll) }},
	{"RCP of -0 is -inf", func(ops *operations) {
		ops.Reciprocal = knob1(reciprocal, pica.KnobReciprocalZero, pica.ReciprocalZeroSigned)
	}},
	{"RCP truncates", func(ops *operations) { ops.Reciprocal = truncated(reciprocal) }},
	{"RCP of -inf is +0", func(ops *operations) {
		ops.Reciprocal = when1(reciprocal, func(u *arithmetic, a uint32) bool { return u.isInf(a) }, func(*arithmetic, uint32) uint32 { return 0 })
	}},
	{"RSQ of a negative ignores the sign", func(ops *operations) {
		ops.ReciprocalRoot = func(u *arithmetic, a uint32) uint32 { return reciprocalRoot(u, a&^u.sign) }
	}},
	{"RSQ of -0 is -inf", func(ops *operations) {
		ops.ReciprocalRoot = knob1(reciprocalRoot, pica.KnobReciprocalZero, pica.ReciprocalZeroSigned)
	}},
	{"RSQ rounds the root", func(ops *operations) {
		ops.ReciprocalRoot = knob1(reciprocalRoot, pica.KnobReciprocal, pica.ReciprocalTwice)
	}},
	{"RSQ rounds once in float32", func(ops *operations) {
		ops.ReciprocalRoot = knob1(reciprocalRoot, pica.KnobReciprocal, pica.ReciprocalRounded)
	}},
	{"EX2 truncates", func(ops *operations) { ops.Exp2 = truncated(exp2) }},
	{"EX2 of -inf is NaN", func(ops *operations) {
		ops.Exp2 = when1(exp2, func(u *arithmetic, a uint32) bool { return a == u.infinity|u.sign }, func(u *arithmetic, _ uint32) uint32 { return u.quiet })
	}},
	{"LG2 truncates", func(ops *operations) { ops.Log2 = truncated(log2) }},
	{"LG2 of a negative is -inf", func(ops *operations) {
		ops.Log2 = when1(log2, negative, func(u *arithmetic, _ uint32) uint32 { return u.infinity | u.sign })
	}},
	{"LG2 of zero is NaN", func(ops *operations) {
		ops.Log2 = when1(log2, func(u *arithmetic, a uint32) bool { return u.isZero(a) }, func(u *arithmetic, _ uint32) uint32 { return u.quiet })
	}},
	{"MOVA rounds down", func(ops *operations) {
		ops.Integer = func(u *arithmetic, a uint32) int32 { return integer(u, floor(u, a)) }
	}},
	{"MOVA saturates", func(ops *operations) {
		ops.Integer = func(u *arithmetic, a uint32) int32 {
			if x := integer(u, a); x != math.MinInt32 || a&u.sign != 0 {
				return x
			}
			return math.MaxInt32
		}
	}},
	{"MOVA of NaN is 0", func(ops *operations) {
		ops.Integer = func(u *arithmetic, a uint32) int32 {
			if u.isNaN(a) {
				return 0
			}
			return integer(u, a)
		}
	}},
	{"CMP flushes", func(ops *operations) {
		ops.Compare = func(u *arithmetic, op uint32, a, b uint32) bool {
			w := u.with(pica.KnobFlush, pica.FlushAll)
			return compare(u, op, w.pack(w.operand(a), nearest), w.pack(w.operand(b), nearest))
		}
	}},
	{"CMP tells zeros apart", func(ops *operations) {
		ops.Compare = func(u *arithmetic, op uint32, a, b uint32) bool {
			if op == pica.CmpEQ {
				return a == b && !u.isNaN(a)
			}
			return compare(u, op, a, b)
		}
	}},
	{"CMP ne is false on NaN", func(ops *operations) {
		ops.Compare = func(u *arithmetic, op uint32, a, b uint32) bool {
			return compare(u, op, a, b) && (op != pica.CmpNE || u.relate(a, b) != unordered)
		}
	}},
	{"CMP le is true on NaN", func(ops *operations) {
		ops.Compare = func(u *arithmetic, op uint32, a, b uint32) bool {
			return compare(u, op, a, b) || op == pica.CmpLE && u.relate(a, b) == unordered
		}
	}},
	{"CMP 6 and 7 are false", func(ops *operations) {
		ops.Compare = func(u *arithmetic, op uint32, a, b uint32) bool { return op < firstUndefined && compare(u, op, a, b) }
	}},
	{"LITP clamps to 128", func(ops *operations) {
		ops.Light = func(u *arithmetic, a pica.Vec4) (pica.Vec4, [2]bool) {
			w := *u
			w.clamp += 4
			return light(&w, a)
		}
	}},
	{"LITP does not clamp w", func(ops *operations) {
		ops.Light = func(u *arithmetic, a pica.Vec4) (pica.Vec4, [2]bool) {
			v, flags := light(u, a)
			v[3] = a[3]
			return v, flags
		}
	}},
	{"LITP sets its flags for positive operands only", func(ops *operations) {
		ops.Light = func(u *arithmetic, a pica.Vec4) (pica.Vec4, [2]bool) {
			v, _ := light(u, a)
			return v, [2]bool{u.relate(a[0], 0) == above, u.relate(a[3], 0) == above}
		}
	}},
	{"LITP lets NaN pass", func(ops *operations) {
		ops.Light = func(u *arithmetic, a pica.Vec4) (pica.Vec4, [2]bool) {
			return light(u.with(pica.KnobLITP, pica.LITPPass), a)
		}
	}},
	{"negation multiplies", func(ops *operations) { ops.Negate = knob1(negate, pica.KnobNegate, pica.NegateMultiply) }},
	{"negation keeps zeros", func(ops *operations) {
		ops.Negate = when1(negate, func(u *arithmetic, a uint32) bool { return u.isZero(a) }, func(_ *arithmetic, a uint32) uint32 { return a })
	}},
	{"raw24 subnormals are flushed", func(ops *operations) {
		ops.FromRaw24 = when1(fromRaw24, func(_ *arithmetic, x uint32) bool { return float24.exponent(x) == 0 }, func(*arithmetic, uint32) uint32 { return 0 })
	}},
	{"raw24 NaN payloads are lost", func(ops *operations) {
		ops.FromRaw24 = when1(fromRaw24, func(_ *arithmetic, x uint32) bool { return float24.isNaN(x) }, func(u *arithmetic, _ uint32) uint32 { return u.quiet })
	}},
	{"raw24 has a hidden one in subnormals", func(ops *operations) {
		ops.FromRaw24 = knob1(fromRaw24, pica.KnobSubnormal, pica.SubnormalHiddenOne)
	}},
	{"uploads truncate", func(ops *operations) {
		ops.FromFloat32 = when1(fromFloat32, func(u *arithmetic, _ uint32) bool { return u.knobs[pica.KnobUpload] == pica.UploadRNE },
			knob1(fromFloat32, pica.KnobUpload, pica.UploadRZ))
	}},
	{"uploads round", func(ops *operations) {
		ops.FromFloat32 = when1(fromFloat32, func(u *arithmetic, _ uint32) bool { return u.knobs[pica.KnobUpload] == pica.UploadRZ },
			knob1(fromFloat32, pica.KnobUpload, pica.UploadRNE))
	}},
	{"float32 uploads are rounded", func(ops *operations) {
		ops.FromFloat32 = knob1(fromFloat32, pica.KnobUpload, pica.UploadRNE)
	}},
	{"uploads flush", func(ops *operations) {
		ops.FromFloat32 = func(u *arithmetic, x uint32) uint32 {
			if y := fromFloat32(u, x); u.exponent(y) != 0 {
				return y
			}
			return 0
		}
	}},
	{"uploads lose the sign of NaN", func(ops *operations) {
		ops.FromFloat32 = when1(fromFloat32, func(_ *arithmetic, x uint32) bool { return binary32.isNaN(x) },
			func(u *arithmetic, x uint32) uint32 { return fromFloat32(u, x&^binary32.sign) })
	}},
}

// Closest computes op for the float32 operands from first to last and returns
// how close an inexact result comes to a midpoint between two float32, in units
// of 2^-40 of its last place, and the operand that does.
func Closest(op pica.Opcode, first, last uint32) (distance uint64, operand uint32) {
	x := NewUnit(pica.Profile{Knobs: [pica.NumKnobs]pica.Value{
		pica.KnobStorage: pica.StorageF32, pica.KnobUpload: pica.UploadExact}})
	distance = math.MaxUint64
	now := first
	x.u.ops.Round = func(f *format, n number, _ direction, _ bool) uint32 {
		cut := max(n.exp+bits.Len64(n.sig)-1-f.mantissa, f.unit) - n.exp // bits below the last place
		if cut < 1 || cut > 63 || n.sig&1 == 0 {
			return 0
		}
		half := uint64(1) << (cut - 1)
		d := n.sig & (2*half - 1)
		if d -= half; int64(d) < 0 {
			d = -d
		}
		if d = shift(d, cut-40) &^ sticky(cut > 40); d < distance {
			distance, operand = d, now
		}
		return 0
	}
	for ; ; now++ {
		x.Compute(op, now, 0, 0)
		if now == last {
			return distance, operand
		}
	}
}
