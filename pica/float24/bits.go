package float24

import "math"

// Bits is a float24 pattern: sign at bit 23, exponent at 22:16, mantissa at
// 15:0. The upper eight bits are ignored by every function that takes one.
type Bits uint32

// Patterns with a name.
const (
	Zero        Bits = 0x000000
	MinNormal   Bits = 0x010000 // 2^-62
	One         Bits = 0x3F0000
	MaxFinite   Bits = 0x7EFFFF
	PosInf      Bits = 0x7F0000
	QNaN        Bits = 0x7F8000 // the NaN that arithmetic produces
	NegInf      Bits = 0xFF0000
	LitpMax     Bits = 0x45FFFC // 127.99609375, the bound that LITP clamps to
	LitpMin     Bits = 0xC5FFFC
	SignBit     Bits = 0x800000
	magnitude   Bits = 0x7FFFFF
	mantissa    Bits = 0x00FFFF
	mantissaLen      = 16
	bias             = 63
)

// binary32 and how a float24 lies in it: 7 more mantissa bits, a bias that is
// 64 higher, the sign 8 bits further up.
const (
	sign32      = 0x80000000
	inf32       = 0x7F800000
	mantissa32  = 0x007FFFFF
	extraBits   = 7
	rebias      = 64 << 23
	signShift   = 8
	subnormal32 = 0x20800000 // 2^-62: binary32 patterns below are no normal float24
)

// Exponent returns the biased exponent, 0 to 127.
func (x Bits) Exponent() int { return int(x&magnitude) >> mantissaLen }

// IsNaN reports whether x is a NaN.
func (x Bits) IsNaN() bool { return x&magnitude > PosInf }

// IsInf reports whether x is an infinity.
func (x Bits) IsInf() bool { return x&magnitude == PosInf }

// IsZero reports whether x is a zero of either sign.
func (x Bits) IsZero() bool { return x&magnitude == 0 }

// IsSubnormal reports whether x is a nonzero number below 2^-62.
func (x Bits) IsSubnormal() bool { return x&magnitude-1 < MinNormal-1 }

// Negate flips the sign, of zeros and NaNs too.
func (x Bits) Negate() Bits { return (x ^ SignBit) & (SignBit | magnitude) }

// Float64 returns the exact value. The payload of a NaN does not survive.
func (x Bits) Float64() float64 { return float64(math.Float32frombits(Decode(x))) }
