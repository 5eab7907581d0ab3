package oracle

// host sums and multiplies as an x86-64 processor does: binary32, to nearest.
var host = arithmetic{format: binary32}

// hostRound packs a finite number or a zero.
func hostRound(n number) uint32 {
	if n.class == zero {
		return binary32.signed(0, n.neg)
	}
	return binary32.round(n, nearest, false)
}

// hostAdd is one addition of the host, hostFMA its fused multiply-add with one
// rounding; operands and results are finite.
func hostAdd(a, b uint32) uint32 {
	return hostRound(host.sum(binary32.unpack(a), binary32.unpack(b)))
}

func hostFMA(a, b, c uint32) uint32 {
	return hostRound(host.sum(host.product(binary32.unpack(a), binary32.unpack(b)), binary32.unpack(c)))
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
	case binary32.isNaN(x):
		return x
	case binary32.isInf(x):
		return binary32.quiet
	}
	i, power := cutFraction(hostAdd(x, minusHalf))
	p := binary32.unpack(horner(&exp2Coefficients, hostAdd(x, i^binary32.sign)))
	p.exp += power
	return binary32.round(p, nearest, false)
}

// cutFraction returns the integer part of a finite x, as a float32 and as a
// number, which is limited to what matters to a binary exponent.
func cutFraction(x uint32) (whole uint32, limited int) {
	const limit = 1 << 12
	n := binary32.unpack(x)
	if n.class == zero {
		return x, 0
	}
	switch {
	case n.exp >= 0:
		whole, limited = x, limit
	case n.exp <= -24:
		return 0, 0
	default:
		n.sig >>= -n.exp
		limited = int(min(n.sig, limit))
		if n.exp = 0; n.sig != 0 {
			whole = binary32.round(n, nearest, false)
		}
	}
	if n.neg {
		limited = -limited
	}
	return whole, limited
}

// polynomialLog2 is LG2 of the same compilers: the exponent plus m - 1 times a
// polynomial of the mantissa m, 1 <= m < 2.
func polynomialLog2(x uint32) uint32 {
	n := binary32.unpack(x)
	switch {
	case n.class == nan:
		return x
	case n.class == zero:
		return binary32.infinity | binary32.sign
	case n.neg:
		return binary32.quiet
	case n.class == infinite:
		return x
	}
	n = n.normalised(binary32.mantissa)
	exponent := n.exp + binary32.mantissa
	n.exp = -binary32.mantissa
	m := binary32.round(n, nearest, false)
	return hostFMA(hostAdd(m, binary32.one|binary32.sign), horner(&log2Coefficients, m), small(exponent))
}

// small returns an integer of at most 24 bits as a float32.
func small(i int) uint32 {
	switch {
	case i == 0:
		return 0
	case i < 0:
		return binary32.round(number{class: finite, neg: true, sig: uint64(-i)}, nearest, false)
	}
	return binary32.round(number{class: finite, sig: uint64(i)}, nearest, false)
}
