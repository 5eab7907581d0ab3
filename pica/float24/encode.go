package float24

// Rounding is a direction of rounding.
type Rounding uint8

// The directions.
const (
	TowardZero  Rounding = iota // what libctru and picasso do to ordinary numbers
	NearestEven                 // ties to even
)

// shift returns v >> n rounded. n is at least 1.
func (r Rounding) shift(v uint32, n uint) uint32 {
	if n > 31 {
		return 0 // below a quarter of a unit: v has at most 24 bits
	}
	q := v >> n
	if r == NearestEven {
		rest, half := v&(1<<n-1), uint32(1)<<(n-1)
		if rest > half || rest == half && q&1 != 0 {
			q++
		}
	}
	return q
}

// Encode returns the float24 of a binary32 pattern: the value rounded to 17
// significant bits, or to a multiple of 2^-78 below 2^-62; infinity when that
// reaches 2^64; the upper mantissa bits of a NaN, or 0x8000 when they are zero.
// The sign is always kept. Encode(Decode(x)) is x for all 2^24 patterns.
func Encode(f uint32, r Rounding) Bits {
	sign := Bits(f&sign32) >> signShift
	m := f &^ sign32
	switch {
	case m-subnormal32 < inf32-subnormal32:
		return sign | min(Bits(r.shift(m-rebias, extraBits)), PosInf)
	case m > inf32:
		if m = m & mantissa32 >> extraBits; m == 0 {
			return sign | QNaN
		}
		return sign | PosInf | Bits(m)
	case m == inf32:
		return sign | PosInf
	}
	// A binary32 of exponent field e is m * 2^(e-150); units are 2^-78.
	e := m >> 23
	m &= mantissa32
	if e == 0 {
		e = 1
	} else {
		m |= 1 << 23
	}
	return sign | Bits(r.shift(m, uint(72-e)))
}

// Convert is Encode as an executor loads a float32 uniform or attribute: a NaN
// becomes QNaN with the sign of the input.
func Convert(f uint32, r Rounding) Bits {
	if f&^sign32 > inf32 {
		return Bits(f&sign32)>>signShift | QNaN
	}
	return Encode(f, r)
}

// EncodeLibctru encodes as libctru and picasso do, faults included: numbers in
// [2^-63, 2^-62) become a wrong subnormal, those in (2^64, 2^65) a NaN, smaller
// ones zero, and a NaN becomes an infinity.
func EncodeLibctru(f uint32) Bits {
	sign := Bits(f&sign32) >> signShift
	switch e := int(f>>23&0xFF) - 64; {
	case e < 0:
		return sign
	case e > 127:
		return sign | PosInf
	default:
		return sign | Bits(e)<<mantissaLen | Bits(f>>extraBits)&mantissa
	}
}

// EncodeNihstro encodes as nihstro does, faults included: below 2^-62 as
// libctru, above the range the exponent wraps around, so that an infinity
// becomes 1.
func EncodeNihstro(f uint32) Bits {
	sign := Bits(f&sign32) >> signShift
	e := int(f>>23&0xFF) - 64
	if e < 0 {
		return sign
	}
	return sign | Bits(e&127)<<mantissaLen | Bits(f>>extraBits)&mantissa
}
