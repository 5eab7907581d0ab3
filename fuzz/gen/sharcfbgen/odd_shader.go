package sharcfbgen

import (
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/gx2gen"
)

// ofGX2 are oddities of any file with shaders.
func ofGX2(list []gx2gen.Oddity) (own []oddity) {
	for _, o := range list {
		own = append(own, oddity{o.Rule, func(d *drawing) where { return at("%s", o.Change(&d.Holder)) }, nil})
	}
	return own
}

var shaderOddities = append(ofGX2(gx2gen.ShaderOddities), []oddity{
	{"GX2021", func(d *drawing) where {
		p := &d.f.Programs[d.program()]
		modes := func(list ...gx2.Mode) gx2.Mode { return gen.Pick(d.C, list) }
		first := p.Binary(d.C.Below(p.Variations()), 0)
		mode := func(t gx2.Type) *gx2.Mode { return &d.f.Binaries[first+int(t)].Mode }
		for i := range p.Kind.Stages() { // so that no other mode is wrong
			s := &d.f.Binaries[first+i]
			s.Blocks, s.Uniforms = nil, nil
		}
		t := stageTypes[d.C.Below(p.Kind.Stages())]
		switch {
		case gen.Only(d.C, false, true): // the modes go together
		case t == gx2.Pixel && p.Kind == sharcfb.VertexPixel:
			*mode(t) = modes(1-*mode(gx2.Vertex)&1, gx2.ModeGeometry, gx2.ModeCompute)
		case t == gx2.Pixel:
			*mode(t) = modes(gx2.ModeGeometry, gx2.ModeCompute)
		case p.Kind == sharcfb.VertexPixelGeometry:
			*mode(t) = modes(gx2.ModeRegister, gx2.ModeBlock, gx2.ModeCompute)
		case d.C.Bits(1) == 0:
			*mode(t) = modes(gx2.ModeGeometry, gx2.ModeCompute)
		default: // the vertex shader decides, so that the pixel shader is wrong
			*mode(t) = 1 - *mode(t)&1
			t = gx2.Pixel
		}
		return at("binaries[%d].mode", first+int(t))
	}, nil},
	{"GX2041", func(d *drawing) where {
		i := d.ShaderOf()
		d.makeLittle()
		for range gen.Breach(d.C, 1+d.C.Below(3), 0) {
			d.AddRecord(&d.f.Binaries[i].Shader, gx2gen.LoopTable)
		}
		return at("binaries[%d].loops.count", i)
	}, nil},
}...)

var recordOddities = append(ofGX2(gx2gen.RecordOddities), []oddity{
	// The canonical writer leaves the bytes of the second name to nobody.
	{"GX2046", func(d *drawing) where { _, at := d.twins(); return at }, []string{"GX2047"}},
	{"GX2046", func(d *drawing) where {
		i, at := d.twins()
		d.lay(i, plan{})
		return at
	}, notCanonical},
}...)

// twins gives two records of a table the same name.
func (d *drawing) twins() (shader int, second where) {
	shader, path := d.TwinNames()
	return shader, at("%s", path)
}
