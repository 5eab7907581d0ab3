package main

import (
	"bytes"
	"slices"

	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/wire"
)

func init() { builders["sharcfb"] = sharcfbSeeds }

// sharcfbSeeds makes a seed of every shape.
func sharcfbSeeds(k *kit) {
	for _, s := range []struct {
		name, comment string
		file          *sharcfb.File
	}{
		{"example-little", "one macro, two variations, one attribute", sharcExample(sharcfb.Little)},
		{"example-big", "its twin in the other byte order", sharcExample(sharcfb.Big)},
		{"empty", "no binaries, no programs, no name", &sharcfb.File{Endian: sharcfb.Little}},
		{"geometry", "geometry shaders with copy program and stream-out", sharcGeometry(sharcfb.Big)},
		{"symbols-little", "all symbol lists, tables and default values", sharcSymbols(sharcfb.Little)},
		{"symbols-big", "the same model in the other byte order: other default values", sharcSymbols(sharcfb.Big)},
		{"macros", "two macros with six variations and default values", sharcMacros()},
		{"two-programs", "register and block mode, loop variables", sharcTwoPrograms(sharcfb.Big)},
		{"names", "UTF-8 names, a name used by two tables", sharcNames()},
		{"other-layout", "tables in another order, a gap that is not zero, slack around the data", sharcOtherLayout()},
	} {
		k.seed(s.name, s.comment, must(s.file.AppendBinary(nil)))
	}
	k.more(sharcfbFound())
	e := sharcExample(sharcfb.Little)
	const first, last = "binaries[0].", "binaries[3]."
	k.twoErrors(le, []twoErrors{
		{"two-shaders", "a mode of 4, and in another shader a program at the structure", "GX2010", e, last + "program",
			set{first + "mode": 4, last + "program": 0}, []string{"GX2020"}},
		{"one-shader", "a mode of 4, and a name in the structure", "GX2040", e, first + "attributes[0].name",
			set{first + "mode": 4, first + "attributes[0].name": 4}, []string{"GX2020"}},
		{"shader-and-program", "no code, and a program of kind 8", "SHARC031", e, "programs[0].kind",
			set{first + "code_size": 0, "programs[0].kind": 8}, []string{"GX2010"}},
		{"list-and-owner", "two symbols in the room of one, and a base index behind all binaries", "SHARC032", e,
			"programs[0].base_index", set{"programs[0].attributes.count": 2, "programs[0].base_index": 5},
			[]string{"SHARC011"}},
		{"header-and-modes", "resolved, and a pixel shader of another mode than its vertex shader", "GX2021", e,
			last + "mode", set{"header.resolved": 1, last + "mode": 0}, []string{"SHARC006"}},
	})
}

// sharcShader returns a shader of a type in block mode with 8 bytes of code.
func sharcShader(t gx2.Type, fill byte) sharcfb.Binary {
	s := gx2.Shader{Type: t, Mode: gx2.ModeBlock, Code: bytes.Repeat([]byte{fill}, 8)}
	s.FitRegisters()
	if t == gx2.Geometry {
		s.Mode = gx2.ModeGeometry
		s.CopyCode = bytes.Repeat([]byte{fill ^ 0xFF}, 24)
	}
	return sharcfb.Binary{Shader: s}
}

// sharcPlain has a program without macros and symbols, and no finding.
func sharcPlain(endian sharcfb.Endian) *sharcfb.File {
	return &sharcfb.File{
		Endian: endian, Name: "plain",
		Binaries: []sharcfb.Binary{sharcShader(gx2.Vertex, 0xA0), sharcShader(gx2.Pixel, 0xA1)},
		Programs: []sharcfb.Program{{Name: "p", Kind: sharcfb.VertexPixel}},
	}
}

// sharcExample has a macro of two values and an attribute, and no finding.
func sharcExample(endian sharcfb.Endian) *sharcfb.File {
	f := &sharcfb.File{Endian: endian, Name: "ex"}
	for i := range byte(2) {
		vertex := sharcShader(gx2.Vertex, 0xA0+2*i)
		vertex.Attributes = []gx2.AttribVar{{Name: "aPos", Type: 11}}
		vertex.FitRegisters()
		f.Binaries = append(f.Binaries, vertex, sharcShader(gx2.Pixel, 0xA1+2*i))
	}
	f.Programs = []sharcfb.Program{{
		Name: "p", Kind: sharcfb.VertexPixel,
		Macros: []sharcfb.Macro{{Name: "M", Values: []wire.Text{"0", "1"}}},
		Symbols: sharcfb.Symbols{
			Attributes: []sharcfb.Symbol{{Offset: -1, Name: "aPos", ID: "_p0", Enable: wire.Hex{1, 1}}}},
	}}
	return f
}

// sharcGeometry has a geometry shader and no finding.
func sharcGeometry(endian sharcfb.Endian) *sharcfb.File {
	f := &sharcfb.File{Endian: endian, Name: "geo"}
	v, p, g := sharcShader(gx2.Vertex, 1), sharcShader(gx2.Pixel, 2), sharcShader(gx2.Geometry, 3)
	v.Mode = gx2.ModeGeometry
	v.Stream.RingItemSize = 16
	g.Blocks = []gx2.UniformBlock{{Name: "Blk", Location: 1, Size: 64}}
	g.Stream = gx2.StreamOut{RingItemSize: 12, Enabled: 1, Strides: [4]uint32{16}}
	f.Binaries = []sharcfb.Binary{v, p, g, v, p, g}
	f.Programs = []sharcfb.Program{{
		Name: "lines", Kind: sharcfb.VertexPixelGeometry,
		Macros: []sharcfb.Macro{{Name: "WIDE", Values: []wire.Text{"no", "yes"}}},
	}}
	return f
}

