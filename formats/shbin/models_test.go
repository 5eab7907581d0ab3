package shbin_test

import (
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
)

// Words and a descriptor that any program may have.
const (
	mov  = 0x4C000000 // mov o0, v0 with descriptor 0
	nop  = 0x84000000
	end  = 0x88000000
	xyzw = 0x0000036F // mask xyzw, source 1 xyzw
)

// workedModel is a vertex shader with an entry in every table. workedBytes are
// its bytes.
func workedModel() *shbin.File {
	const one, half = 0x3F0000, 0xBE0000 // 1.0 and -0.5
	return &shbin.File{
		DVLP: shbin.DVLP{
			Version:     0x0C02,
			Code:        []uint32{mov, nop, end},
			Descriptors: []shbin.Descriptor{{Word: 1<<31 | xyzw, Flags: 3}},
			FileNames:   wire.Hex("s.vsh\x00"),
		},
		DVLEs: []shbin.DVLE{{
			Version: 0x0C02, Type: shbin.VertexShader, Entry: 0, End: 3, InputMask: 1, OutputMask: 1,
			Tables: shbin.Tables{
				Constants: []shbin.Constant{
					shbin.BoolConstant(5, true),
					shbin.IntConstant(1, 3, 0, 1, 0),
					shbin.FloatConstant(4, one, 0, 0, half),
				},
				Labels: []shbin.Label{
					{ID: 0, Flags: 1, Word: 0, Length: shbin.NoLength, Name: 0},
					{ID: 1, Flags: 1, Word: 3, Length: shbin.NoLength, Name: 5},
				},
				Outputs:  []shbin.Output{{Semantic: shbin.Position, Register: 0, Mask: 0xF}},
				Uniforms: []shbin.Uniform{{Name: 13, First: 0x00, Last: 0x00}, {Name: 19, First: 0x10, Last: 0x13}},
				Symbols:  wire.Hex("main\x00endmain\x00inPos\x00mtx\x00"),
			},
		}},
	}
}

const workedBytes = `
	44564c42 01000000 50000000
	44564c50 020c0000 28000000 03000000 34000000 01000000 3c000000 00000000 3c000000 06000000
	0000004c 00000084 00000088
	6f030080 03000000
	732e76736800 0000
	44564c45 020c 00 00 00000000 03000000 0100 0100 00000000
	40000000 03000000 7c000000 02000000 9c000000 01000000 a4000000 02000000 b4000000 17000000
	00000500 01000000 000000000000000000000000
	01000100 03000100 000000000000000000000000
	02000400 00003f00 00000000 00000000 0000be00
	0000 0100 00000000 ffffffff 00000000
	0100 0100 03000000 ffffffff 05000000
	0000 0000 0f00 0000
	0d000000 0000 0000
	13000000 1000 1300
	6d61696e00 656e646d61696e00 696e506f7300 6d747800
	00`

// cleanModel breaks no rule at all: a vertex shader with an entry in every
// table and a geometry shader in fixed mode.
func cleanModel() *shbin.File {
	f := workedModel()
	f.DVLP.Descriptors = []shbin.Descriptor{{Word: xyzw}}
	f.DVLP.Lines = []shbin.Line{{Name: 0, Line: 1}, {Name: 0, Line: 2}, {Name: 6, Line: 3}}
	f.DVLP.FileNames = wire.Hex("s.vsh\x00s.gsh\x00")
	f.DVLEs = append(f.DVLEs, shbin.DVLE{
		Version: 0x0C02, Type: shbin.GeometryShader, Entry: 1, End: 3, OutputMask: 3,
		Geometry: shbin.Geometry{Mode: shbin.Fixed, First: 10, Fixed: 3},
		Tables: shbin.Tables{
			Outputs: []shbin.Output{
				{Semantic: shbin.Position, Register: 0, Mask: 0xF},
				{Semantic: shbin.TexCoord0, Register: 1, Mask: 0x3},
				{Semantic: shbin.TexCoord0W, Register: 1, Mask: 0x4},
			},
		},
	})
	return f
}

// place gives a file the canonical layout as its stored one.
func place(f *shbin.File) {
	g, err := shbin.Parse(buildFile(f))
	if err != nil {
		panic(err)
	}
	f.Layout = g.Layout
}

// shareTables gives every DVLE the tables of the first and the file a layout in
// which they are stored once, behind the headers.
func shareTables(f *shbin.File) {
	tables := f.DVLEs[0].Tables
	for i := range f.DVLEs {
		f.DVLEs[i].Tables = shbin.Tables{}
	}
	place(f)
	running := uint32(f.Layout.Size)
	sizes := [...]uint32{0x14, 0x10, 8, 8, 1}
	counts := [...]int{len(tables.Constants), len(tables.Labels), len(tables.Outputs), len(tables.Uniforms),
		len(tables.Symbols)}
	for k, n := range counts {
		for i := range f.Layout.DVLEs {
			e := &f.Layout.DVLEs[i]
			e.Tables[k] = shbin.Extent{Offset: running - e.Offset, Count: uint32(n)}
			if n == 0 && running == uint32(f.Layout.Size) {
				e.Tables[k].Offset = 0x40 // what an empty table should have
			}
		}
		running += sizes[k] * uint32(n)
	}
	for i := range f.DVLEs {
		f.DVLEs[i].Tables = tables
	}
	f.Layout.Size = uint64(running)
}

// buildFile writes a model without checking it.
func buildFile(f *shbin.File) []byte {
	b, err := f.AppendUnchecked(nil)
	if err != nil {
		panic(err)
	}
	return b
}
