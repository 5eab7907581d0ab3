package sharcfbgen

import (
	"math"

	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/gx2gen"
)

// drawing is an archive being drawn.
type drawing struct {
	gx2gen.Holder
	f *sharcfb.File
}

// newDrawing draws an archive that keeps every rule.
func newDrawing(c *gen.Choices) *drawing {
	f := gen.Free[sharcfb.File](c, fields, false)
	f.Endian = sharcfb.Endian(c.Bits(1))
	d := &drawing{f: &f}
	d.Holder = gx2gen.Holder{Drawer: gx2gen.Drawer{C: c}, List: "binaries",
		Len:   func() int { return len(d.f.Binaries) },
		At:    func(i int) *gx2.Shader { return &d.f.Binaries[i].Shader },
		Add:   func([]gx2.Type) { d.addProgram(sharcfb.VertexPixelGeometry) },
		Loops: func() { d.f.Endian = sharcfb.Big }, Mode: d.modeShader}
	if !c.Chance(1) {
		for range 1 + d.Count(1, 3) {
			d.addProgram(gen.Pick(c, kinds), d.valueCounts()...)
		}
	}
	d.f.Name = d.Text()
	return d
}

var (
	kinds      = []sharcfb.Kind{sharcfb.VertexPixel, sharcfb.VertexPixelGeometry}
	stageTypes = gx2gen.StageTypes
)

// maxVariations keeps files small.
const maxVariations = 4

// valueCounts draws how many values the macros of a program have.
func (d *drawing) valueCounts() []int {
	room := 1 + d.C.Below(maxVariations)
	counts := make([]int, d.Count(2, 5))
	for i := range counts {
		counts[i] = 1 + d.C.Below(room)
		room /= counts[i]
	}
	return counts
}

// addProgram adds a program that has a macro for each number of values, with the
// shader binaries it needs, and returns its index.
func (d *drawing) addProgram(kind sharcfb.Kind, values ...int) int {
	program := gen.Free[sharcfb.Program](d.C, fields, false)
	program.Name = gx2gen.Fresh(d.Text(), d.f.Programs, programName)
	program.Kind, program.BaseIndex = kind, uint32(len(d.f.Binaries))
	d.f.Programs = append(d.f.Programs, program)
	p := &d.f.Programs[len(d.f.Programs)-1]
	for _, n := range values {
		d.addMacro(p, n)
	}
	if d.C.Chance(6) {
		d.setDefaults(p)
	}
	for _, k := range []symbolKind{blocks, uniforms, samplers, attributes} {
		for range d.Count(2, 5) {
			d.addSymbol(p, k)
		}
	}
	for range p.Variations() {
		d.addVariation(kind)
	}
	return len(d.f.Programs) - 1
}

func programName(p sharcfb.Program) wire.Text { return p.Name }

// addVariation adds the shader binaries of a variation.
func (d *drawing) addVariation(kind sharcfb.Kind) {
	modes := []gx2.Mode{gx2.ModeGeometry, gx2.Mode(d.C.Bits(1)), gx2.ModeGeometry}
	if kind == sharcfb.VertexPixel {
		modes[gx2.Vertex] = modes[gx2.Pixel]
	}
	first := len(d.f.Binaries)
	for _, t := range stageTypes[:kind.Stages()] {
		d.f.Binaries = append(d.f.Binaries, sharcfb.Binary{Shader: d.Shader(t, modes[t], d.f.Endian == sharcfb.Big)})
	}
	shader := func(t gx2.Type) *gx2.Shader { return &d.f.Binaries[first+int(t)].Shader }
	d.Connect(shader(gx2.Vertex), shader(gx2.Pixel), shader(outputsOf(kind)))
}

// outputsOf is the stage whose outputs a pixel shader gets.
func outputsOf(kind sharcfb.Kind) gx2.Type {
	if kind == sharcfb.VertexPixelGeometry {
		return gx2.Geometry
	}
	return gx2.Vertex
}

// settle makes words of the shaders agree, after something else was changed.
func (d *drawing) settle() {
	for i := range d.f.Binaries {
		gx2gen.Settle(&d.f.Binaries[i].Shader)
	}
	d.variations(func(kind sharcfb.Kind, first int) {
		gx2gen.DropInputs(&d.f.Binaries[first+int(gx2.Pixel)].Shader, &d.f.Binaries[first+int(outputsOf(kind))].Shader)
	})
}

// variations calls each with the first binary of every variation that has binaries of the right types.
func (d *drawing) variations(each func(kind sharcfb.Kind, first int)) {
	for i := range d.f.Programs {
		p := &d.f.Programs[i]
		for v := range p.Variations() {
			first := p.Binary(v, 0)
			complete := first+p.Kind.Stages() <= len(d.f.Binaries)
			for k := 0; complete && k < p.Kind.Stages(); k++ {
				complete = d.f.Binaries[first+k].Type == stageTypes[k]
			}
			if complete {
				each(p.Kind, first)
			}
		}
	}
}

