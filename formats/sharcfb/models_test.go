package sharcfb_test

import (
	"bytes"
	"strings"

	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/wire"
)

// shader returns a shader of a type in block mode with registers 0 and 8 bytes
// of code.
func shader(t gx2.Type, fill byte) sharcfb.Binary {
	s := gx2.Shader{Type: t, Registers: make([]uint32, len(t.RegisterNames())), Mode: gx2.ModeBlock,
		Code: bytes.Repeat([]byte{fill}, 8)}
	if t == gx2.Geometry {
		s.Mode = gx2.ModeGeometry
		s.CopyCode = bytes.Repeat([]byte{fill ^ 0xFF}, 16)
	}
	return sharcfb.Binary{Shader: s}
}

// workedModel is an archive with one program, one macro of two values and one
// attribute. workedBytes are its bytes.
func workedModel() *sharcfb.File {
	f := &sharcfb.File{Endian: sharcfb.Little, Name: "ex"}
	for i := range byte(2) {
		vertex := shader(gx2.Vertex, 0xA0+2*i)
		vertex.Attributes = []gx2.AttribVar{{Name: "aPos", Type: 11}}
		f.Binaries = append(f.Binaries, vertex, shader(gx2.Pixel, 0xA1+2*i))
	}
	f.Programs = []sharcfb.Program{{
		Name: "p", Kind: sharcfb.VertexPixel,
		Macros: []sharcfb.Macro{{Name: "M", Values: []wire.Text{"0", "1"}}},
		Symbols: sharcfb.Symbols{
			Attributes: []sharcfb.Symbol{{Offset: -1, Name: "aPos", ID: "_p0", Enable: wire.Hex{1, 1}}}},
	}}
	return f
}

// workedBytes is the dump of workedModel; a row of * stands for zeros up to the
// next row.
const workedBytes = `
0000: 42 41 48 53 08 00 00 00 8c 06 00 00 01 00 00 00
0010: 00 00 00 00 03 00 00 00 65 78 00 ed 05 00 00 04
0020: 00 00 00 e5 01 00 00 00 00 00 00 00 00 00 00 d5
0030: 01 00 00
*
0100: 00 00 00 08 00 00 00 cd 01 00 00 01 00 00 00 00
*
0130: 00 00 00 00 00 00 00 01 00 00 00 34 01 00 00 00
*
0160: 00 00 00 00 00 00 00 44 01 00 00 0b 00 00 00 00
0170: 00 00 00 00 00 00 00 61 50 6f 73 00 00 00 00 00
*
0200: a0 a0 a0 a0 a0 a0 a0 a0 00 01 00 00 01 00 00 00
0210: 00 00 00 00 f0 00 00 00 00
*
02b0: 00 00 00 00 00 00 00 00 00 00 00 00 08 00 00 00
02c0: e8 00 00 00 01 00 00 00 00
*
0300: a1 a1 a1 a1 a1 a1 a1 a1 00 02 00 00 00 00 00 00
0310: 00 00 00 00 f0 01 00 00 00
*
03e0: 00 00 00 00 00 00 00 00 08 00 00 00 e8 01 00 00
03f0: 01 00 00 00 00
*
0410: 00 00 00 00 00 00 00 00 00 00 00 00 01 00 00 00
0420: 34 01 00 00 00
*
0440: 00 00 00 00 00 00 00 00 00 00 00 00 44 01 00 00
0450: 0b 00 00 00 00 00 00 00 00 00 00 00 61 50 6f 73
*
0500: a2 a2 a2 a2 a2 a2 a2 a2 00 01 00 00 01 00 00 00
0510: 00 00 00 00 f0 00 00 00 00
*
05b0: 00 00 00 00 00 00 00 00 00 00 00 00 08 00 00 00
05c0: e8 00 00 00 01 00 00 00 00
*
0600: a3 a3 a3 a3 a3 a3 a3 a3 84 00 00 00 01 00 00 00
0610: 7c 00 00 00 02 00 00 00 03 00 00 00 00 00 00 00
0620: 70 00 1f 00 00 00 01 00 00 00 17 00 00 00 02 00
0630: 00 00 02 00 00 00 01 00 00 00 4d 00 30 00 31 00
0640: 00 08 00 00 00 00 00 00 00 08 00 00 00 00 00 00
0650: 00 08 00 00 00 00 00 00 00 08 00 00 00 00 00 00
0660: 00 2b 00 00 00 01 00 00 00 23 00 00 00 ff ff ff
0670: ff 05 00 00 00 04 00 00 00 00 00 00 00 02 00 00
0680: 00 61 50 6f 73 00 5f 70 30 00 01 01
`

