package shbingen

import (
	"cmp"
	"slices"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/pica"
)

// addDVLE appends a DVLE of a type and returns its index.
func (d *draft) addDVLE(t shbin.Type) int {
	c, p := d.c, &d.m.DVLP
	words := uint32(len(p.Code))
	e := gen.Free[shbin.DVLE](c, fields, false)
	e.Version, e.Type = uint16(p.Version), t
	last := words - 1
	if t == shbin.VertexShader {
		last = min(last, pica.MaxVertexCode-1)
	}
	e.Entry = within(c, 0, last)
	e.End = within(c, e.Entry+1, words)
	if e.Geometry = geometry(c, shbin.Mode(c.Below(3))); t == shbin.VertexShader {
		e.Merge, e.Geometry = 0, shbin.Geometry{}
	}
	d.object(&e).Draw(t)
	setMasks(&e)
	d.m.DVLEs = append(d.m.DVLEs, e)
	return len(d.m.DVLEs) - 1
}

// Draw draws the tables of an object of a type.
func (o *Object) Draw(t shbin.Type) {
	c := o.Choices
	o.Constants, o.Outputs, o.Labels = constants(c), outputs(c, t), nil
	var names names
	for i := range few(c, 0, 4, 20) {
		o.Labels = append(o.Labels, Label(c, i, o.Words))
		names.add(labelName(c))
	}
	o.Uniforms = uniforms(c)
	for i := range o.Uniforms {
		names.add(names.fresh(c, i))
	}
	o.Symbols = names.pack(c, o.Tables)
}

// Limits of the geometry parameters.
const (
	maxVariableCount = 32
	maxFixedCount    = 16
)

// geometry draws the parameters that a mode uses.
func geometry(c *gen.Choices, mode shbin.Mode) shbin.Geometry {
	g := gen.Free[shbin.Geometry](c, fields, false)
	g.Mode, g.First, g.Variable, g.Fixed = mode, 0, 0, 0
	switch mode {
	case shbin.Variable:
		g.Variable = within[uint8](c, 1, maxVariableCount)
	case shbin.Fixed:
		g.First, g.Fixed = within[uint8](c, 0, pica.NumFloats-1), within[uint8](c, 1, maxFixedCount)
	}
	return g
}

func constants(c *gen.Choices) (table []shbin.Constant) {
	for range few(c, 0, 4, 40) {
		k := Constant(c, shbin.ConstantType(c.Below(3)))
		if !slices.ContainsFunc(table,
			func(o shbin.Constant) bool { return o.Type == k.Type && o.Register == k.Register }) {
			table = append(table, k)
		}
	}
	return table
}

func outputs(c *gen.Choices, t shbin.Type) (table []shbin.Output) {
	order := gen.Order(c, len(Semantics))
	for i := range few(c, 0, 5, len(Semantics)) {
		o := Dummy(c, 0)
		if c.Chance(12) {
			o.Semantic = Semantics[order[i]]
		}
		last := uint16(LastMapped)
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

// uniforms draws sorted ranges without overlap and without names.
func uniforms(c *gen.Choices) (table []shbin.Uniform) {
	for range few(c, 0, 5, 24) {
		class := gen.Pick(c, RegisterClasses)
		u := Uniform(c, within(c, class.First, class.Last))
		if class.First != shbin.FirstInput && c.Chance(8) {
			u.Last = within(c, u.First, class.Last)
		}
		if !slices.ContainsFunc(table, func(o shbin.Uniform) bool { return o.First <= u.Last && u.First <= o.Last }) {
			table = append(table, u)
		}
	}
	slices.SortFunc(table, func(a, b shbin.Uniform) int { return cmp.Compare(a.First, b.First) })
	return table
}
