package shbingen

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/pica"
)

// tableFaults break rules about entries of tables, and about the masks that follow from the tables.
var tableFaults = slices.Concat(recordFaults("constants", ConstantFaults, (*draft).aConstant),
	recordFaults("labels", LabelFaults, (*draft).aLabel), recordFaults("outputs", OutputFaults, (*draft).anOutput),
	otherTableFaults)

var otherTableFaults = []fault{
	{rule: "DVLE036", spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
		k := e.Constants[d.constantOf(e, gen.Pick(d.c, allTypes))]
		again := Constant(d.c, k.Type)
		again.Register = k.Register
		e.Constants = append(e.Constants, gen.Only(d.c, []shbin.Constant{again}, nil)...)
		return element("constants", len(e.Constants)-1, "")
	})},

	{rule: "DVLE041", spoil: aDVLE(func(d *draft, e *shbin.DVLE) string { // the sum has 33 bits
		i := d.labelOf(e)
		l := &e.Labels[i]
		if p := &d.m.DVLP; len(p.Code) < 2 {
			p.Code = append(p.Code, uint32(pica.NOP)<<26)
			if len(p.Lines) > 0 { // one for each word
				p.Lines = append(p.Lines, p.Lines[0])
			}
		}
		l.Word = uint32(len(d.m.DVLP.Code))
		l.Length = wrong[uint32](d.c, shbin.NoLength-1, shbin.NoLength-1, 0)
		return element("labels", i, "length")
	})},
	// Loaders look at an output with a semantic, and pass over a dummy.
	{rule: "DVLE051", spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
		i := d.semanticOf(e)
		o := &e.Outputs[i]
		last, others := uint16(LastMapped), slices.Delete(slices.Clone(e.Outputs), i, i+1)
		for last != o.Register && freeComponents(others, last)&o.Mask != o.Mask {
			last--
		}
		if beyond := within[uint16](d.c, pica.NumOutputs, 0xFFFF); last == o.Register {
			o.Register = gen.Only(d.c, beyond, last)
		} else {
			o.Register = gen.Breach(d.c, beyond, last)
		}
		setMasks(e)
		return element("outputs", i, "register")
	})},
	{rule: "DVLE051", spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
		i := d.outputOf(e)
		o := &e.Outputs[i]
		o.Register = above[uint16](d.c, pica.NumOutputs-1)
		if d.c.Near() { // only a dummy of a vertex shader can have it
			e.Type, e.Merge, e.Geometry = shbin.VertexShader, 0, shbin.Geometry{}
			o.Semantic = shbin.Dummy
			e.Outputs = []shbin.Output{*o}
		}
		setMasks(e)
		return element("outputs", i, "register")
	})},
	{rule: "DVLE052", spoil: ofType(shbin.VertexShader, func(d *draft, e *shbin.DVLE) string {
		return d.unmap(e, d.semanticOf(e))
	})},
	{rule: "DVLE052", spoil: ofType(shbin.GeometryShader, func(d *draft, e *shbin.DVLE) string {
		return d.unmap(e, d.outputOf(e))
	})},
	// No component may be left.
	{rule: "DVLE056", instead: []string{"DVLE053"}, spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
		again := e.Outputs[d.outputOf(e)]
		again.Semantic = shbin.Dummy
		again.Mask |= uint16(d.c.Bits(4))
		again.Mask = gen.Breach(d.c, again.Mask, freeComponents(e.Outputs, again.Register))
		e.Outputs = append(e.Outputs, again)
		return element("outputs", len(e.Outputs)-1, "")
	})},
	{rule: "DVLE057", spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
		i := d.semanticOf(e)
		j := d.mappedBut(e, i)
		e.Outputs[j].Semantic = gen.Breach(d.c, e.Outputs[i].Semantic, shbin.Dummy)
		return element("outputs", max(i, j), "semantic")
	})},
	{rule: "DVLE011", spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
		gen.Change(d.c, &e.OutputMask)
		return "output_mask"
	})},

	// Another uniform may have the last register.
	{rule: "DVLE060", instead: []string{"DVLE066"}, spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
		i := d.uniformOf(e)
		u := e.Uniforms[i]
		e.Uniforms = slices.Delete(slices.Clone(e.Uniforms), i, i+1)
		u.First, u.Last = unknownRegister(d.c), within[shbin.Register](d.c, 0, 0xFFFF)
		u.Last = gen.Breach(d.c, u.Last, u.First)
		return element("uniforms", d.insertUniform(e, u), "first")
	})},
	// A range of one register has no other fault.
	{rule: "DVLE060", instead: []string{"DVLE066"}, spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
		i := d.uniformOf(e)
		u := e.Uniforms[i]
		e.Uniforms = slices.Delete(slices.Clone(e.Uniforms), i, i+1)
		u.First = unknownRegister(d.c)
		u.Last = u.First
		return element("uniforms", d.insertUniform(e, u), "first")
	})},
	{rule: "DVLE060", instead: []string{"DVLE065", "DVLE066"}, spoil: aUniform(func(d *draft, u *shbin.Uniform) string {
		u.Last = unknownRegister(d.c)
		u.First = gen.Breach(d.c, u.First, u.Last)
		return "last"
	})},
	{rule: "DVLE061", spoil: aUniform(func(d *draft, u *shbin.Uniform) string {
		class, _, _ := u.First.Class()
		u.Last = gen.Pick(d.c, slices.DeleteFunc(slices.Clone(knownRegisters), func(r shbin.Register) bool {
			other, _, _ := r.Class()
			return r >= u.First && other == class
		}))
		u.Last = gen.Breach(d.c, u.Last, u.First)
		return ""
	})},
	{rule: "DVLE065", spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
		i, j := d.twoUniforms(e)
		u := e.Uniforms[j]
		e.Uniforms = slices.Insert(slices.Delete(slices.Clone(e.Uniforms), j, j+1), gen.Only(d.c, i, j), u)
		return element("uniforms", i+1, "first")
	})},
	{rule: "DVLE066", spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
		u := e.Uniforms[d.uniformOf(e)]
		if gen.Only(d.c, false, true) {
			return element("uniforms", 0, "")
		}
		u.First = within(d.c, u.First, u.Last)
		u.Last = within(d.c, u.First, u.Last)
		return element("uniforms", d.addUniform(e, u), "")
	})},
	{rule: "DVLE067",
		spoil: aDVLE(func(d *draft, e *shbin.DVLE) string { return element("uniforms", d.widen(e), "") })},
	{rule: "DVLE012", spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
		gen.Change(d.c, &e.InputMask)
		return "input_mask"
	})},
}

