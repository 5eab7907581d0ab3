package impl

import (
	"math/bits"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// hostRound packs a finite number or a zero like an x86-64 processor: as binary32,
// rounded to nearest.
func hostRound(n oracle.Number) uint32 {
	if n.Class == oracle.Zero {
		return oracle.Binary32.Signed(0, n.Neg)
	}
	return oracle.Binary32.Round(n, oracle.Nearest, false)
}

// hostAdd is an addition of the host. No operand is infinite or NaN.
func hostAdd(a, b uint32) uint32 {
	return hostRound(oracle.Sum(oracle.Binary32.Unpack(a), oracle.Binary32.Unpack(b)))
}

// hostFMA is a fused multiply-add of the host, a*b + c rounded once. No operand is infinite or
// NaN.
func hostFMA(a, b, c uint32) uint32 {
	f := &oracle.Binary32
	return hostRound(oracle.Sum(oracle.Product(f.Unpack(a), f.Unpack(b)), f.Unpack(c)))
}

// The coefficients of the compilers of Azahar and Panda3DS, highest power first.
var (
	exp2Coefficients = [5]uint32{0x3C5DBE69, 0x3D5509F9, 0x3E773CC5, 0x3F3168B3, 0x3F800016}
	log2Coefficients = [5]uint32{0x3D74552F, 0xBEEE7397, 0x3FBD96DD, 0xC02153F6, 0x4038D96C}
)

// horner evaluates a polynomial and rounds once a coefficient.
func horner(coefficients *[5]uint32, x uint32) uint32 {
	p := coefficients[0]
	for _, c := range coefficients[1:] {
		p = hostFMA(p, x, c)
	}
	return p
}

// polynomialExp2 is EX2 of the compilers of Azahar and Panda3DS on a host with
// AVX-512 and FMA: 2^i times a polynomial of x - i, where i is x - 1/2 cut toward
// zero. An infinite x gives inf - inf, which is NaN. Subnormal results are not flushed.
func polynomialExp2(_ *oracle.Unit, x uint32) uint32 {
	const minusHalf = 0xBF000000
	switch {
	case oracle.Binary32.IsNaN(x):
		return x
	case oracle.Binary32.IsInf(x):
		return oracle.Binary32.Quiet
	}
	i, power := cutFraction(hostAdd(x, minusHalf))
	p := oracle.Binary32.Unpack(horner(&exp2Coefficients, hostAdd(x, i^oracle.Binary32.Sign)))
	p.Exp += power
	return oracle.Binary32.Round(p, oracle.Nearest, false)
}

// cutFraction returns the integer part of x, as a float32 and as an int. The int is limited to
// a range that exceeds every binary exponent. x is neither infinite nor NaN.
func cutFraction(x uint32) (whole uint32, limited int) {
	const limit = 1 << 12
	n := oracle.Binary32.Unpack(x)
	if n.Class == oracle.Zero {
		return x, 0
	}
	switch {
	case n.Exp >= 0:
		whole, limited = x, limit
	case n.Exp <= -24:
		return 0, 0
	default:
		n.Sig >>= -n.Exp
		limited = int(min(n.Sig, limit))
		if n.Exp = 0; n.Sig != 0 {
			whole = oracle.Binary32.Round(n, oracle.Nearest, false)
		}
	}
	if n.Neg {
		limited = -limited
	}
	return whole, limited
}

// polynomialLog2 is LG2 of the same compilers: the exponent, plus m - 1 times a polynomial of
// the significand m, 1 <= m < 2.
func polynomialLog2(_ *oracle.Unit, x uint32) uint32 {
	n := oracle.Binary32.Unpack(x)
	switch {
	case n.Class == oracle.NaN:
		return x
	case n.Class == oracle.Zero:
		return oracle.Binary32.Infinity | oracle.Binary32.Sign
	case n.Neg:
		return oracle.Binary32.Quiet
	case n.Class == oracle.Infinite:
		return x
	}
	n = n.Normalised(oracle.Binary32.Mantissa)
	exponent := n.Exp + oracle.Binary32.Mantissa
	n.Exp = -oracle.Binary32.Mantissa
	m := oracle.Binary32.Round(n, oracle.Nearest, false)
	return hostFMA(hostAdd(m, oracle.Binary32.One|oracle.Binary32.Sign), horner(&log2Coefficients, m), small(exponent))
}

// small returns an integer of at most 24 bits as a float32.
func small(i int) uint32 {
	switch {
	case i == 0:
		return 0
	case i < 0:
		return oracle.Binary32.Round(oracle.Number{Class: oracle.Finite, Neg: true, Sig: uint64(-i)}, oracle.Nearest,
			false)
	}
	return oracle.Binary32.Round(oracle.Number{Class: oracle.Finite, Sig: uint64(i)}, oracle.Nearest, false)
}

// polynomials: EX2 and LG2 are the polynomials of the compilers.
func polynomials(r *oracle.Rules, _ *pica.Profile) {
	r.Unit.Ops.Exp2, r.Unit.Ops.Log2 = polynomialExp2, polynomialLog2
}

// fused: MAD rounds only the sum, as the host's FMA does. If an operand of the product
// is zero, infinite or NaN, the product needs no rounding.
func fused(r *oracle.Rules, _ *pica.Profile) {
	r.Unit.Ops.MAD = func(u *oracle.Unit, a, b, c uint32) uint32 {
		x, y := u.Operand(a), u.Operand(b)
		if x.Class != oracle.Finite || y.Class != oracle.Finite {
			return u.Ops.Add(u, u.Ops.Mul(u, a, b), c)
		}
		return u.Result(u.Ops.Sum(u, oracle.Product(x, y), u.Operand(c)))
	}
}

// estimated notes an opcode if is holds for its operand: the implementation then uses an
// estimate of its host. The low bits of an estimate depend on the processor, so the rules give
// the correctly rounded result instead; shortEstimates has an exception.
func estimated(r *oracle.Rules, is func(u *oracle.Unit, op pica.Opcode, n oracle.Number, x uint32) bool) {
	scalar := r.Unit.Ops.Scalar
	r.Unit.Ops.Scalar = func(c *oracle.Control, f func(u *oracle.Unit, a uint32) uint32, a *pica.Vec4) pica.Vec4 {
		if u := &c.Rules.Unit; is(u, c.Op, u.Unpack(a[0]), a[0]) {
			c.Estimate()
		}
		return scalar(c, f, a)
	}
}

// reciprocalEstimates: RCP and RSQ are estimates, unless every processor gives the same result:
// for zeros, NaN, infinities and negative operands of RSQ.
func reciprocalEstimates(r *oracle.Rules, _ *pica.Profile) {
	estimated(r, func(_ *oracle.Unit, op pica.Opcode, n oracle.Number, _ uint32) bool {
		return n.Class == oracle.Finite && (op == pica.RCP || op == pica.RSQ && !n.Neg)
	})
}

// shortEstimates: RCP and RSQ are SSE estimates. RCP of powers of two and RSQ of powers of four
// have the result of one measured processor, one part in 4096 too low (1 gives 3F7FF000; another
// processor was 2^-13 off). A negative subnormal operand of RSQ may count as -0, so its result
// is an estimate too.
func shortEstimates(r *oracle.Rules, p *pica.Profile) {
	reciprocalEstimates(r, p)
	estimated(r, func(u *oracle.Unit, op pica.Opcode, n oracle.Number, x uint32) bool {
		return op == pica.RSQ && n.Neg && n.Class == oracle.Finite && u.Exponent(x) == 0
	})
	rcp, rsq := r.Unit.Ops.Reciprocal, r.Unit.Ops.ReciprocalRoot
	r.Unit.Ops.Reciprocal = func(u *oracle.Unit, a uint32) uint32 {
		if n := u.Operand(a); powerOf(2, n) {
			return u.Pack(justBelow(oracle.Inverse(n)), oracle.Nearest)
		}
		return rcp(u, a)
	}
	r.Unit.Ops.ReciprocalRoot = func(u *oracle.Unit, a uint32) uint32 {
		if n := u.Operand(a); !n.Neg && powerOf(4, n) {
			return u.Pack(justBelow(oracle.Inverse(oracle.SquareRoot(n))), oracle.Nearest)
		}
		return rsq(u, a)
	}
}

// powerOf reports whether n is plus or minus a power of base, 2 or 4.
func powerOf(base int, n oracle.Number) bool {
	return n.Class == oracle.Finite && bits.OnesCount64(n.Sig) == 1 &&
		(base == 2 || (n.Exp+bits.TrailingZeros64(n.Sig))&1 == 0)
}

// justBelow returns n * (1 - 1/4096), where n is a power of two.
func justBelow(n oracle.Number) oracle.Number {
	n = n.Normalised(23)
	return oracle.Number{Class: oracle.Finite, Neg: n.Neg, Sig: 0xFFF000, Exp: n.Exp - 1}
}

// exponentialEstimates: EX2, except of NaN, and LG2 of positive numbers are estimates. LG2 of
// infinity is infinite on some hosts and 128 on others (pica200.md D40).
func exponentialEstimates(r *oracle.Rules, _ *pica.Profile) {
	estimated(r, func(_ *oracle.Unit, op pica.Opcode, n oracle.Number, _ uint32) bool {
		return op == pica.EX2 && n.Class != oracle.NaN ||
			op == pica.LG2 && (n.Class == oracle.Finite || n.Class == oracle.Infinite) && !n.Neg
	})
}