// modeShader returns the index of a shader in a mode, register or block. If no shader has the mode, the shaders of a
// variation get it.
func (d *drawing) modeShader(mode gx2.Mode) int {
	for i := range d.f.Binaries {
		if d.f.Binaries[i].Mode == mode {
			return i
		}
	}
	if len(d.f.Programs) == 0 {
		d.addProgram(sharcfb.VertexPixelGeometry)
	}
	last := -1
	d.variations(func(kind sharcfb.Kind, first int) {
		if last >= 0 {
			return
		}
		last = first + int(gx2.Pixel)
		vertex, pixel := &d.f.Binaries[first].Shader, &d.f.Binaries[last].Shader
		d.SetMode(pixel, mode)
		if kind == sharcfb.VertexPixel {
			d.SetMode(vertex, mode)
		}
		gx2gen.Agree(vertex, pixel)
	})
	return last
}

// addMacro adds a macro with n possible values to a program.
func (d *drawing) addMacro(p *sharcfb.Program, n int) {
	m := d.macroOf(gx2gen.Fresh(d.Text(), p.Macros, macroName))
	for range n {
		m.Values = append(m.Values, gx2gen.Fresh(d.Word(), m.Values, itself))
	}
	p.Macros = append(p.Macros, m)
}

// macroOf draws a macro with a name and without values.
func (d *drawing) macroOf(name wire.Text) sharcfb.Macro {
	m := gen.Free[sharcfb.Macro](d.C, fields, false)
	m.Name, m.ID = name, d.Text()
	return m
}

func macroName(m sharcfb.Macro) wire.Text { return m.Name }

// setDefaults gives every macro of a program a default value.
func (d *drawing) setDefaults(p *sharcfb.Program) {
	p.Defaults = nil
	for _, m := range p.Macros {
		value := d.macroOf(m.Name)
		value.Values = []wire.Text{gen.Pick(d.C, m.Values)}
		p.Defaults = append(p.Defaults, value)
	}
}

// symbolKind is one of the symbol lists, in file order.
type symbolKind int

const (
	uniforms symbolKind = iota
	blocks
	samplers
	attributes
)

var symbolLists = [...]string{"uniforms", "blocks", "samplers", "attributes"}

// symbols returns a symbol list of a program.
func symbols(p *sharcfb.Program, k symbolKind) *[]sharcfb.Symbol {
	return [...]*[]sharcfb.Symbol{&p.Uniforms, &p.Blocks, &p.Samplers, &p.Attributes}[k]
}

// addSymbol adds a symbol to a list of a program. A first block makes room for
// the uniforms that are there.
func (d *drawing) addSymbol(p *sharcfb.Program, k symbolKind) {
	list := symbols(p, k)
	s := gen.Free[sharcfb.Symbol](d.C, fields, false)
	s.Offset, s.Name, s.ID = -1, gx2gen.Fresh(d.Text(), *list, symbolName), d.Word()
	s.Enable = make(wire.Hex, p.Variations())
	for i := range s.Enable {
		s.Enable[i] = byte(d.C.Bits(1))
	}
	switch k {
	case uniforms:
		s.Default = d.Data(4 * d.C.Below(5))
		d.placeUniform(p, &s)
	case blocks:
		s.Default = d.Data(d.C.Below(40))
		s.Offset = int32(len(s.Default))
	}
	*list = append(*list, s)
	if k == blocks {
		for i := range p.Uniforms {
			d.placeUniform(p, &p.Uniforms[i])
		}
	}
}

func symbolName(s sharcfb.Symbol) wire.Text { return s.Name }

// placeUniform draws the offset of a uniform, and shortens it to the largest
// block of the program.
func (d *drawing) placeUniform(p *sharcfb.Program, s *sharcfb.Symbol) {
	room, bounded := largest(p)
	if !bounded {
		s.Offset = int32(d.Number() & math.MaxInt32)
		return
	}
	s.Default = s.Default[:min(len(s.Default), int(room)&^3)]
	s.Offset = room - int32(len(s.Default))
	if d.C.Bits(1) == 0 {
		s.Offset = int32(d.C.Below(int(s.Offset) + 1))
	}
}

// largest returns the size of the largest block of a program, if it has any.
func largest(p *sharcfb.Program) (room int32, bounded bool) {
	for _, b := range p.Blocks {
		room = max(room, b.Offset)
	}
	return room, len(p.Blocks) > 0
}