// element is a field of an entry of a table, or all of the entry.
func element(table string, i int, field string) string {
	path := fmt.Sprintf("%s[%d]", table, i)
	if field != "" {
		path += "." + field
	}
	return path
}

// The following pick a record that can have a fault.

func (d *draft) aConstant(e *shbin.DVLE, f RecordFault[shbin.Constant]) (int, *shbin.Constant) {
	i := d.constantOf(e, gen.Pick(d.c, f.Types))
	return i, &e.Constants[i]
}

func (d *draft) aLabel(e *shbin.DVLE, _ RecordFault[shbin.Label]) (int, *shbin.Label) {
	i := d.labelOf(e)
	return i, &e.Labels[i]
}

func (d *draft) anOutput(e *shbin.DVLE, _ RecordFault[shbin.Output]) (int, *shbin.Output) {
	i := d.outputOf(e)
	return i, &e.Outputs[i]
}

// aUniform spoils one uniform; spoil returns the field.
func aUniform(spoil func(d *draft, u *shbin.Uniform) string) func(d *draft) place {
	return aDVLE(func(d *draft, e *shbin.DVLE) string {
		i := d.uniformOf(e)
		defer setMasks(e)
		return element("uniforms", i, spoil(d, &e.Uniforms[i]))
	})
}

// unmap gives an output a register that is not mapped and that no other has.
func (d *draft) unmap(e *shbin.DVLE, i int) string {
	var free []uint16
	for register := uint16(LastMapped + 1); register < pica.NumOutputs; register++ {
		if freeComponents(e.Outputs, register) == 15 {
			free = append(free, register)
		}
	}
	e.Outputs[i].Register = gen.Breach(d.c, gen.Pick(d.c, free), e.Outputs[i].Register)
	setMasks(e)
	return element("outputs", i, "register")
}

// unknownRegister draws a register number that no class has. In a near miss it is the
// last bool.
func unknownRegister(c *gen.Choices) shbin.Register {
	if c.Chance(8) {
		return wrong[shbin.Register](c, 0x74, 0x77, 0x87)
	}
	return wrong[shbin.Register](c, 0x88, 0xFFFF, 0x87)
}

// widen gives an input several registers and returns its index. It removes other inputs of these registers and gives
// their names to labels.
func (d *draft) widen(e *shbin.DVLE) int {
	i := d.inputOf(e)
	wide := e.Uniforms[i]
	const last = pica.NumInputs - 1
	wide.First = within(d.c, 0, min(wide.First, last-1))
	wide.Last = gen.Breach(d.c, within(d.c, max(wide.First+1, wide.Last), last), wide.First)
	others := slices.Delete(slices.Clone(e.Uniforms), i, i+1)
	e.Uniforms = slices.DeleteFunc(others, func(u shbin.Uniform) bool {
		covered := wide.First <= u.First && u.First <= wide.Last
		if covered {
			d.addLabel(e, u.Name)
		}
		return covered
	})
	return d.insertUniform(e, wide)
}
