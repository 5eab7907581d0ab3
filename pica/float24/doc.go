// Package float24 converts between the number formats of the PICA200 and
// binary32, and computes in float24 as the fast executor does. The oracle has
// its own, slower arithmetic and shares nothing with this package.
//
//	format   sign exponent mantissa  bias  used for
//	float24  1    7        16        63    registers, uniforms, immediate attributes
//	float20  1    7        12        63    some GPU registers
//	float16  1    5        10        15    some GPU registers
//	float31  1    7        23        63    fog and texture registers
//
// An exponent of 0 means zero or a subnormal, the highest one an infinity or a
// NaN; for float24 this was seen on consoles (3dbrew). A float24 is 0x3F0000
// for 1.0, 2^-62 (0x010000) is the smallest normal number and the largest
// finite one is (2-2^-16)*2^63 (0x7EFFFF). Every float24 is exactly a binary32.
//
// How the console rounds is not known. Two models are implemented: Nearest, the
// correctly rounded reference (profile f24), and Truncating, the best public
// guess (profile hw). Neither has more than one definition of any result, so
// all hosts compute the same bits: sums and products of two float24 are exact
// in binary64, or nearly so with the error known. No sum of products is written
// where contracting it into a fused operation could change a result.
package float24
