package float24

import "github.com/picaproof/picaproof/pica"

// Rounding is a direction of rounding.
type Rounding uint8

// The directions.
const (
	TowardZero  Rounding = iota // as libctru and picasso convert ordinary numbers
	NearestEven                 // ties to even
)

// Patterns of binary32.
const (
	sign32     = 0x80000000
	infinity32 = 0x7F800000
	nan32      = 0x7FC00000
	smallest32 = 0x20800000 // 2^-62, the smallest normal float24
	overflow32 = 0x5F800000 // 2^64, the first number that no float24 rounds down to
	smallestE  = smallest32 >> 23
	extraBits  = 7 // significand bits of binary32 that float24 lacks
)

// Round returns the binary32 pattern of the float24 that an executor loads for a
// binary32 uniform or attribute: f rounded to 17 significant bits, below 2^-62 to a
// multiple of 2^-78; infinity when that reaches 2^64. Every NaN becomes the
// canonical one. The sign is always kept.
func Round(f uint32, r Rounding) uint32 {
	sign, m := f&sign32, f&^sign32
	if m > infinity32 {
		return sign | nan32
	}
	// Drop the lowest n bits. A carry out of the significand correctly increments
	// the exponent.
	n := extraBits
	if e := int(m >> 23); e < smallestE {
		n += smallestE - e
	}
	if n > 23 { // below 2^-78; a tie at 2^-79 goes to zero
		if r == NearestEven && n == 24 && m&(1<<23-1) != 0 {
			return sign | (smallestE-16)<<23
		}
		return sign
	}
	if r == NearestEven {
		m += 1<<(n-1) - 1 + m>>n&1
	}
	if m = m &^ (1<<n - 1); m >= overflow32 {
		m = infinity32
	}
	return sign | m
}

// RoundVector rounds four patterns; patterns that are float24 already take a short path.
func RoundVector(to, from *pica.Vec4, r Rounding) {
	for k, f := range from {
		m := f &^ sign32
		if f&(1<<extraBits-1) == 0 && (m == 0 || m-smallest32 < overflow32-smallest32) {
			to[k] = f
		} else {
			to[k] = Round(f, r)
		}
	}
}
