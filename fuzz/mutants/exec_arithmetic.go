package mutants

import (
	"math"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// arithmeticFaults break the arithmetic of single instructions.
var arithmeticFaults = []fault[arithmetic]{
	{"inf-minus-inf-is-inf", "inf - inf is NaN (3.1 A7)", func(table *arithmetic) {
		table.Add = when2(table.intact.Add, func(u *oracle.Unit, a, b uint32) bool { return u.IsInf(a) && u.IsInf(b) },
			func(_ *oracle.Unit, a, _ uint32) uint32 { return a })
	}},
	{"sum-of-minus-zeros-is-plus-zero", "-0 + -0 is -0 (7.2)", func(table *arithmetic) {
		table.Add = when2(table.intact.Add,
			func(u *oracle.Unit, a, b uint32) bool { return a == u.Sign && b == u.Sign },
			func(*oracle.Unit, uint32, uint32) uint32 { return 0 })
	}},
	{"x-minus-x-is-minus-zero", "x - x is +0 (7.2)", func(table *arithmetic) {
		table.Add = when2(table.intact.Add,
			func(u *oracle.Unit, a, b uint32) bool { return a^b == u.Sign && !u.IsInf(a) && !u.IsNaN(a) },
			func(u *oracle.Unit, _, _ uint32) uint32 { return u.Sign })
	}},
	{"add-keeps-nan-payloads", "arithmetic has one NaN (7.1)", func(table *arithmetic) {
		table.Add = when2(table.intact.Add, either((*oracle.NumberFormat).IsNaN),
			func(u *oracle.Unit, a, b uint32) uint32 {
				if u.IsNaN(a) {
					return a
				}
				return b
			})
	}},
	{"add-does-not-flush", "in hw ADD takes subnormals for +0 (3.1 A2)", func(table *arithmetic) {
		table.Add = on2(table.flushing(false), table.intact.Add)
	}},
	{"add-flushes-always", "f24 and f32 add subnormals (7.2, 7.4)", func(table *arithmetic) {
		table.Add = on2(table.flushing(true), table.intact.Add)
	}},
	{"add-aligns-before-it-adds", "a sum is rounded from its exact value (7.1)", func(table *arithmetic) {
		w := table.under(pica.Knobs{Round: pica.RoundAlign})
		table.Add = on2(w, w.Ops.Add)
	}},
	{"zero-times-inf-is-nan", "0 * inf is +0 (3.1 A5)", func(table *arithmetic) {
		table.set(pica.Knobs{ZeroInf: pica.ZeroInfNaN})
	}},
	{"nan-times-zero-is-zero", "NaN * 0 is NaN (3.1 A6)", func(table *arithmetic) {
		table.set(pica.Knobs{NaNZero: pica.NaNZeroZero})
	}},
	{"zero-products-are-positive", "a product of zero has the sign of its factors where it is not flushed (3.3)",
		func(table *arithmetic) {
			table.set(pica.Knobs{ZeroInf: pica.ZeroInfPositive})
		}},
	{"inf-products-are-positive", "a product has the sign of its factors (3.2)", func(table *arithmetic) {
		table.Mul = func(u *oracle.Unit, a, b uint32) uint32 {
			if x := table.intact.Mul(u, a, b); !u.IsInf(x) {
				return x
			}
			return u.Infinity
		}
	}},
	{"mul-does-not-flush", "in hw MUL takes subnormals for +0 (3.1 A2)", func(table *arithmetic) {
		table.Mul = on2(table.flushing(false), table.intact.Mul)
	}},
	{"mad-is-fused", "MAD rounds the product, then the sum (3.3)", func(table *arithmetic) {
		table.set(pica.Knobs{MAD: pica.MADFused})
	}},
	{"dot-products-go-pairwise", "dot products are summed from the left (3.4)", func(table *arithmetic) {
		table.set(pica.Knobs{Dot: pica.DotPairwise})
	}},
	{"dot-products-start-from-plus-zero", "dot products start from the first product (3.4)", func(table *arithmetic) {
		table.set(pica.Knobs{Dot: pica.DotSeeded})
	}},
	{"dp3-reads-w", "DP3 reads x, y, z (3.2)", func(table *arithmetic) {
		table.Dot = func(u *oracle.Unit, a, b pica.Vec4, _ int) uint32 { return table.intact.Dot(u, a, b, 4) }
	}},
	{"dst-exchanges-z-and-w", "DST is (1, a.y * b.y, a.z, b.w) (3.2)", func(table *arithmetic) {
		table.Distance = func(u *oracle.Unit, a, b pica.Vec4) pica.Vec4 {
			return table.intact.Distance(u, pica.Vec4{a[0], a[1], b[2], a[3]}, pica.Vec4{b[0], b[1], b[2], a[3]})
		}
	}},
	{"dst-multiplies-x", "DST.x is 1 (3.2)", func(table *arithmetic) {
		table.Distance = func(u *oracle.Unit, a, b pica.Vec4) pica.Vec4 {
			v := table.intact.Distance(u, a, b)
			v[0] = table.intact.Mul(u, a[0], b[0])
			return v
		}
	}},
	{"max-prefers-src1", "MAX returns src2 on NaN and equal zeros (3.1 A8)",
		func(table *arithmetic) { table.Max = swapped(table.intact.Max) }},
	{"min-prefers-src1", "MIN returns src2 on NaN and equal zeros (3.1 A8)",
		func(table *arithmetic) { table.Min = swapped(table.intact.Min) }},
	{"max-returns-an-infinite-src2", "MAX(0, -inf) is 0 (3.1 A9)", func(table *arithmetic) {
		table.set(pica.Knobs{Max: pica.MaxInfB})
	}},
	{"max-flushes", "MAX does not flush (3.1 A3)", func(table *arithmetic) {
		table.Max = func(u *oracle.Unit, a, b uint32) uint32 {
			return u.Pack(u.Operand(table.intact.Max(u, a, b)), oracle.Nearest)
		}
	}},
	{"max-and-min-exchanged", "MAX is a > b ? a : b (3.2)",
		func(table *arithmetic) { table.Max, table.Min = table.intact.Min, table.intact.Max }},
	{"sge-is-sgt", "SGE is 1 on equal operands (3.2)", func(table *arithmetic) {
		table.SGE = func(u *oracle.Unit, a, b uint32) uint32 { return table.intact.SLT(u, b, a) }
	}},
	{"slt-is-sle", "SLT is 0 on equal operands (3.2)",
		func(table *arithmetic) { table.SLT = swapped(table.intact.SGE) }},
	{"sge-is-true-on-nan", "SGE is 0 on NaN (3.1 A10)", func(table *arithmetic) {
		table.SGE = when2(table.intact.SGE, either((*oracle.NumberFormat).IsNaN),
			func(u *oracle.Unit, _, _ uint32) uint32 { return u.One })
	}},
	{"slt-is-true-on-nan", "SLT is 0 on NaN (3.1 A10)", func(table *arithmetic) {
		table.SLT = when2(table.intact.SLT, either((*oracle.NumberFormat).IsNaN),
			func(u *oracle.Unit, _, _ uint32) uint32 { return u.One })
	}},
	{"flr-truncates", "FLR rounds down (3.1 A14)", func(table *arithmetic) {
		table.Floor = func(u *oracle.Unit, a uint32) uint32 {
			if a&u.Sign == 0 {
				return table.intact.Floor(u, a)
			}
			return u.Signed(table.intact.Floor(u, a&^u.Sign), true)
		}
	}},
	{"flr-loses-the-sign-of-zero", "FLR of -0 is -0 where it is not flushed (3.12)", func(table *arithmetic) {
		table.Floor = when1(table.intact.Floor, func(u *oracle.Unit, a uint32) bool { return a == u.Sign },
			func(*oracle.Unit, uint32) uint32 { return 0 })
	}},
	{"flr-flushes-always", "FLR of a negative subnormal is -1 where it is not flushed (7.2)", func(table *arithmetic) {
		table.Floor = on1(table.flushing(true), table.intact.Floor)
	}},
	{"rcp-of-minus-zero-is-minus-inf", "RCP of -0 is +inf (7.2)", func(table *arithmetic) {
		table.Reciprocal = table.under(pica.Knobs{ReciprocalZero: pica.ReciprocalZeroSigned}).Ops.Reciprocal
	}},
	{"rcp-truncates", "RCP is rounded to nearest (7.2)",
		func(table *arithmetic) { table.Reciprocal = truncated(table.intact.Reciprocal) }},
	{"rcp-of-inf-loses-the-sign", "RCP of -inf is -0 where it is not flushed (7.2)", func(table *arithmetic) {
		table.Reciprocal = when1(table.intact.Reciprocal, func(u *oracle.Unit, a uint32) bool { return u.IsInf(a) },
			func(*oracle.Unit, uint32) uint32 { return 0 })
	}},
	{"rsq-ignores-the-sign", "RSQ of a negative is NaN (3.1 A12)", func(table *arithmetic) {
		table.ReciprocalRoot = func(u *oracle.Unit, a uint32) uint32 {
			return table.intact.ReciprocalRoot(u, a&^u.Sign)
		}
	}},
	{"rsq-of-minus-zero-is-minus-inf", "RSQ of -0 is +inf (3.1 A12)", func(table *arithmetic) {
		table.ReciprocalRoot = table.under(pica.Knobs{ReciprocalZero: pica.ReciprocalZeroSigned}).Ops.ReciprocalRoot
	}},
	{"rsq-rounds-the-root", "RSQ is rounded once in f24 and hw (7.2)", func(table *arithmetic) {
		table.set(pica.Knobs{Reciprocal: pica.ReciprocalTwice})
	}},
	{"rsq-rounds-once-in-float32", "f32 rounds the root, then the quotient (7.4)", func(table *arithmetic) {
		table.ReciprocalRoot = when1(reference.ReciprocalRoot,
			func(u *oracle.Unit, a uint32) bool { return u.IsZero(a) }, table.intact.ReciprocalRoot)
	}},
	{"ex2-truncates", "EX2 is rounded to nearest (7.2)",
		func(table *arithmetic) { table.Exp2 = truncated(table.intact.Exp2) }},
	{"ex2-of-minus-inf-is-nan", "EX2 of -inf is 0 (3.1 A13)", func(table *arithmetic) {
		table.Exp2 = when1(table.intact.Exp2, func(u *oracle.Unit, a uint32) bool { return a == u.Infinity|u.Sign },
			func(u *oracle.Unit, _ uint32) uint32 { return u.Quiet })
	}},
	{"lg2-truncates", "LG2 is rounded to nearest (7.2)",
		func(table *arithmetic) { table.Log2 = truncated(table.intact.Log2) }},
	{"lg2-of-a-negative-is-minus-inf", "LG2 of a negative is NaN (3.1 A13)", func(table *arithmetic) {
		table.Log2 = when1(table.intact.Log2, negative,
			func(u *oracle.Unit, _ uint32) uint32 { return u.Infinity | u.Sign })
	}},
	{"lg2-of-zero-is-nan", "LG2 of zero is -inf (7.2)", func(table *arithmetic) {
		table.Log2 = when1(table.intact.Log2, func(u *oracle.Unit, a uint32) bool { return u.IsZero(a) },
			func(u *oracle.Unit, _ uint32) uint32 { return u.Quiet })
	}},
	{"mova-rounds-down", "MOVA truncates (3.11)", func(table *arithmetic) {
		table.Integer = func(u *oracle.Unit, a uint32) int32 {
			return table.intact.Integer(u, table.intact.Floor(u, a))
		}
	}},
	{"mova-saturates", "MOVA of what does not fit is -2147483648 (3.11)", func(table *arithmetic) {
		table.Integer = func(u *oracle.Unit, a uint32) int32 {
			if x := table.intact.Integer(u, a); x != math.MinInt32 || a&u.Sign != 0 {
				return x
			}
			return math.MaxInt32
		}
	}},
	{"mova-of-nan-is-zero", "MOVA of NaN is -2147483648 (3.11)", func(table *arithmetic) {
		table.Integer = func(u *oracle.Unit, a uint32) int32 {
			if u.IsNaN(a) {
				return 0
			}
			return table.intact.Integer(u, a)
		}
	}},
	{"cmp-flushes", "CMP does not flush (3.1 A3)", func(table *arithmetic) {
		table.Compare = func(u *oracle.Unit, op uint32, a, b uint32) bool {
			w := *u
			w.Flush = true
			return table.intact.Compare(u, op, w.Pack(w.Operand(a), oracle.Nearest),
				w.Pack(w.Operand(b), oracle.Nearest))
		}
	}},
	{"cmp-tells-zeros-apart", "-0 equals +0 (3.9)", func(table *arithmetic) {
		table.Compare = func(u *oracle.Unit, op uint32, a, b uint32) bool {
			if op == pica.CmpEQ {
				return a == b && !u.IsNaN(a)
			}
			return table.intact.Compare(u, op, a, b)
		}
	}},
	{"cmp-ne-is-false-on-nan", "NaN is unequal to everything (3.9)", func(table *arithmetic) {
		table.Compare = func(u *oracle.Unit, op uint32, a, b uint32) bool {
			return table.intact.Compare(u, op, a, b) && (op != pica.CmpNE || u.Relate(a, b) != oracle.Unordered)
		}
	}},
	{"cmp-le-is-true-on-nan", "NaN is not below anything (3.9)", func(table *arithmetic) {
		table.Compare = func(u *oracle.Unit, op uint32, a, b uint32) bool {
			return table.intact.Compare(u, op, a, b) || op == pica.CmpLE && u.Relate(a, b) == oracle.Unordered
		}
	}},
	{"cmp-6-and-7-are-false", "operators 6 and 7 of CMP are true (3.2)", func(table *arithmetic) {
		table.Compare = func(u *oracle.Unit, op uint32, a, b uint32) bool {
			return op < firstUndefined && table.intact.Compare(u, op, a, b)
		}
	}},
	{"litp-clamps-to-128", "LITP clamps y to 127.99609375 (3.10)", func(table *arithmetic) {
		table.Light = func(u *oracle.Unit, a pica.Vec4) (pica.Vec4, [2]bool) {
			limit := u.Round(oracle.Number{Class: oracle.Finite, Sig: 1, Exp: 7}, oracle.Nearest, false)
			v, flags := table.intact.Light(u, a)
			v[1] = table.intact.Min(u, table.intact.Max(u, a[1], u.Sign|limit), limit)
			return v, flags
		}
	}},
	{"litp-does-not-clamp-w", "LITP clamps w at 0 (3.10)", func(table *arithmetic) {
		table.Light = func(u *oracle.Unit, a pica.Vec4) (pica.Vec4, [2]bool) {
			v, flags := table.intact.Light(u, a)
			v[3] = a[3]
			return v, flags
		}
	}},
	{"litp-flags-need-positive-operands", "LITP sets its flags for zero, too (3.10)", func(table *arithmetic) {
		table.Light = func(u *oracle.Unit, a pica.Vec4) (pica.Vec4, [2]bool) {
			v, _ := table.intact.Light(u, a)
			return v, [2]bool{u.Relate(a[0], 0) == oracle.Above, u.Relate(a[3], 0) == oracle.Above}
		}
	}},
	{"litp-lets-nan-pass", "LITP is MAX and MIN of its operand (7.2)", func(table *arithmetic) {
		table.set(pica.Knobs{LITP: pica.LITPPass})
	}},
	{"negation-multiplies", "negation flips the sign bit (3.3)", func(table *arithmetic) {
		table.set(pica.Knobs{Negate: pica.NegateMultiply})
	}},
	{"negation-keeps-zeros", "negation flips the sign of zero (3.3)", func(table *arithmetic) {
		table.Negate = when1(table.intact.Negate, func(u *oracle.Unit, a uint32) bool { return u.IsZero(a) },
			func(_ *oracle.Unit, a uint32) uint32 { return a })
	}},
	{"raw24-subnormals-are-flushed", "uploads keep subnormals (2.2)", func(table *arithmetic) {
		table.FromRaw24 = when1(table.intact.FromRaw24,
			func(_ *oracle.Unit, x uint32) bool { return oracle.Float24.Exponent(x) == 0 },
			func(*oracle.Unit, uint32) uint32 { return 0 })
	}},
	{"raw24-nan-payloads-are-lost", "raw24 uploads keep NaN payloads (2.2)", func(table *arithmetic) {
		table.FromRaw24 = when1(table.intact.FromRaw24,
			func(_ *oracle.Unit, x uint32) bool { return oracle.Float24.IsNaN(x) },
			func(u *oracle.Unit, _ uint32) uint32 { return u.Quiet })
	}},
	{"raw24-has-a-hidden-one-in-subnormals", "a raw24 subnormal is m * 2^-78 (2.2)", func(table *arithmetic) {
		table.set(pica.Knobs{Subnormal: pica.SubnormalHiddenOne})
	}},
	{"uploads-truncate", "f24 rounds float32 uploads to nearest (7.2)", func(table *arithmetic) {
		table.FromFloat32 = when1(table.intact.FromFloat32,
			func(u *oracle.Unit, _ uint32) bool { return u.Upload == oracle.Nearest },
			on1(table.uploading(oracle.TowardZero), table.intact.FromFloat32))
	}},
	{"uploads-round", "hw truncates float32 uploads (7.3)", func(table *arithmetic) {
		table.FromFloat32 = when1(table.intact.FromFloat32,
			func(u *oracle.Unit, _ uint32) bool { return u.Upload == oracle.TowardZero },
			on1(table.uploading(oracle.Nearest), table.intact.FromFloat32))
	}},
	{"float32-uploads-are-rounded", "f32 keeps float32 uploads (7.4)", func(table *arithmetic) {
		table.FromFloat32 = on1(table.uploading(oracle.Nearest), reference.FromFloat32)
	}},
	{"uploads-flush", "float32 uploads keep subnormals of the format (7.2)", func(table *arithmetic) {
		table.FromFloat32 = func(u *oracle.Unit, x uint32) uint32 {
			if y := table.intact.FromFloat32(u, x); u.Exponent(y) != 0 {
				return y
			}
			return 0
		}
	}},
	{"uploads-lose-the-sign-of-nan", "float32 NaN uploads keep their sign (7.2)", func(table *arithmetic) {
		table.FromFloat32 = when1(table.intact.FromFloat32,
			func(_ *oracle.Unit, x uint32) bool { return oracle.Binary32.IsNaN(x) },
			func(u *oracle.Unit, x uint32) uint32 { return table.intact.FromFloat32(u, x&^oracle.Binary32.Sign) })
	}},
}

// firstUndefined is the first comparison operator without a known meaning.
const firstUndefined = 6

// arithmetic is the part of the rules that a fault of the arithmetic changes.
type arithmetic struct {
	*oracle.Arithmetic
	intact oracle.Arithmetic // the profile's own
	rules  *oracle.Rules
}

func arithmeticOf(r *oracle.Rules) *arithmetic {
	return &arithmetic{&r.Unit.Ops, r.Unit.Ops, r}
}

// set sets knobs to other values.
func (t *arithmetic) set(k pica.Knobs) { impl.With(k)(t.rules) }

// under returns the unit of the profile with other values of knobs.
func (t *arithmetic) under(k pica.Knobs) *oracle.Unit {
	r := *t.rules
	impl.With(k)(&r)
	return &r.Unit
}

// flushing returns the unit of the profile with or without flushing.
func (t *arithmetic) flushing(flush bool) *oracle.Unit {
	u := t.rules.Unit
	u.Flush = flush
	return &u
}

// uploading returns the unit of the profile with uploads rounded in a direction.
func (t *arithmetic) uploading(d oracle.Direction) *oracle.Unit {
	u := t.rules.Unit
	u.Upload = d
	return &u
}

// reference is the arithmetic of the console.
var reference = oracle.Console(&pica.Profile{}).Unit.Ops

type (
	unary  = func(u *oracle.Unit, a uint32) uint32
	binary = func(u *oracle.Unit, a, b uint32) uint32
)

// swapped exchanges the operands.
func swapped(f binary) binary {
	return func(u *oracle.Unit, a, b uint32) uint32 { return f(u, b, a) }
}

// on1 and on2 execute an operation on another unit.
func on1(w *oracle.Unit, f unary) unary {
	return func(_ *oracle.Unit, a uint32) uint32 { return f(w, a) }
}

func on2(w *oracle.Unit, f binary) binary {
	return func(_ *oracle.Unit, a, b uint32) uint32 { return f(w, a, b) }
}

// when1 and when2 replace the result if a condition on the operands is true.
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

func either(is func(f *oracle.NumberFormat, x uint32) bool) func(u *oracle.Unit, a, b uint32) bool {
	return func(u *oracle.Unit, a, b uint32) bool { return is(&u.NumberFormat, a) || is(&u.NumberFormat, b) }
}

func negative(u *oracle.Unit, a uint32) bool {
	return a&u.Sign != 0 && !u.IsZero(a) && !u.IsNaN(a)
}
