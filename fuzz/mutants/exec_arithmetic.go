package mutants

import (
	"math"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// arithmeticFaults break what single instructions compute.
var arithmeticFaults = []fault[oracle.Arithmetic]{
	{"inf-minus-inf-is-inf", "inf - inf is NaN (3.1 A7)", func(table *oracle.Arithmetic) {
		table.Add = when2(intact.Add, func(u *oracle.Unit, a, b uint32) bool { return u.IsInf(a) && u.IsInf(b) }, func(_ *oracle.Unit, a, _ uint32) uint32 { return a })
	}},
	{"sum-of-minus-zeros-is-plus-zero", "-0 + -0 is -0 (7.2)", func(table *oracle.Arithmetic) {
		table.Add = when2(intact.Add, func(u *oracle.Unit, a, b uint32) bool { return a == u.Sign && b == u.Sign }, func(*oracle.Unit, uint32, uint32) uint32 { return 0 })
	}},
	{"x-minus-x-is-minus-zero", "x - x is +0 (7.2)", func(table *oracle.Arithmetic) {
		table.Add = when2(intact.Add, func(u *oracle.Unit, a, b uint32) bool { return a^b == u.Sign && !u.IsInf(a) && !u.IsNaN(a) },
			func(u *oracle.Unit, _, _ uint32) uint32 { return u.Sign })
	}},
	{"add-keeps-nan-payloads", "arithmetic has one NaN (7.1)", func(table *oracle.Arithmetic) {
		table.Add = when2(intact.Add, either((*oracle.Format).IsNaN), func(u *oracle.Unit, a, b uint32) uint32 {
			if u.IsNaN(a) {
				return a
			}
			return b
		})
	}},
	{"add-does-not-flush", "in hw ADD takes subnormals for +0 (3.1 A2)", func(table *oracle.Arithmetic) { table.Add = knob2(intact.Add, pica.KnobFlush, pica.FlushNone) }},
	{"add-flushes-always", "f24 and f32 add subnormals (7.2, 7.4)", func(table *oracle.Arithmetic) { table.Add = knob2(intact.Add, pica.KnobFlush, pica.FlushAll) }},
	{"add-aligns-before-it-adds", "a sum is rounded from its exact value (7.1)", func(table *oracle.Arithmetic) { table.Add = knob2(intact.Add, pica.KnobRound, pica.RoundAlign) }},
	{"zero-times-inf-is-nan", "0 * inf is +0 (3.1 A5)", func(table *oracle.Arithmetic) { table.Mul = knob2(intact.Mul, pica.KnobZeroInf, pica.ZeroInfNaN) }},
	{"nan-times-zero-is-zero", "NaN * 0 is NaN (3.1 A6)", func(table *oracle.Arithmetic) { table.Mul = knob2(intact.Mul, pica.KnobNaNZero, pica.NaNZeroZero) }},
	{"zero-products-are-positive", "a product of zero has the sign of its factors where it is not flushed (3.3)", func(table *oracle.Arithmetic) { table.Mul = knob2(intact.Mul, pica.KnobZeroInf, pica.ZeroInfPositive) }},
	{"inf-products-are-positive", "a product has the sign of its factors (3.2)", func(table *oracle.Arithmetic) {
		table.Mul = func(u *oracle.Unit, a, b uint32) uint32 {
			if x := intact.Mul(u, a, b); !u.IsInf(x) {
				return x
			}
			return u.Infinity
		}
	}},
	{"mul-does-not-flush", "in hw MUL takes subnormals for +0 (3.1 A2)", func(table *oracle.Arithmetic) { table.Mul = knob2(intact.Mul, pica.KnobFlush, pica.FlushNone) }},
	{"mad-is-fused", "MAD rounds the product, then the sum (3.3)", func(table *oracle.Arithmetic) {
		table.MAD = func(u *oracle.Unit, a, b, c uint32) uint32 {
			return intact.MAD(u.With(pica.KnobMAD, pica.MADFused), a, b, c)
		}
	}},
	{"dot-products-go-pairwise", "dot products are summed from the left (3.4)", func(table *oracle.Arithmetic) {
		table.Dot = func(u *oracle.Unit, a, b pica.Vec4, n int) uint32 {
			return intact.Dot(u.With(pica.KnobDot, pica.DotPairwise), a, b, n)
		}
	}},
	{"dot-products-start-from-plus-zero", "dot products start from the first product (3.4)", func(table *oracle.Arithmetic) {
		table.Dot = func(u *oracle.Unit, a, b pica.Vec4, n int) uint32 {
			return intact.Dot(u.With(pica.KnobDot, pica.DotSeeded), a, b, n)
		}
	}},
	{"dp3-reads-w", "DP3 reads x, y, z (3.2)", func(table *oracle.Arithmetic) {
		table.Dot = func(u *oracle.Unit, a, b pica.Vec4, _ int) uint32 { return intact.Dot(u, a, b, 4) }
	}},
	{"dst-exchanges-z-and-w", "DST is (1, a.y * b.y, a.z, b.w) (3.2)", func(table *oracle.Arithmetic) {
		table.Distance = func(u *oracle.Unit, a, b pica.Vec4) pica.Vec4 {
			return intact.Distance(u, pica.Vec4{a[0], a[1], b[2], a[3]}, pica.Vec4{b[0], b[1], b[2], a[3]})
		}
	}},
	{"dst-multiplies-x", "DST.x is 1 (3.2)", func(table *oracle.Arithmetic) {
		table.Distance = func(u *oracle.Unit, a, b pica.Vec4) pica.Vec4 {
			v := intact.Distance(u, a, b)
			v[0] = intact.Mul(u, a[0], b[0])
			return v
		}
	}},
	{"max-prefers-src1", "MAX returns src2 on NaN and equal zeros (3.1 A8)", func(table *oracle.Arithmetic) { table.Max = swapped(intact.Max) }},
	{"min-prefers-src1", "MIN returns src2 on NaN and equal zeros (3.1 A8)", func(table *oracle.Arithmetic) { table.Min = swapped(intact.Min) }},
	{"max-returns-an-infinite-src2", "MAX(0, -inf) is 0 (3.1 A9)", func(table *oracle.Arithmetic) { table.Max = knob2(intact.Max, pica.KnobMax, pica.MaxInfB) }},
	{"max-flushes", "MAX does not flush (3.1 A3)", func(table *oracle.Arithmetic) {
		table.Max = func(u *oracle.Unit, a, b uint32) uint32 {
			return u.Pack(u.Operand(intact.Max(u, a, b)), oracle.Nearest)
		}
	}},
	{"max-and-min-exchanged", "MAX is a > b ? a : b (3.2)", func(table *oracle.Arithmetic) { table.Max, table.Min = intact.Min, intact.Max }},
	{"sge-is-sgt", "SGE is 1 on equal operands (3.2)", func(table *oracle.Arithmetic) {
		table.SGE = func(u *oracle.Unit, a, b uint32) uint32 { return intact.SLT(u, b, a) }
	}},
	{"slt-is-sle", "SLT is 0 on equal operands (3.2)", func(table *oracle.Arithmetic) { table.SLT = swapped(intact.SGE) }},
	{"sge-is-true-on-nan", "SGE is 0 on NaN (3.1 A10)", func(table *oracle.Arithmetic) {
		table.SGE = when2(intact.SGE, either((*oracle.Format).IsNaN), func(u *oracle.Unit, _, _ uint32) uint32 { return u.One })
	}},
	{"slt-is-true-on-nan", "SLT is 0 on NaN (3.1 A10)", func(table *oracle.Arithmetic) {
		table.SLT = when2(intact.SLT, either((*oracle.Format).IsNaN), func(u *oracle.Unit, _, _ uint32) uint32 { return u.One })
	}},
	{"flr-truncates", "FLR rounds down (3.1 A14)", func(table *oracle.Arithmetic) {
		table.Floor = func(u *oracle.Unit, a uint32) uint32 {
			if a&u.Sign == 0 {
				return intact.Floor(u, a)
			}
			return u.Signed(intact.Floor(u, a&^u.Sign), true)
		}
	}},
	{"flr-loses-the-sign-of-zero", "FLR of -0 is -0 where it is not flushed (3.12)", func(table *oracle.Arithmetic) {
		table.Floor = when1(intact.Floor, isMinusZero, func(*oracle.Unit, uint32) uint32 { return 0 })
	}},
	{"flr-flushes-always", "FLR of a negative subnormal is -1 where it is not flushed (7.2)", func(table *oracle.Arithmetic) { table.Floor = knob1(intact.Floor, pica.KnobFlush, pica.FlushAll) }},
	{"rcp-of-minus-zero-is-minus-inf", "RCP of -0 is +inf (7.2)", func(table *oracle.Arithmetic) {
		table.Reciprocal = knob1(intact.Reciprocal, pica.KnobReciprocalZero, pica.ReciprocalZeroSigned)
	}},
	{"rcp-truncates", "RCP is rounded to nearest (7.2)", func(table *oracle.Arithmetic) { table.Reciprocal = truncated(intact.Reciprocal) }},
	{"rcp-of-inf-loses-the-sign", "RCP of -inf is -0 where it is not flushed (7.2)", func(table *oracle.Arithmetic) {
		table.Reciprocal = when1(intact.Reciprocal, func(u *oracle.Unit, a uint32) bool { return u.IsInf(a) }, func(*oracle.Unit, uint32) uint32 { return 0 })
	}},
	{"rsq-ignores-the-sign", "RSQ of a negative is NaN (3.1 A12)", func(table *oracle.Arithmetic) {
		table.ReciprocalRoot = func(u *oracle.Unit, a uint32) uint32 { return intact.ReciprocalRoot(u, a&^u.Sign) }
	}},
	{"rsq-of-minus-zero-is-minus-inf", "RSQ of -0 is +inf (3.1 A12)", func(table *oracle.Arithmetic) {
		table.ReciprocalRoot = knob1(intact.ReciprocalRoot, pica.KnobReciprocalZero, pica.ReciprocalZeroSigned)
	}},
	{"rsq-rounds-the-root", "RSQ is rounded once in f24 and hw (7.2)", func(table *oracle.Arithmetic) {
		table.ReciprocalRoot = knob1(intact.ReciprocalRoot, pica.KnobReciprocal, pica.ReciprocalTwice)
	}},
	{"rsq-rounds-once-in-float32", "f32 rounds the root, then the quotient (7.4)", func(table *oracle.Arithmetic) {
		table.ReciprocalRoot = knob1(intact.ReciprocalRoot, pica.KnobReciprocal, pica.ReciprocalRounded)
	}},
	{"ex2-truncates", "EX2 is rounded to nearest (7.2)", func(table *oracle.Arithmetic) { table.Exp2 = truncated(intact.Exp2) }},
	{"ex2-of-minus-inf-is-nan", "EX2 of -inf is 0 (3.1 A13)", func(table *oracle.Arithmetic) {
		table.Exp2 = when1(intact.Exp2, func(u *oracle.Unit, a uint32) bool { return a == u.Infinity|u.Sign }, func(u *oracle.Unit, _ uint32) uint32 { return u.Quiet })
	}},
	{"lg2-truncates", "LG2 is rounded to nearest (7.2)", func(table *oracle.Arithmetic) { table.Log2 = truncated(intact.Log2) }},
	{"lg2-of-a-negative-is-minus-inf", "LG2 of a negative is NaN (3.1 A13)", func(table *oracle.Arithmetic) {
		table.Log2 = when1(intact.Log2, negative, func(u *oracle.Unit, _ uint32) uint32 { return u.Infinity | u.Sign })
	}},
	{"lg2-of-zero-is-nan", "LG2 of zero is -inf (7.2)", func(table *oracle.Arithmetic) {
		table.Log2 = when1(intact.Log2, func(u *oracle.Unit, a uint32) bool { return u.IsZero(a) }, func(u *oracle.Unit, _ uint32) uint32 { return u.Quiet })
	}},
	{"mova-rounds-down", "MOVA truncates (3.11)", func(table *oracle.Arithmetic) {
		table.Integer = func(u *oracle.Unit, a uint32) int32 { return intact.Integer(u, intact.Floor(u, a)) }
	}},
	{"mova-saturates", "MOVA of what does not fit is -2147483648 (3.11)", func(table *oracle.Arithmetic) {
		table.Integer = func(u *oracle.Unit, a uint32) int32 {
			if x := intact.Integer(u, a); x != math.MinInt32 || a&u.Sign != 0 {
				return x
			}
			return math.MaxInt32
		}
	}},
	{"mova-of-nan-is-zero", "MOVA of NaN is -2147483648 (3.11)", func(table *oracle.Arithmetic) {
		table.Integer = func(u *oracle.Unit, a uint32) int32 {
			if u.IsNaN(a) {
				return 0
			}
			return intact.Integer(u, a)
		}
	}},
	{"cmp-flushes", "CMP does not flush (3.1 A3)", func(table *oracle.Arithmetic) {
		table.Compare = func(u *oracle.Unit, op uint32, a, b uint32) bool {
			w := u.With(pica.KnobFlush, pica.FlushAll)
			return intact.Compare(u, op, w.Pack(w.Operand(a), oracle.Nearest), w.Pack(w.Operand(b), oracle.Nearest))
		}
	}},
	{"cmp-tells-zeros-apart", "-0 equals +0 (3.9)", func(table *oracle.Arithmetic) {
		table.Compare = func(u *oracle.Unit, op uint32, a, b uint32) bool {
			if op == pica.CmpEQ {
				return a == b && !u.IsNaN(a)
			}
			return intact.Compare(u, op, a, b)
		}
	}},
	{"cmp-ne-is-false-on-nan", "NaN is unequal to everything (3.9)", func(table *oracle.Arithmetic) {
		table.Compare = func(u *oracle.Unit, op uint32, a, b uint32) bool {
			return intact.Compare(u, op, a, b) && (op != pica.CmpNE || u.Relate(a, b) != oracle.Unordered)
		}
	}},
	{"cmp-le-is-true-on-nan", "NaN is not below anything (3.9)", func(table *oracle.Arithmetic) {
		table.Compare = func(u *oracle.Unit, op uint32, a, b uint32) bool {
			return intact.Compare(u, op, a, b) || op == pica.CmpLE && u.Relate(a, b) == oracle.Unordered
		}
	}},
	{"cmp-6-and-7-are-false", "operators 6 and 7 of CMP are true (3.2)", func(table *oracle.Arithmetic) {
		table.Compare = func(u *oracle.Unit, op uint32, a, b uint32) bool {
			return op < firstUndefined && intact.Compare(u, op, a, b)
		}
	}},
	{"litp-clamps-to-128", "LITP clamps y to 127.99609375 (3.10)", func(table *oracle.Arithmetic) {
		table.Light = func(u *oracle.Unit, a pica.Vec4) (pica.Vec4, [2]bool) {
			w := *u
			w.Clamp += 4
			return intact.Light(&w, a)
		}
	}},
	{"litp-does-not-clamp-w", "LITP clamps w at 0 (3.10)", func(table *oracle.Arithmetic) {
		table.Light = func(u *oracle.Unit, a pica.Vec4) (pica.Vec4, [2]bool) {
			v, flags := intact.Light(u, a)
			v[3] = a[3]
			return v, flags
		}
	}},
	{"litp-flags-need-positive-operands", "LITP sets its flags for zero, too (3.10)", func(table *oracle.Arithmetic) {
		table.Light = func(u *oracle.Unit, a pica.Vec4) (pica.Vec4, [2]bool) {
			v, _ := intact.Light(u, a)
			return v, [2]bool{u.Relate(a[0], 0) == oracle.Above, u.Relate(a[3], 0) == oracle.Above}
		}
	}},
	{"litp-lets-nan-pass", "LITP is MAX and MIN of its operand (7.2)", func(table *oracle.Arithmetic) {
		table.Light = func(u *oracle.Unit, a pica.Vec4) (pica.Vec4, [2]bool) {
			return intact.Light(u.With(pica.KnobLITP, pica.LITPPass), a)
		}
	}},
	{"negation-multiplies", "negation flips the sign bit (3.3)", func(table *oracle.Arithmetic) {
		table.Negate = knob1(intact.Negate, pica.KnobNegate, pica.NegateMultiply)
	}},
	{"negation-keeps-zeros", "negation flips the sign of zero (3.3)", func(table *oracle.Arithmetic) {
		table.Negate = when1(intact.Negate, func(u *oracle.Unit, a uint32) bool { return u.IsZero(a) }, func(_ *oracle.Unit, a uint32) uint32 { return a })
	}},
	{"raw24-subnormals-are-flushed", "uploads keep subnormals (2.2)", func(table *oracle.Arithmetic) {
		table.FromRaw24 = when1(intact.FromRaw24, func(_ *oracle.Unit, x uint32) bool { return oracle.Float24.Exponent(x) == 0 }, func(*oracle.Unit, uint32) uint32 { return 0 })
	}},
	{"raw24-nan-payloads-are-lost", "raw24 uploads keep NaN payloads (2.2)", func(table *oracle.Arithmetic) {
		table.FromRaw24 = when1(intact.FromRaw24, func(_ *oracle.Unit, x uint32) bool { return oracle.Float24.IsNaN(x) }, func(u *oracle.Unit, _ uint32) uint32 { return u.Quiet })
	}},
	{"raw24-has-a-hidden-one-in-subnormals", "a raw24 subnormal is m * 2^-78 (2.2)", func(table *oracle.Arithmetic) {
		table.FromRaw24 = knob1(intact.FromRaw24, pica.KnobSubnormal, pica.SubnormalHiddenOne)
	}},
	{"uploads-truncate", "f24 rounds float32 uploads to nearest (7.2)", func(table *oracle.Arithmetic) {
		table.FromFloat32 = when1(intact.FromFloat32, func(u *oracle.Unit, _ uint32) bool { return u.Knobs[pica.KnobUpload] == pica.UploadRNE },
			knob1(intact.FromFloat32, pica.KnobUpload, pica.UploadRZ))
	}},
	{"uploads-round", "hw truncates float32 uploads (7.3)", func(table *oracle.Arithmetic) {
		table.FromFloat32 = when1(intact.FromFloat32, func(u *oracle.Unit, _ uint32) bool { return u.Knobs[pica.KnobUpload] == pica.UploadRZ },
			knob1(intact.FromFloat32, pica.KnobUpload, pica.UploadRNE))
	}},
	{"float32-uploads-are-rounded", "f32 keeps float32 uploads (7.4)", func(table *oracle.Arithmetic) {
		table.FromFloat32 = knob1(intact.FromFloat32, pica.KnobUpload, pica.UploadRNE)
	}},
	{"uploads-flush", "float32 uploads keep subnormals of the format (7.2)", func(table *oracle.Arithmetic) {
		table.FromFloat32 = func(u *oracle.Unit, x uint32) uint32 {
			if y := intact.FromFloat32(u, x); u.Exponent(y) != 0 {
				return y
			}
			return 0
		}
	}},
	{"uploads-lose-the-sign-of-nan", "float32 NaN uploads keep their sign (7.2)", func(table *oracle.Arithmetic) {
		table.FromFloat32 = when1(intact.FromFloat32, func(_ *oracle.Unit, x uint32) bool { return oracle.Binary32.IsNaN(x) },
			func(u *oracle.Unit, x uint32) uint32 { return intact.FromFloat32(u, x&^oracle.Binary32.Sign) })
	}},
}

// firstUndefined is the first comparison operator without a known meaning.
const firstUndefined = 6

// intact is the oracle's own arithmetic.
var intact = func() (a oracle.Arithmetic) {
	oracle.NewWith(func(r *oracle.Rules) { a = r.Arithmetic })
	return a
}()

type (
	unary  = func(u *oracle.Unit, a uint32) uint32
	binary = func(u *oracle.Unit, a, b uint32) uint32
)

// swapped exchanges the operands.
func swapped(f binary) binary {
	return func(u *oracle.Unit, a, b uint32) uint32 { return f(u, b, a) }
}

// knob1 and knob2 run an operation under another setting of a knob.
func knob1(f unary, k pica.Knob, v pica.Value) unary {
	return func(u *oracle.Unit, a uint32) uint32 { return f(u.With(k, v), a) }
}

func knob2(f binary, k pica.Knob, v pica.Value) binary {
	return func(u *oracle.Unit, a, b uint32) uint32 { return f(u.With(k, v), a, b) }
}

// when1 and when2 replace the result where a condition on the operands holds.
func when1(f unary, cond func(u *oracle.Unit, a uint32) bool, r func(u *oracle.Unit, a uint32) uint32) unary {
	return func(u *oracle.Unit, a uint32) uint32 {
		if cond(u, a) {
			return r(u, a)
		}
		return f(u, a)
	}
}

func when2(f binary, cond func(u *oracle.Unit, a, b uint32) bool, r func(u *oracle.Unit, a, b uint32) uint32) binary {
	return func(u *oracle.Unit, a, b uint32) uint32 {
		if cond(u, a, b) {
			return r(u, a, b)
		}
		return f(u, a, b)
	}
}

func either(is func(f *oracle.Format, x uint32) bool) func(u *oracle.Unit, a, b uint32) bool {
	return func(u *oracle.Unit, a, b uint32) bool { return is(&u.Format, a) || is(&u.Format, b) }
}

func isMinusZero(u *oracle.Unit, a uint32) bool { return a == u.Sign }

func negative(u *oracle.Unit, a uint32) bool {
	return a&u.Sign != 0 && !u.IsZero(a) && !u.IsNaN(a)
}
