package float24

import "math"

// Small is a layout of the other formats of the GPU registers: sign, exponent,
// mantissa from the top, with the bias in the middle of the exponent range and
// specials as in IEEE 754.
type Small struct{ Exponent, Mantissa uint8 }

// The layouts.
var (
	Float20 = Small{7, 12}
	Float16 = Small{5, 10}
	Float31 = Small{7, 23}
)

// minExponent is the exponent of the smallest normal number.
func (s Small) minExponent() int { return 2 - 1<<(s.Exponent-1) }

// Decode returns the binary32 pattern of the same value; it is exact. A NaN
// keeps its mantissa bits at the top. Bits above the format are ignored.
func (s Small) Decode(x uint32) uint32 {
	sign := x >> (s.Exponent + s.Mantissa) & 1 << 31
	m := x & (1<<s.Mantissa - 1)
	e := int(x >> s.Mantissa & (1<<s.Exponent - 1))
	switch {
	case e == 1<<s.Exponent-1:
		return sign | inf32 | m<<(23-s.Mantissa)
	case e != 0:
		m |= 1 << s.Mantissa
		e--
	}
	return sign | math.Float32bits(float32(math.Ldexp(float64(m), s.minExponent()+e-int(s.Mantissa))))
}

// Encode rounds a binary32 pattern to the format: gradually to zero, to
// infinity beyond the range. A NaN keeps its upper mantissa bits and stays one.
func (s Small) Encode(f uint32, r Rounding) uint32 {
	sign := f >> 31 << (s.Exponent + s.Mantissa)
	infinity := uint32(1<<s.Exponent-1) << s.Mantissa
	m := f &^ sign32
	if m >= inf32 {
		payload := m & mantissa32 >> (23 - s.Mantissa)
		if m > inf32 && payload == 0 {
			payload = 1 << (s.Mantissa - 1)
		}
		return sign | infinity | payload
	}
	if m == 0 {
		return sign
	}
	v := float64(math.Float32frombits(m))
	_, e := math.Frexp(v)
	e = max(e-1, s.minExponent())
	// Units of the last place: at most 2^24, exactly divided.
	units := math.Ldexp(v, int(s.Mantissa)-e)
	if r == NearestEven {
		units = math.RoundToEven(units)
	}
	return sign | min(uint32(e-s.minExponent())<<s.Mantissa+uint32(units), infinity)
}