// fullModel has every kind of shader, table, list and symbol, a repeated name,
// loop variables, and two programs.
func fullModel(endian sharcfb.Endian) *sharcfb.File {
	f := &sharcfb.File{Endian: endian, Name: "full"}
	for i := range byte(4) {
		v := shader(gx2.Vertex, 0x10+i)
		v.Mode = gx2.ModeGeometry
		v.Registers[3], v.Registers[4] = 1, 7
		v.Blocks = []gx2.UniformBlock{{Name: "Mtx", Size: 128}, {Name: "Mat", Location: 1, Size: 48}}
		v.Uniforms = []gx2.UniformVar{{Name: "uView", Type: 29, Count: 1},
			{Name: "Mat", Type: 11, Count: 1, Offset: 4, Block: gx2.NoBlock}}
		v.Loops = []gx2.LoopVar{{0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF}, {}}
		v.Samplers = []gx2.SamplerVar{{Name: "vtex", Type: gx2.Sampler2D, Location: 2}}
		v.Attributes = []gx2.AttribVar{{Name: "aPos", Type: 11}, {Name: "uView", Type: 9, Location: 3}}
		v.Stream = gx2.StreamOut{RingItemSize: 12, Enabled: 1, Strides: [4]uint32{16, 0, 4, 0}}
		p := shader(gx2.Pixel, 0x20+i)
		p.Samplers = []gx2.SamplerVar{{Name: "tex_map0", Type: gx2.SamplerCube}}
		g := shader(gx2.Geometry, 0x30+i)
		g.Blocks = []gx2.UniformBlock{{Name: "Blk", Size: 64}}
		g.Stream.RingItemSize = 8
		f.Binaries = append(f.Binaries, v, p, g)
	}
	f.Binaries = append(f.Binaries, shader(gx2.Vertex, 0x40), shader(gx2.Pixel, 0x41))
	f.Programs = []sharcfb.Program{
		{
			Name: "lines", Kind: sharcfb.VertexPixelGeometry,
			Macros: []sharcfb.Macro{{Name: "WIDE", Values: []wire.Text{"no", "yes"}},
				{Name: "FOG", Values: []wire.Text{"0", "1"}, ID: "fog"}},
			Defaults: []sharcfb.Macro{{Name: "WIDE", Values: []wire.Text{"no"}},
				{Name: "FOG", Values: []wire.Text{"1"}, ID: "fog"}},
			Symbols: sharcfb.Symbols{
				Uniforms: []sharcfb.Symbol{
					{Offset: 16, Name: "uColor", ID: "color", Default: []byte{1, 2, 3, 4, 5, 6, 7, 8},
						Enable: []byte{0, 1, 1, 0}}},
				Blocks: []sharcfb.Symbol{
					{Offset: 48, Name: "Mat", ID: "mat", Default: bytes.Repeat([]byte{1, 2, 3}, 16),
						Enable: []byte{1, 1, 1, 1}}},
				Samplers: []sharcfb.Symbol{{Offset: -1, Name: "tex_map0", ID: "_a0", Enable: []byte{1, 0, 1, 0}}},
				Attributes: []sharcfb.Symbol{{Offset: -1, Name: "aPos", ID: "_p0", Enable: []byte{1, 1, 1, 1}},
					{Offset: -1, Name: "aNrm", ID: "_n0", Enable: []byte{0, 0, 0, 0}}},
			},
		},
		{Name: wire.Text(strings.Repeat("x", 40)), Kind: sharcfb.VertexPixel, BaseIndex: 12},
	}
	return f
}
