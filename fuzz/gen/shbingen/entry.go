package shbingen

import (
	"cmp"
	"slices"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/pica"
)

// addEntry appends an entry point of a type and returns its index.
func (d *draft) addEntry(t shbin.Type) int {
	c, p := d.c, &d.m.Program
	words := uint32(len(p.Code))
	e := shbin.DVLE{Version: uint16(p.Version), Type: t}
	last := words - 1
	if t == shbin.VertexShader {
		last = min(last, pica.MaxVertexCode-1)
	}
	e.Entry = within(c, 0, last)
	e.End = within(c, e.Entry+1, words)
	if t == shbin.GeometryShader {
		e.Merge = uint8(c.Bits(1))
		e.Geometry = geometry(c, shbin.Mode(c.Below(3)))
	}
	e.Constants = constants(c)
	e.Outputs = outputs(c, t)
	var names names
	for i := range few(c, 0, 4, 20) {
		e.Labels = append(e.Labels, label(c, i, words))
		names.add(labelName(c))
	}
	e.Uniforms = uniforms(c)
	for i := range e.Uniforms {
		names.add(names.fresh(c, i))
	}
	e.Symbols = names.pack(c, &e)
	setMasks(&e)
	d.m.Entries = append(d.m.Entries, e)
	return len(d.m.Entries) - 1
}

// Limits of the geometry parameters.
const (
	maxVariableCount = 32
	maxFixedCount    = 16
)

// geometry draws the parameters that a mode uses.
func geometry(c *gen.Choices, mode shbin.Mode) shbin.Geometry {
	g := shbin.Geometry{Mode: mode}
	switch mode {
	case shbin.Variable:
		g.Variable = within[uint8](c, 1, maxVariableCount)
	case shbin.Fixed:
		g.First, g.Fixed = within[uint8](c, 0, pica.NumFloats-1), within[uint8](c, 1, maxFixedCount)
	}
	return g
}

// setMasks sets the input and output masks to what the tables say.
func setMasks(e *shbin.DVLE) {
	e.InputMask, e.OutputMask = 0, 0
	for _, u := range e.Uniforms {
		first, _, firstOK := u.First.Class()
		last, _, lastOK := u.Last.Class()
		if firstOK && lastOK && first == 'v' && last == 'v' && u.First <= u.Last {
			e.InputMask |= uint16(1<<(u.Last+1) - 1<<u.First)
		}
	}
	for _, o := range e.Outputs {
		if o.Register < pica.NumOutputs {
			e.OutputMask |= 1 << o.Register
		}
	}
}

// registers is the number of registers of each constant type.
var registers = [...]uint8{shbin.Bool: pica.NumBools, shbin.Int: pica.NumInts, shbin.Float: pica.NumFloats}

func constants(c *gen.Choices) (table []shbin.Constant) {
	for range few(c, 0, 4, 40) {
		k := constant(c, shbin.ConstantType(c.Below(3)))
		if !slices.ContainsFunc(table, func(o shbin.Constant) bool { return o.Type == k.Type && o.Register == k.Register }) {
			table = append(table, k)
		}
	}
	return table
}

// constant draws a constant of a type.
func constant(c *gen.Choices, t shbin.ConstantType) shbin.Constant {
	register := within(c, 0, registers[t]-1)
	component := func() uint32 { return uint32(c.Within(0, 1<<24-1)) }
	switch t {
	case shbin.Bool:
		return shbin.BoolConstant(register, c.Bits(1) != 0)
	case shbin.Int:
		v := component()
		return shbin.IntConstant(register, uint8(v), uint8(v>>8), uint8(v>>16), uint8(c.Bits(8)))
	}
	return shbin.FloatConstant(register, component(), component(), component(), component())
}

// label draws the label at an index of its table, without its name.
func label(c *gen.Choices, index int, words uint32) shbin.Label {
	l := shbin.Label{ID: uint16(index), Flags: 1, Word: within(c, 0, words), Length: shbin.NoLength}
	if c.Chance(8) {
		l.Length = within(c, 0, words-l.Word)
	}
	return l
}

// semantics are those that one output may have.
var semantics = []shbin.Semantic{
	shbin.Position, shbin.NormalQuat, shbin.Color, shbin.TexCoord0, shbin.TexCoord0W, shbin.TexCoord1, shbin.TexCoord2, shbin.ViewVector,
}

// lastMapped is the highest register of an output that is not a dummy.
const lastMapped = 6

func outputs(c *gen.Choices, t shbin.Type) (table []shbin.Output) {
	order := permutation(c, len(semantics))
	for i := range few(c, 0, 5, len(semantics)) {
		o := shbin.Output{Semantic: shbin.Dummy, Mask: 15}
		if c.Chance(12) {
			o.Semantic = semantics[order[i]]
		}
		last := uint16(lastMapped)
		if o.Semantic == shbin.Dummy && t == shbin.VertexShader {
			last = pica.NumOutputs - 1
		}
		o.Register = within(c, 0, last)
		if c.Chance(8) {
			o.Mask = within[uint16](c, 1, 15)
		}
		if o.Mask &= freeComponents(table, o.Register); o.Mask != 0 {
			table = append(table, o)
		}
	}
	return table
}

// freeComponents returns the components of a register that no output has.
func freeComponents(table []shbin.Output, register uint16) uint16 {
	free := uint16(15)
	for _, o := range table {
		if o.Register == register {
			free &^= o.Mask
		}
	}
	return free
}

// classes are the register classes of a uniform table.
var classes = []struct {
	first shbin.Register
	count int
}{
	{shbin.FirstInput, pica.NumInputs},
	{shbin.FirstFloat, pica.NumFloats},
	{shbin.FirstInt, pica.NumInts},
	{shbin.FirstBool, pica.NumBools},
}

// uniforms draws sorted ranges without overlap and without names.
func uniforms(c *gen.Choices) (table []shbin.Uniform) {
	for range few(c, 0, 5, 24) {
		class := gen.Pick(c, classes)
		end := class.first + shbin.Register(class.count) - 1
		u := shbin.Uniform{First: within(c, class.first, end)}
		u.Last = u.First
		if class.first != shbin.FirstInput && c.Chance(8) {
			u.Last = within(c, u.First, end)
		}
		if !slices.ContainsFunc(table, func(o shbin.Uniform) bool { return o.First <= u.Last && u.First <= o.Last }) {
			table = append(table, u)
		}
	}
	slices.SortFunc(table, func(a, b shbin.Uniform) int { return cmp.Compare(a.First, b.First) })
	return table
}
