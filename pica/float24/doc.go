// Package float24 serves this module: it computes in float24, the number format of the PICA200's
// registers, as the fast executor does, in binary64, which contains every float24. The oracle has
// its own, slower arithmetic and shares nothing with this package.
//
// How the console rounds is not known. Two models are implemented. Names without
// a suffix and with Nearest belong to the correctly rounded one (profile f24):
// to nearest even, gradual underflow, signed zeros. Names with Truncated and Cut
// belong to the best public guess (profile hw): sums and products are rounded
// toward zero, and zeros and subnormals are +0, before (Flush) and after.
//
// Every result has one definition, so all hosts compute the same bits: sums and
// products of two float24 are exact in binary64, or nearly so with the error
// known. No sum of products is written where contracting it into a fused
// operation could change a result.
package float24
