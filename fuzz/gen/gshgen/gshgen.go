// Package gshgen serves this module: it makes .gsh files with GX2 shaders from a stream of choices.
// They keep every rule, or are odd, or break one rule.
package gshgen

import (
	"slices"

	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/gx2gen"
)

// Format is the generator of the format gsh.
var Format = gen.Format{
	Name: "gsh", File: File, Odd: gen.Odd(Model, gsh.Rules, Faults), Twins: Twins, Faults: Faults,
}

// fields are the rules about single fields.
var fields = gen.NewFieldRules(gsh.Rules, slices.Concat(gsh.Records, gx2.Records)...)

// File draws a file about which Check has nothing to say; without choices the
// smallest.
func File(c *gen.Choices) []byte { return gen.Unchecked(newDrawing(c).f) }

// maxOddities is the largest number of oddities of content and of layout in a model.
const maxOddities = 5

// Model draws a file of File, or one with some oddities. A few in a hundred break a rule of severity error.
func Model(c *gen.Choices) *gsh.File {
	d := newDrawing(c)
	for range d.Count(2, maxOddities) {
		gen.Pick(c, contentOddities).change(d)
	}
	for range d.Count(2, maxOddities) {
		gen.Pick(c, layoutOddities).change(d)
	}
	if c.Rarely() {
		d.addOpaque(anyOpaque(d))
	}
	if c.Rarely() {
		d.anyLayout()
	}
	d.settle()
	return d.f
}

// anyLayout draws the fields of the layout that nothing else decides.
func (d *drawing) anyLayout() {
	l := d.laid()
	layout := gen.Free[gsh.Layout](d.C, fields, true)
	layout.Blocks, layout.Tail = l.Blocks, l.Tail
	*l = layout
	for i, b := range l.Blocks {
		block := gen.Free[gsh.Block](d.C, fields, true)
		block.Type, block.ID, block.Index, block.Padding = b.Type, b.ID, b.Index, b.Padding
		l.Blocks[i] = block
	}
	for i := range d.f.Shaders {
		if s := d.f.Shaders[i].Slack; s != nil {
			slack := gen.Free[gsh.Slack](d.C, fields, true)
			slack.TextOffset, slack.Patches, slack.Gap = s.TextOffset, s.Patches, s.Gap
			*s = slack
		}
	}
}

// drawing is a file being drawn.
type drawing struct {
	gx2gen.Holder
	f *gsh.File
}

// newDrawing draws a file that keeps every rule, without a layout.
func newDrawing(c *gen.Choices) *drawing {
	f := gen.Free[gsh.File](c, fields, false)
	f.Style = gsh.Style(c.Bits(1))
	d := &drawing{f: &f}
	d.Holder = gx2gen.Holder{Drawer: gx2gen.Drawer{C: c}, List: "shaders", Add: d.addShader,
		Len: func() int { return len(d.f.Shaders) },
		At:  func(i int) *gx2.Shader { return &d.f.Shaders[i].Shader }, Mode: d.modeShader}
	groups := 1 + d.Count(1, 3)
	pixels, geometries := d.Count(groups, groups+1), 0
	if c.Chance(4) {
		geometries = d.Count(groups, groups)
	}
	byType := c.Bits(1) != 0
	var lists [3][]gsh.Shader
	for k := range max(groups, pixels) {
		modes := [...]gx2.Mode{gx2.ModeGeometry, gx2.Mode(c.Bits(1)), gx2.ModeGeometry}
		if k >= geometries {
			modes[gx2.Vertex] = modes[gx2.Pixel]
		}
		for t, n := range [...]int{groups, pixels, geometries} {
			if k < n {
				lists[t] = append(lists[t], gsh.Shader{Shader: d.Shader(gx2.Type(t), modes[t], true)})
			}
		}
		d.pair(lists, k)
		if !byType {
			for t := range lists {
				if k < len(lists[t]) {
					d.f.Shaders = append(d.f.Shaders, lists[t][k])
				}
			}
		}
	}
	if byType {
		for _, list := range lists {
			d.f.Shaders = append(d.f.Shaders, list...)
		}
	}
	return d
}

// pair connects the shaders with number k of each type.
func (d *drawing) pair(lists [3][]gsh.Shader, k int) {
	vertices, pixels, geometries := lists[gx2.Vertex], lists[gx2.Pixel], lists[gx2.Geometry]
	switch {
	case k >= len(pixels):
	case k >= len(vertices):
		d.DrawInputs(&pixels[k].Shader, nil)
	case k >= len(geometries):
		d.Connect(&vertices[k].Shader, &pixels[k].Shader, &vertices[k].Shader)
	default:
		d.Connect(&vertices[k].Shader, &pixels[k].Shader, &geometries[k].Shader)
	}
}

