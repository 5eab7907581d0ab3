package pica

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
)

// NumberFormat is a binary floating-point format: from the top the sign, the
// exponent and the significand without its hidden bit. Exponent field 0 holds
// zeros and subnormals, the highest one infinities (significand 0) and NaNs.
//
//	format   sign exponent significand  bias  used for
//	Float24  1    7        16           63    registers of the console, constants in files
//	Float32  1    8        23           127   IEEE 754 binary32: uploads, registers of most emulators
//
// Every Float24 is exactly a Float32. Numbers are patterns in a uint32; bits
// above the format are ignored unless a method says otherwise. Nothing here
// rounds: rounding is arithmetic, and belongs to the engines.
type NumberFormat uint8

// The number formats; those of registers are also the values of the knob Storage.
const (
	Float24 NumberFormat = iota
	Float32
	NumNumberFormats
)

// numberLayout holds the fields of a format and constants derived from them.
type numberLayout struct {
	name                  string
	significand, exponent Field
	sign                  uint32
	infinity              uint32 // +infinity, which is the mask of the exponent field too
	classes               *[512][2]NumberClass
}

var numberLayouts = [NumNumberFormats]numberLayout{
	Float24: makeNumberLayout("float24", 16, 7),
	Float32: makeNumberLayout("float32", 23, 8),
}

func makeNumberLayout(name string, significand, exponent uint8) numberLayout {
	l := numberLayout{name: name, significand: Field{0, significand}, exponent: Field{significand, exponent}}
	l.sign, l.infinity = 1<<(significand+exponent), l.exponent.Mask()
	l.classes = makeNumberClasses(exponent)
	return l
}

// String returns "float24" or "float32".
func (f NumberFormat) String() string {
	if f < NumNumberFormats {
		return numberLayouts[f].name
	}
	return fmt.Sprintf("NumberFormat(%d)", uint8(f))
}

// Sign returns the sign bit.
func (f NumberFormat) Sign() uint32 { return numberLayouts[f].sign }

// Infinity returns the pattern of +infinity.
func (f NumberFormat) Infinity() uint32 { return numberLayouts[f].infinity }

// One returns the pattern of 1.
func (f NumberFormat) One() uint32 { return uint32(f.Bias()) << f.SignificandBits() }

// Bias returns the exponent field of 1.
func (f NumberFormat) Bias() int { return 1<<(numberLayouts[f].exponent.Width-1) - 1 }

// SignificandBits returns the width of the significand, the hidden bit not
// counted.
func (f NumberFormat) SignificandBits() int { return int(numberLayouts[f].significand.Width) }

// Fields returns the positions of the exponent and the significand.
func (f NumberFormat) Fields() (exponent, significand Field) {
	l := &numberLayouts[f]
	return l.exponent, l.significand
}

// Significand returns the significand field of x, without the hidden bit.
func (f NumberFormat) Significand(x uint32) uint32 { return numberLayouts[f].significand.Get(x) }

// Exponent returns the exponent field of x.
func (f NumberFormat) Exponent(x uint32) int { return int(numberLayouts[f].exponent.Get(x)) }

// Fits reports whether x has no bit above the format.
func (f NumberFormat) Fits(x uint32) bool { return uint64(x) < 2*uint64(numberLayouts[f].sign) }

// Digits returns the number of hexadecimal digits of a pattern.
func (f NumberFormat) Digits() int { return bits.Len32(f.Sign()) / 4 }

// Hex returns the pattern with all its digits, "3f0000" say.
func (f NumberFormat) Hex(x uint32) string { return fmt.Sprintf("%0*x", f.Digits(), x) }

// Ordinal numbers the patterns in the order of their values: neighbours differ
// by 1, both zeros have ordinal 0, infinities are the outermost numbers, NaNs lie beyond them.
func (f NumberFormat) Ordinal(x uint32) int64 {
	sign := f.Sign()
	magnitude := int64(x & (sign - 1))
	if x&sign != 0 {
		return -magnitude
	}
	return magnitude
}

// Widen returns the Float32 pattern of the same value. It is exact for every
// number; a NaN keeps its sign and, in the upper bits, its significand.
func (f NumberFormat) Widen(x uint32) uint32 {
	if m := x & (sign24 - 1); f == Float24 && m-minNormal24 < infinity24-minNormal24 {
		return x&sign24<<signShift | m<<extraBits + rebias
	}
	return f.widenSpecial(x)
}

// Narrow is the inverse of Widen for a Float32 pattern whose value the format has.
// A NaN keeps the upper bits of its significand; other numbers lose bits.
func (f NumberFormat) Narrow(x uint32) uint32 {
	if m := x & (sign32 - 1); f == Float24 && m-minNormal32 < overflow32-minNormal32 {
		return x&sign32>>signShift | (m-rebias)>>extraBits
	}
	return f.narrowSpecial(x)
}

// A Float24 inside Float32 has seven more bits of significand, a bias that is 64
// higher, and the sign eight bits further up.
const (
	sign24       = 1 << 23
	infinity24   = 0x7F0000
	minNormal24  = 0x010000
	sign32       = 1 << 31
	infinity32   = 0x7F800000
	hidden32     = 1 << 23
	minNormal32  = 0x20800000 // 2^-62, the smallest normal Float24
	overflow32   = 0x5F800000 // 2^64, the first number above the range of Float24
	extraBits    = 7
	signShift    = 8
	rebias       = 64 << 23
	subnormalLog = -78 // the smallest Float24 is 2^-78
)

