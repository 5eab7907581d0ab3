package float24

import "github.com/picaproof/picaproof/pica"

// Whole registers at a time, with the ordinary case inline.

// DecodeVector decodes four raw patterns to binary32.
func DecodeVector(to, from *pica.Vec4) {
	for k, x := range from {
		if m := x & uint32(magnitude); m-uint32(MinNormal) < uint32(PosInf-MinNormal) {
			to[k] = x&uint32(SignBit)<<signShift | m<<extraBits + rebias
		} else {
			to[k] = Decode(Bits(x))
		}
	}
}

// EncodeVector is the inverse of DecodeVector: the values must be float24.
func EncodeVector(to, from *pica.Vec4) {
	for k, f := range from {
		if m := f &^ sign32; m-subnormal32 < inf32-subnormal32 {
			to[k] = f&sign32>>signShift | (m-rebias)>>extraBits
		} else {
			to[k] = uint32(Encode(f, TowardZero))
		}
	}
}

// tooLarge32 is 2^64, the first binary32 that no float24 rounds down to.
const tooLarge32 = 0x5F800000

// ConvertVector applies Convert to four binary32 patterns and decodes the
// result, so that the binary32 are those of float24.
func ConvertVector(to, from *pica.Vec4, r Rounding) {
	for k, f := range from {
		m := f &^ sign32
		if f&(1<<extraBits-1) == 0 && (m == 0 || m-subnormal32 < tooLarge32-subnormal32) {
			to[k] = f
		} else {
			to[k] = Decode(Convert(f, r))
		}
	}
}
