package shbingen

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/pica"
)

// tableFaults are those of the entries of tables and of the masks that follow
// from them.
var tableFaults = []fault{
	{rule: "DVLE030", spoil: aConstant(func(d *draft, k *shbin.Constant) string {
		k.Type = within(d.c, shbin.Float+1, 0xFF)
		return "type"
	}, allTypes...)},
	{rule: "DVLE031", spoil: aConstant(func(d *draft, k *shbin.Constant) string {
		k.Reserved1, k.Reserved3 = within[uint8](d.c, 1, 0xFF), uint8(d.c.Bits(8))
		return "reserved1"
	}, allTypes...)},
	{rule: "DVLE031", spoil: aConstant(func(d *draft, k *shbin.Constant) string {
		k.Reserved3 = above[uint8](d.c, 0)
		return "reserved3"
	}, allTypes...)},
	// Another constant may have the last register.
	{rule: "DVLE032", instead: []string{"DVLE036"}, spoil: aConstant(func(d *draft, k *shbin.Constant) string {
		k.Register = above(d.c, Registers[k.Type]-1)
		return "register"
	}, allTypes...)},
	{rule: "DVLE033", spoil: aConstant(func(d *draft, k *shbin.Constant) string {
		setWord(k, 0, above[uint32](d.c, 1))
		return "payload.value"
	}, shbin.Bool)},
	{rule: "DVLE034", spoil: aConstant(setRest, shbin.Bool)},
	{rule: "DVLE034", spoil: aConstant(setRest, shbin.Int)},
	{rule: "DVLE035", spoil: aConstant(func(d *draft, k *shbin.Constant) string {
		i := d.c.Below(4)
		for j := i; j < 4; j++ {
			setWord(k, j, above[uint32](d.c, 1<<24-1))
		}
		return []string{"payload.x", "payload.y", "payload.z", "payload.w"}[i]
	}, shbin.Float)},
	{rule: "DVLE036", spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
		k := e.Constants[d.constantOf(e, gen.Pick(d.c, allTypes))]
		again := Constant(d.c, k.Type)
		again.Register = k.Register
		e.Constants = append(e.Constants, again)
		return element("constants", len(e.Constants)-1, "")
	})},

	{rule: "DVLE040", spoil: aLabel(func(d *draft, l *shbin.Label) string {
		l.Word, l.Length = above(d.c, uint32(len(d.m.DVLP.Code))), shbin.NoLength
		return "word"
	})},
	{rule: "DVLE041", spoil: aLabel(func(d *draft, l *shbin.Label) string {
		room := uint32(len(d.m.DVLP.Code)) - l.Word
		l.Length = wrong(d.c, room+1, shbin.NoLength-1, room)
		return "length"
	})},
	{rule: "DVLE041", spoil: aLabel(func(d *draft, l *shbin.Label) string { // the sum has 33 bits
		if p := &d.m.DVLP; len(p.Code) < 2 {
			p.Code = append(p.Code, uint32(pica.NOP)<<26)
			if len(p.Lines) > 0 { // one for each word
				p.Lines = append(p.Lines, p.Lines[0])
			}
		}
		l.Word = uint32(len(d.m.DVLP.Code))
		l.Length = wrong[uint32](d.c, shbin.NoLength-1, shbin.NoLength-1, 0)
		return "length"
	})},
	{rule: "DVLE043", spoil: aLabel(func(d *draft, l *shbin.Label) string {
		flip(d.c, &l.ID)
		return "id"
	})},
	{rule: "DVLE044", spoil: aLabel(func(d *draft, l *shbin.Label) string {
		flip(d.c, &l.Flags)
		return "flags"
	})},

	{rule: "DVLE050", spoil: anOutput(func(d *draft, o *shbin.Output) string {
		if o.Semantic = 7; d.c.Chance(8) {
			o.Semantic = above(d.c, shbin.Dummy)
		}
		return "semantic"
	})},
	{rule: "DVLE051", spoil: anOutput(func(d *draft, o *shbin.Output) string {
		o.Register = within[uint16](d.c, pica.NumOutputs, 0xFFFF)
		return "register"
	})},
	{rule: "DVLE052", spoil: ofType(shbin.VertexShader, func(d *draft, e *shbin.DVLE) string {
		return d.unmap(e, d.semanticOf(e))
	})},
	{rule: "DVLE052", spoil: ofType(shbin.GeometryShader, func(d *draft, e *shbin.DVLE) string {
		return d.unmap(e, d.outputOf(e))
	})},
	{rule: "DVLE053", spoil: anOutput(func(d *draft, o *shbin.Output) string {
		o.Mask = 0
		return "mask"
	})},
	{rule: "DVLE054", spoil: anOutput(func(d *draft, o *shbin.Output) string {
		o.Mask |= within[uint16](d.c, 1, 1<<12-1) << 4
		return "mask"
	})},
	{rule: "DVLE055", spoil: anOutput(func(d *draft, o *shbin.Output) string {
		flip(d.c, &o.Unknown)
		return "unknown"
	})},
	{rule: "DVLE056", spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
		again := e.Outputs[d.outputOf(e)]
		again.Semantic = shbin.Dummy
		again.Mask |= uint16(d.c.Bits(4))
		e.Outputs = append(e.Outputs, again)
		return element("outputs", len(e.Outputs)-1, "")
	})},
	{rule: "DVLE057", spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
		i := d.semanticOf(e)
		j := d.mappedBut(e, i)
		e.Outputs[j].Semantic = e.Outputs[i].Semantic
		return element("outputs", max(i, j), "semantic")
	})},
	{rule: "DVLE011", spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
		flip(d.c, &e.OutputMask)
		return "output_mask"
	})},

	{rule: "DVLE060", spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
		i := d.uniformOf(e)
		u := e.Uniforms[i]
		e.Uniforms = slices.Delete(slices.Clone(e.Uniforms), i, i+1)
		u.First, u.Last = unknownRegister(d.c), within[shbin.Register](d.c, 0, 0xFFFF)
		return element("uniforms", d.insertUniform(e, u), "first")
	})},
	{rule: "DVLE060", spoil: aUniform(func(d *draft, u *shbin.Uniform) string {
		u.Last = unknownRegister(d.c)
		return "last"
	})},
	{rule: "DVLE061", spoil: aUniform(func(d *draft, u *shbin.Uniform) string {
		class, _, _ := u.First.Class()
		u.Last = gen.Pick(d.c, slices.DeleteFunc(slices.Clone(knownRegisters), func(r shbin.Register) bool {
			other, _, _ := r.Class()
			return r >= u.First && other == class
		}))
		return ""
	})},
	{rule: "DVLE065", spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
		i, j := d.twoUniforms(e)
		u := e.Uniforms[j]
		e.Uniforms = slices.Insert(slices.Delete(slices.Clone(e.Uniforms), j, j+1), i, u)
		return element("uniforms", i+1, "first")
	})},
	{rule: "DVLE066", spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
		u := e.Uniforms[d.uniformOf(e)]
		u.First = within(d.c, u.First, u.Last)
		u.Last = within(d.c, u.First, u.Last)
		return element("uniforms", d.addUniform(e, u), "")
	})},
	{rule: "DVLE067",
		spoil: aDVLE(func(d *draft, e *shbin.DVLE) string { return element("uniforms", d.widen(e), "") })},
	{rule: "DVLE012", spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
		flip(d.c, &e.InputMask)
		return "input_mask"
	})},
}

