package float24

import "math/bits"

// Decode returns the binary32 pattern of the same value: exact for every
// number, and for a NaN with its mantissa moved up, as Azahar does.
func Decode(x Bits) uint32 {
	sign := uint32(x&SignBit) << signShift
	m := uint32(x & magnitude)
	switch {
	case m-uint32(MinNormal) < uint32(PosInf-MinNormal):
		return sign | m<<extraBits + rebias
	case m >= uint32(PosInf):
		return sign | inf32 | m<<extraBits&mantissa32
	case m == 0:
		return sign
	}
	// m * 2^-78: shift the leading one out, its weight is the exponent.
	lead := bits.Len32(m)
	return sign | uint32(lead-1-78+127)<<23 | m<<(24-lead)&mantissa32
}

// DecodeHiddenOne decodes as Panda3DS and Citra do: exact but for subnormals,
// which become (1 + m/65536) * 2^-63.
func DecodeHiddenOne(x Bits) uint32 {
	if x.IsSubnormal() {
		return uint32(x&SignBit)<<signShift | uint32(x&magnitude)<<extraBits + rebias
	}
	return Decode(x)
}

// DecodeMikage decodes as Mikage does: everything with exponent 0 becomes +0,
// and exponent 127 is an ordinary one, so that an infinity is 2^64.
func DecodeMikage(x Bits) uint32 {
	if x.Exponent() == 0 {
		return 0
	}
	return uint32(x&SignBit)<<signShift | uint32(x&magnitude)<<extraBits + rebias
}