// WidenVector widens four patterns, see [NumberFormat.Widen].
func (f NumberFormat) WidenVector(to, from *Vec4) {
	if f == Float32 {
		*to = *from
		return
	}
	f.widenVector24(to, from)
}

// widenVector24 is WidenVector of Float24, apart so that a copy needs no call.
func (f NumberFormat) widenVector24(to, from *Vec4) {
	for k, x := range from {
		if m := x & (sign24 - 1); m-minNormal24 < infinity24-minNormal24 { // Widen, inline
			to[k] = x&sign24<<signShift | m<<extraBits + rebias
		} else {
			to[k] = f.widenSpecial(x)
		}
	}
}

// NarrowVector narrows four patterns, see [NumberFormat.Narrow].
func (f NumberFormat) NarrowVector(to, from *Vec4) {
	if f == Float32 {
		*to = *from
		return
	}
	f.narrowVector24(to, from)
}

// narrowVector24 is NarrowVector of Float24.
func (f NumberFormat) narrowVector24(to, from *Vec4) {
	for k, x := range from {
		if m := x & (sign32 - 1); m-minNormal32 < overflow32-minNormal32 { // Narrow, inline
			to[k] = x&sign32>>signShift | (m-rebias)>>extraBits
		} else {
			to[k] = f.narrowSpecial(x)
		}
	}
}

// widenSpecial widens everything but normal numbers of Float24.
func (f NumberFormat) widenSpecial(x uint32) uint32 {
	if f == Float32 {
		return x
	}
	sign, m := x&sign24<<signShift, x&(sign24-1)
	switch {
	case m >= infinity24:
		return sign | infinity32 | m<<extraBits&(hidden32-1)
	case m == 0:
		return sign
	}
	// A subnormal is m * 2^-78: its leading bit becomes the hidden one.
	lead := bits.Len32(m)
	return sign | uint32(lead-1+subnormalLog+127)<<23 | m<<(24-lead)&(hidden32-1)
}

// narrowSpecial narrows everything but normal numbers of Float24.
func (f NumberFormat) narrowSpecial(x uint32) uint32 {
	if f == Float32 {
		return x
	}
	sign, m := x&sign32>>signShift, x&(sign32-1)
	if m >= overflow32 {
		return sign | infinity24 | m>>extraBits&(minNormal24-1)
	}
	// (significand * 2^(exponent-150)) in units of 2^-78.
	return sign | (m&(hidden32-1)|hidden32)>>min(150+subnormalLog-m>>23, 31)
}

// Integer returns the pattern of n, cut toward zero to the significand; n must
// be in the range of the format, as every integer below 2^63 is.
func (f NumberFormat) Integer(n int64) uint32 {
	if n == 0 {
		return 0
	}
	sign, m := uint32(0), uint64(n)
	if n < 0 {
		sign, m = f.Sign(), uint64(-n)
	}
	exponent := bits.Len64(m) - 1
	significand := uint32(m << (63 - exponent) << 1 >> (64 - f.SignificandBits()))
	return sign | uint32(f.Bias()+exponent)<<f.SignificandBits() | significand
}

// Decimal returns the value of x as the shortest decimal that parses to the same
// binary32 number, or "+Inf", "-Inf" or "NaN".
func (f NumberFormat) Decimal(x uint32) string {
	return strconv.FormatFloat(float64(math.Float32frombits(f.Widen(x))), 'g', -1, 32)
}

// Show returns value and pattern, "1 (0x3f0000)"; of a pattern with bits above the
// format, the pattern alone.
func (f NumberFormat) Show(x uint32) string {
	if !f.Fits(x) {
		return fmt.Sprintf("0x%08x", x)
	}
	return fmt.Sprintf("%s (0x%s)", f.Decimal(x), f.Hex(x))
}

// NumberClass is one of the nine kinds of numbers that the rules of arithmetic
// distinguish.
type NumberClass uint8

// The classes, in ascending order.
const (
	ClassNegInf NumberClass = iota
	ClassNegNormal
	ClassNegSubnormal
	ClassNegZero
	ClassPosZero
	ClassPosSubnormal
	ClassPosNormal
	ClassPosInf
	ClassNaN
	NumNumberClasses
)

var numberClassNames = [NumNumberClasses]string{
	"-inf", "-normal", "-subnormal", "-0", "+0", "+subnormal", "+normal", "+inf", "nan"}

// String returns "-subnormal", say.
func (c NumberClass) String() string {
	if c < NumNumberClasses {
		return numberClassNames[c]
	}
	return fmt.Sprintf("NumberClass(%d)", uint8(c))
}

// makeNumberClasses returns the classes by sign and exponent field, first for a
// significand of zero, then for any other.
func makeNumberClasses(exponent uint8) *[512][2]NumberClass {
	t := new([512][2]NumberClass)
	top := 1<<exponent - 1
	for head := range 2 << exponent {
		c := [2]NumberClass{ClassPosNormal, ClassPosNormal}
		switch head & top {
		case 0:
			c = [2]NumberClass{ClassPosZero, ClassPosSubnormal}
		case top:
			c = [2]NumberClass{ClassPosInf, ClassNaN}
		}
		if head > top {
			for k := range c {
				if c[k] != ClassNaN {
					c[k] = ClassPosInf - c[k] // the classes mirror around zero
				}
			}
		}
		t[head] = c
	}
	return t
}

// Class returns the class of x, which must fit the format.
func (f NumberFormat) Class(x uint32) NumberClass {
	l := &numberLayouts[f]
	nonzero := 0
	if l.significand.Get(x) != 0 {
		nonzero = 1
	}
	return l.classes[x>>l.significand.Width&511][nonzero]
}
