package cover

import "github.com/picaproof/picaproof/pica"

// Class is one of the nine kinds of values at which arithmetic rules change.
type Class uint8

// The value classes, in ascending order.
const (
	NegInf Class = iota
	NegNormal
	NegSubnormal
	NegZero
	PosZero
	PosSubnormal
	PosNormal
	PosInf
	NaN
	NumClasses
)

var classNames = []string{"-inf", "-normal", "-subnormal", "-0", "+0", "+subnormal", "+normal", "+inf", "nan"}

// String returns "-subnormal", say.
func (c Class) String() string { return classNames[c] }

// ClassOf returns the class of a register component in the given storage.
func ClassOf(bits uint32, storage pica.Value) Class { return formats[storage].class(bits) }

// A format finds classes by a table over sign and exponent.
type format struct {
	mantissa uint8
	sign     uint32
	classes  [512][2]Class // with a mantissa of zero, with another
}

// formats is indexed by the value of pica.KnobStorage.
var formats = [...]format{
	pica.StorageF24: makeFormat(16, 7),
	pica.StorageF32: makeFormat(23, 8),
}

func makeFormat(mantissa, exponent uint8) format {
	f := format{mantissa: mantissa, sign: 1 << (mantissa + exponent)}
	for head := range 2 << exponent {
		c := [2]Class{PosNormal, PosNormal}
		switch head & (1<<exponent - 1) {
		case 0:
			c = [2]Class{PosZero, PosSubnormal}
		case 1<<exponent - 1:
			c = [2]Class{PosInf, NaN}
		}
		if head>>exponent != 0 {
			for k := range c {
				if c[k] != NaN {
					c[k] = NaN - 1 - c[k] // the classes mirror around zero
				}
			}
		}
		f.classes[head] = c
	}
	return f
}

func (f *format) class(bits uint32) Class {
	nonzero := 0
	if bits&(1<<f.mantissa-1) != 0 {
		nonzero = 1
	}
	return f.classes[bits>>f.mantissa&511][nonzero]
}
