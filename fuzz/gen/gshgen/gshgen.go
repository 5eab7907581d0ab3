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

// maxOddities is how many oddities of content and of layout a model has at most.
const maxOddities = 5

// Model draws a file that breaks no rule of severity Error, but for a few in a
// hundred: what File writes, or such a one with some oddities.
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
		At:  func(i int) *gx2.Shader { return &d.f.Shaders[i].Shader }}
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
				s := gsh.Shader{Shader: d.Shader(gx2.Type(t), modes[t], true)}
				lists[t] = append(lists[t], s)
				if !byType {
					d.f.Shaders = append(d.f.Shaders, s)
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
	b := gen.Unchecked(d.f)
	f, err := gsh.Parse(b)
	if err != nil {
		panic(err)
	}
	d.f = f
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

// agree sets the modes of all shaders to such that go together.
func (d *drawing) agree() {
	for _, group := range d.f.Groups() {
		mode := gx2.ModeBlock
		if group[gx2.Geometry] != gsh.NoShader {
			mode = gx2.ModeGeometry
		}
		if v := group[gx2.Vertex]; v != gsh.NoShader {
			d.f.Shaders[v].Mode = mode
			if p := group[gx2.Pixel]; p != gsh.NoShader {
				d.f.Shaders[p].Mode = gx2.ModeBlock
			}
		}
	}
}

// Twins draws a file with oddities of its blocks, and its canonical form.
func Twins(c *gen.Choices) (file, canonical []byte) {
	d := newDrawing(c)
	for range 1 + c.Below(maxOddities) {
		gen.Pick(c, blockOddities).change(d)
	}
	plain := &gsh.File{Style: d.f.Style, Align: d.f.Align}
	for _, s := range d.f.Shaders {
		s.Slack, s.Shader.Layout = nil, nil
		plain.Shaders = append(plain.Shaders, s)
	}
	return gen.Unchecked(d.f), gen.Unchecked(plain)
}