// laid gives the file the layout of its canonical form, unless it has one, and
// returns it.
func (d *drawing) laid() *gsh.Layout {
	if d.f.Layout == nil {
		d.reread()
	}
	return d.f.Layout
}

// reread writes the file and reads it back.
func (d *drawing) reread() {
	d.settle()
	b := gen.Unchecked(d.f)
	f, err := gsh.Parse(b)
	if err != nil {
		panic(err)
	}
	d.f = f
}

// settle makes words of the shaders agree, after something else was changed.
func (d *drawing) settle() {
	for i := range d.f.Shaders {
		gx2gen.Settle(&d.f.Shaders[i].Shader)
	}
	for _, g := range d.f.Groups() {
		from := g[gx2.Geometry]
		if from == gsh.NoShader {
			from = g[gx2.Vertex]
		}
		if p := g[gx2.Pixel]; p != gsh.NoShader && g[gx2.Vertex] != gsh.NoShader {
			gx2gen.DropInputs(&d.f.Shaders[p].Shader, &d.f.Shaders[from].Shader)
		}
	}
}

// addShader adds a shader of the first of some types, or a vertex shader.
func (d *drawing) addShader(types []gx2.Type) {
	t := gx2.Vertex
	if len(types) > 0 {
		t = types[0]
	}
	d.f.Layout = nil
	modes := [...]gx2.Mode{gx2.ModeBlock, gx2.ModeBlock, gx2.ModeGeometry}
	d.f.Shaders = append(d.f.Shaders, gsh.Shader{Shader: d.Shader(t, modes[t], true)})
	d.agree()
}

// agree sets the modes of all shaders so that the shaders of a group fit together, and makes the names of their stages
// agree.
func (d *drawing) agree() {
	for _, group := range d.f.Groups() {
		mode := gx2.ModeBlock
		if group[gx2.Geometry] != gsh.NoShader {
			mode = gx2.ModeGeometry
		}
		if v := group[gx2.Vertex]; v != gsh.NoShader {
			d.SetMode(&d.f.Shaders[v].Shader, mode)
			if p := group[gx2.Pixel]; p != gsh.NoShader {
				d.SetMode(&d.f.Shaders[p].Shader, gx2.ModeBlock)
				gx2gen.Agree(&d.f.Shaders[v].Shader, &d.f.Shaders[p].Shader)
			}
		}
	}
}

// modeShader returns the index of a shader in a mode, register or block. If no shader has the mode, a group without
// geometry shader or a pixel shader gets it.
func (d *drawing) modeShader(mode gx2.Mode) int {
	for i := range d.f.Shaders {
		if d.f.Shaders[i].Mode == mode {
			return i
		}
	}
	d.f.Layout = nil
	for {
		for _, g := range d.f.Groups() {
			v, p := g[gx2.Vertex], g[gx2.Pixel]
			if v != gsh.NoShader && g[gx2.Geometry] == gsh.NoShader {
				d.SetMode(&d.f.Shaders[v].Shader, mode)
			}
			if p != gsh.NoShader {
				d.SetMode(&d.f.Shaders[p].Shader, mode)
			}
			if v != gsh.NoShader && p != gsh.NoShader {
				gx2gen.Agree(&d.f.Shaders[v].Shader, &d.f.Shaders[p].Shader)
			}
			for _, i := range []int{p, v} {
				if i != gsh.NoShader && d.f.Shaders[i].Mode == mode {
					return i
				}
			}
		}
		d.addShader([]gx2.Type{gx2.Pixel})
	}
}

// Twins draws a file with oddities of its blocks, and its canonical form.
func Twins(c *gen.Choices) (file, canonical []byte) {
	d := newDrawing(c)
	for range 1 + c.Below(maxOddities) {
		gen.Pick(c, blockOddities).change(d)
	}
	d.settle()
	plain := &gsh.File{Style: d.f.Style, Align: d.f.Align}
	for _, s := range d.f.Shaders {
		s.Slack, s.Shader.Layout = nil, nil
		plain.Shaders = append(plain.Shaders, s)
	}
	return gen.Unchecked(d.f), gen.Unchecked(plain)
}
