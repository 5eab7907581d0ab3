package shbingen

import (
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/pica"
)

// The entries of the tables of a DVLE. A DVOJ has the same entries.

// Registers is the number of registers of each constant type.
var Registers = [...]uint8{shbin.Bool: pica.NumBools, shbin.Int: pica.NumInts, shbin.Float: pica.NumFloats}

// Constant draws a constant of a type.
func Constant(c *gen.Choices, t shbin.ConstantType) shbin.Constant {
	k := gen.Free[shbin.Constant](c, fields, false)
	k.Type, k.Reserved1, k.Register, k.Reserved3 = t, 0, within(c, 0, Registers[t]-1), 0
	k.Payload = payload(c, t)
	return k
}

// payload draws the value of a constant.
func payload(c *gen.Choices, t shbin.ConstantType) shbin.Payload {
	component := func() uint32 { return uint32(c.Within(0, 1<<24-1)) }
	switch t {
	case shbin.Bool:
		return shbin.BoolConstant(0, c.Bits(1) != 0).Payload
	case shbin.Int:
		v := component()
		return shbin.IntConstant(0, uint8(v), uint8(v>>8), uint8(v>>16), uint8(c.Bits(8))).Payload
	}
	return shbin.FloatConstant(0, component(), component(), component(), component()).Payload
}

// Label draws the label at an index of its table, without its name.
func Label(c *gen.Choices, index int, words uint32) shbin.Label {
	l := gen.Free[shbin.Label](c, fields, false)
	l.ID, l.Flags, l.Word, l.Length, l.Name = uint16(index), 1, within(c, 0, words), shbin.NoLength, 0
	if c.Chance(8) {
		l.Length = within(c, 0, words-l.Word)
	}
	return l
}

// Semantics are the semantics that one output may have, dummy aside.
var Semantics = []shbin.Semantic{
	shbin.Position, shbin.NormalQuat, shbin.Color, shbin.TexCoord0, shbin.TexCoord0W, shbin.TexCoord1, shbin.TexCoord2,
	shbin.ViewVector,
}

// LastMapped is the highest register of an output that is not a dummy.
const LastMapped = 6

// Dummy draws an output of all components of a register without a semantic.
func Dummy(c *gen.Choices, register uint16) shbin.Output {
	o := gen.Free[shbin.Output](c, fields, false)
	o.Semantic, o.Register, o.Mask, o.Unknown = shbin.Dummy, register, 15, 0
	return o
}

// RegisterClass is a class of registers of a uniform table.
type RegisterClass struct{ First, Last shbin.Register }

// RegisterClasses are the register classes, inputs first.
var RegisterClasses = []RegisterClass{
	{shbin.FirstInput, shbin.FirstInput + pica.NumInputs - 1},
	{shbin.FirstFloat, shbin.FirstFloat + pica.NumFloats - 1},
	{shbin.FirstInt, shbin.FirstInt + pica.NumInts - 1},
	{shbin.FirstBool, shbin.FirstBool + pica.NumBools - 1},
}

// Uniform draws a uniform of one register, without its name.
func Uniform(c *gen.Choices, register shbin.Register) shbin.Uniform {
	u := gen.Free[shbin.Uniform](c, fields, false)
	u.Name, u.First, u.Last = 0, register, register
	return u
}

// Masks returns the input and output masks that tables ask for.
func Masks(t *shbin.Tables) (input, output uint16) {
	for _, u := range t.Uniforms {
		if u.First <= u.Last && u.Last <= RegisterClasses[0].Last {
			input |= uint16(1<<(u.Last+1) - 1<<u.First)
		}
	}
	for _, o := range t.Outputs {
		if o.Register < pica.NumOutputs {
			output |= 1 << o.Register
		}
	}
	return input, output
}

// setMasks computes the input mask and the output mask of a DVLE from its tables.
func setMasks(e *shbin.DVLE) { e.InputMask, e.OutputMask = Masks(&e.Tables) }