var allTypes = []shbin.ConstantType{shbin.Bool, shbin.Int, shbin.Float}

// element is a field of an entry of a table, or all of the entry.
func element(table string, i int, field string) string {
	path := fmt.Sprintf("%s[%d]", table, i)
	if field != "" {
		path += "." + field
	}
	return path
}

// The following spoil one entry of a table; spoil returns the field.

func aConstant(spoil func(d *draft, k *shbin.Constant) string, types ...shbin.ConstantType) func(d *draft) place {
	return aDVLE(func(d *draft, e *shbin.DVLE) string {
		i := d.constantOf(e, gen.Pick(d.c, types))
		return element("constants", i, spoil(d, &e.Constants[i]))
	})
}

func aLabel(spoil func(d *draft, l *shbin.Label) string) func(d *draft) place {
	return aDVLE(func(d *draft, e *shbin.DVLE) string {
		i := d.labelOf(e)
		return element("labels", i, spoil(d, &e.Labels[i]))
	})
}

func anOutput(spoil func(d *draft, o *shbin.Output) string) func(d *draft) place {
	return aDVLE(func(d *draft, e *shbin.DVLE) string {
		i := d.outputOf(e)
		defer setMasks(e)
		return element("outputs", i, spoil(d, &e.Outputs[i]))
	})
}

func aUniform(spoil func(d *draft, u *shbin.Uniform) string) func(d *draft) place {
	return aDVLE(func(d *draft, e *shbin.DVLE) string {
		i := d.uniformOf(e)
		defer setMasks(e)
		return element("uniforms", i, spoil(d, &e.Uniforms[i]))
	})
}

// setRest sets a word that neither a bool nor an int has.
func setRest(d *draft, k *shbin.Constant) string {
	setWord(k, 1+d.c.Below(3), above[uint32](d.c, 0))
	return "payload.rest"
}

// setWord sets a word of a constant's value.
func setWord(k *shbin.Constant, i int, v uint32) {
	for j := range 4 {
		k.Payload[4*i+j] = uint8(v >> (8 * j))
	}
}

// unmap gives an output a register that is not mapped and that no other has.
func (d *draft) unmap(e *shbin.DVLE, i int) string {
	var free []uint16
	for register := uint16(LastMapped + 1); register < pica.NumOutputs; register++ {
		if freeComponents(e.Outputs, register) == 15 {
			free = append(free, register)
		}
	}
	e.Outputs[i].Register = gen.Pick(d.c, free)
	setMasks(e)
	return element("outputs", i, "register")
}

// unknownRegister draws a register number that no class has.
func unknownRegister(c *gen.Choices) shbin.Register {
	if c.Chance(8) {
		return within[shbin.Register](c, 0x74, 0x77)
	}
	return within[shbin.Register](c, 0x88, 0xFFFF)
}

// widen gives an input more than one register and returns its index. Inputs of
// these registers make room; their names become those of labels.
func (d *draft) widen(e *shbin.DVLE) int {
	i := d.inputOf(e)
	wide := e.Uniforms[i]
	const last = pica.NumInputs - 1
	wide.First = within(d.c, 0, min(wide.First, last-1))
	wide.Last = within(d.c, max(wide.First+1, wide.Last), last)
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
