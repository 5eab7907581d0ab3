package float24

import "github.com/picaproof/picaproof/pica"

// Pack returns the three words of a uniform upload in float24 mode, first word
// written first:
//
//	word 0  w[23:0] z[23:16]
//	word 1  z[15:0] y[23:8]
//	word 2  y[7:0]  x[23:0]
func Pack(v pica.Vec4) [3]uint32 {
	const mask = uint32(SignBit | magnitude)
	x, y, z, w := v[0]&mask, v[1]&mask, v[2]&mask, v[3]&mask
	return [3]uint32{w<<8 | z>>16, z<<16 | y>>8, y<<24 | x}
}

// Unpack is the inverse of Pack.
func Unpack(words [3]uint32) pica.Vec4 {
	const mask = uint32(SignBit | magnitude)
	return pica.Vec4{
		words[2] & mask,
		(words[1]<<8 | words[2]>>24) & mask,
		(words[0]<<16 | words[1]>>16) & mask,
		words[0] >> 8,
	}
}

// PackFloat32 returns the four words of an upload in float32 mode: w comes
// first. It is its own inverse.
func PackFloat32(v pica.Vec4) pica.Vec4 { return pica.Vec4{v[3], v[2], v[1], v[0]} }
