package oracle

// host sums and multiplies as an x86-64 processor does: binary32, to nearest.
var host = Unit{Format: Binary32}

// hostRound packs a finite number or a zero.
func hostRound(n Number) uint32 {
	if n.Class == Zero {
		return Binary32.Signed(0, n.Neg)
	}
	return Binary32.Round(n, Nearest, false)
}

// hostAdd is one addition of the host, hostFMA its fused multiply-add with one
// rounding; operands and results are finite.
func hostAdd(a, b uint32) uint32 {
	return hostRound(host.sum(Binary32.Unpack(a), Binary32.Unpack(b)))
}

func hostFMA(a, b, c uint32) uint32 {
	return hostRound(host.sum(host.product(Binary32.Unpack(a), Binary32.Unpack(b)), Binary32.Unpack(c)))
}

// The coefficients of the compilers of Azahar and Panda3DS, highest power first.
var (
	exp2Coefficients = [5]uint32{0x3C5DBE69, 0x3D5509F9, 0x3E773CC5, 0x3F3168B3, 0x3F800016}
	log2Coefficients = [5]uint32{0x3D74552F, 0xBEEE7397, 0x3FBD96DD, 0xC02153F6, 0x4038D96C}
)

// horner evaluates a polynomial with one rounding a term.
func horner(coefficients *[5]uint32, x uint32) uint32 {
	p := coefficients[0]
	for _, c := range coefficients[1:] {
		p = hostFMA(p, x, c)
	}
	return p
}

// polynomialExp2 is EX2 of the compilers of Azahar and Panda3DS on a host with
// AVX-512 and FMA: 2^i times a polynomial of x - i, where i is x - 1/2 cut toward
// zero. An infinite x gives inf - inf; scaling keeps subnormal results.
func polynomialExp2(x uint32) uint32 {
	const minusHalf = 0xBF000000
	switch {
	case Binary32.IsNaN(x):
		return x
	case Binary32.IsInf(x):
		return Binary32.Quiet
	}
	i, power := cutFraction(hostAdd(x, minusHalf))
	p := Binary32.Unpack(horner(&exp2Coefficients, hostAdd(x, i^Binary32.Sign)))
	p.Exp += power
	return Binary32.Round(p, Nearest, false)
}

// cutFraction returns the integer part of a finite x, as a float32 and as a
// number, which is limited to what matters to a binary exponent.
func cutFraction(x uint32) (whole uint32, limited int) {
	const limit = 1 << 12
	n := Binary32.Unpack(x)
	if n.Class == Zero {
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
			whole = Binary32.Round(n, Nearest, false)
		}
	}
	if n.Neg {
		limited = -limited
	}
	return whole, limited
}

// polynomialLog2 is LG2 of the same compilers: the exponent plus m - 1 times a
// polynomial of the mantissa m, 1 <= m < 2.
func polynomialLog2(x uint32) uint32 {
	n := Binary32.Unpack(x)
	switch {
	case n.Class == NaN:
		return x
	case n.Class == Zero:
		return Binary32.Infinity | Binary32.Sign
	case n.Neg:
		return Binary32.Quiet
	case n.Class == Infinite:
		return x
	}
	n = n.normalised(Binary32.mantissa)
	exponent := n.Exp + Binary32.mantissa
	n.Exp = -Binary32.mantissa
	m := Binary32.Round(n, Nearest, false)
	return hostFMA(hostAdd(m, Binary32.One|Binary32.Sign), horner(&log2Coefficients, m), small(exponent))
}

// small returns an integer of at most 24 bits as a float32.
func small(i int) uint32 {
	switch {
	case i == 0:
		return 0
	case i < 0:
		return Binary32.Round(Number{Class: Finite, Neg: true, Sig: uint64(-i)}, Nearest, false)
	}
	return Binary32.Round(Number{Class: Finite, Sig: uint64(i)}, Nearest, false)
}