// sharcSymbols has every kind of table and symbol, and no finding.
func sharcSymbols(endian sharcfb.Endian) *sharcfb.File {
	f := sharcPlain(endian)
	f.Name = "full"
	v, p := &f.Binaries[0], &f.Binaries[1]
	v.Blocks = []gx2.UniformBlock{{Name: "Mtx", Size: 128}, {Name: "Mat", Location: 1, Size: 48}}
	v.Uniforms = []gx2.UniformVar{{Name: "uView", Type: 29, Count: 1}, {Name: "uColor", Type: 11, Count: 1, Block: 1}}
	v.Samplers = []gx2.SamplerVar{{Name: "vtex", Type: gx2.Sampler2D, Location: 2}}
	v.Attributes = []gx2.AttribVar{{Name: "aPos", Type: 11}, {Name: "aTex", Type: 9, Location: 2}}
	v.FitRegisters()
	p.Blocks = []gx2.UniformBlock{{Name: "Fog", Size: 48}}
	p.Uniforms = []gx2.UniformVar{{Name: "fogStart", Type: 4, Count: 1, Offset: 8}}
	p.Samplers = []gx2.SamplerVar{{Name: "tex_map0", Type: gx2.Sampler2D},
		{Name: "cube", Type: gx2.SamplerCube, Location: 1}}
	on := wire.Hex{1}
	f.Programs[0].Symbols = sharcfb.Symbols{
		Uniforms: []sharcfb.Symbol{
			{Name: "uColor", ID: "color", Default: wire.Hex{0x3F, 0x80, 0, 0, 0, 0, 0x80, 0x3F}, Enable: on}},
		Blocks: []sharcfb.Symbol{
			{Offset: 12, Name: "Mat", ID: "mat", Default: wire.Hex("twelve bytes"), Enable: on}},
		Samplers: []sharcfb.Symbol{{Offset: -1, Name: "tex_map0", ID: "_a0", Enable: on},
			{Offset: -1, Name: "cube", ID: "_a1", Enable: on}},
		Attributes: []sharcfb.Symbol{{Offset: -1, Name: "aPos", ID: "_p0", Enable: on},
			{Offset: -1, Name: "aTex", ID: "_u0", Enable: wire.Hex{0}}},
	}
	return f
}

func sharcMacros() *sharcfb.File {
	f := sharcPlain(sharcfb.Little)
	f.Name = "post"
	f.Binaries = slices.Repeat(f.Binaries, 6)
	p := &f.Programs[0]
	p.Macros = []sharcfb.Macro{{Name: "KERNEL", Values: []wire.Text{"3", "5", "7"}},
		{Name: "OMIT", Values: []wire.Text{"0", "1"}, ID: "omit"}}
	p.Defaults = []sharcfb.Macro{{Name: "KERNEL", Values: []wire.Text{"5"}},
		{Name: "OMIT", Values: []wire.Text{"0"}, ID: "omit"}}
	p.Samplers = []sharcfb.Symbol{{Offset: -1, Name: "tex", ID: "_a0", Enable: wire.Hex{1, 0, 1, 0, 1, 1}}}
	return f
}

// sharcTwoPrograms has a program for each mode and, in big endian, no finding.
func sharcTwoPrograms(endian sharcfb.Endian) *sharcfb.File {
	f := sharcPlain(endian)
	f.Binaries = slices.Repeat(f.Binaries, 2)
	for i := range 2 {
		f.Binaries[i].Mode = gx2.ModeRegister
		f.Binaries[i].Loops = []gx2.LoopVar{{0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF}}
	}
	f.Programs = append(f.Programs, sharcfb.Program{Name: "q", Kind: sharcfb.VertexPixel, BaseIndex: 2})
	return f
}

func sharcNames() *sharcfb.File {
	f := sharcPlain(sharcfb.Big)
	f.Name = "naïve"
	f.Programs[0].Name = "é"
	f.Programs[0].Macros = []sharcfb.Macro{{Name: "ONE", Values: []wire.Text{"only"}}}
	f.Binaries[0].Attributes = []gx2.AttribVar{{Name: "日本", Type: 11}}
	f.Binaries[0].FitRegisters()
	f.Binaries[1].Blocks = []gx2.UniformBlock{{Name: "Mat", Size: 16}}
	f.Binaries[1].Uniforms = []gx2.UniformVar{{Name: "tex", Type: 11}}
	f.Binaries[1].Samplers = []gx2.SamplerVar{{Name: "tex", Type: gx2.Sampler2D}}
	return f
}

func sharcOtherLayout() *sharcfb.File {
	f := sharcLaidOut(sharcSymbols(sharcfb.Big), func(l *gx2.Layout) {
		l.Tables[4].Offset, l.Tables[5].Offset = l.Tables[5].Offset+0x14, l.Tables[4].Offset
		l.Gaps = []gx2.Gap{{Offset: l.Program.Offset - 4, Bytes: []byte("gap")}}
	})
	f.Binaries[1].Slack = &sharcfb.Slack{Gap: []byte("gap"), Tail: []byte("tail")}
	return f
}

// sharcLaidOut gives the first shader of an archive its canonical layout, with a change.
func sharcLaidOut(f *sharcfb.File, change func(*gx2.Layout)) *sharcfb.File {
	back := must(sharcfb.Parse(must(f.AppendBinary(nil))))
	f.Binaries[0].Layout = back.Binaries[0].Layout
	change(f.Binaries[0].Layout)
	return f
}
