package main

import (
	"slices"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/pica"
)

func init() { builders["dvoj"] = dvojSeeds }

// dvojVertexModel is a vertex object with every table and no finding.
func dvojVertexModel() *dvoj.File {
	const file = "s.vsh\x00"
	t := shbinVertexModel().DVLEs[0].Tables
	t.Symbols = append(wire.Hex(file), t.Symbols...)
	for i := range t.Labels {
		t.Labels[i].Name += uint32(len(file))
	}
	for i := range t.Uniforms {
		t.Uniforms[i].Name += uint32(len(file))
	}
	return &dvoj.File{
		Version: 0x0C02, InputMask: 1, OutputMask: 1, Unknown: 0xFFFFFFFF,
		Code:        []uint32{wordMov, wordNop, wordEnd},
		Descriptors: []shbin.Descriptor{{Word: 1<<31 | movMask, Flags: 3}},
		Lines:       []shbin.Line{{Line: 12}, {Line: 13}, {Line: 14}},
		Relocations: []dvoj.Relocation{{Word: 0}},
		Tables:      t,
	}
}

func dvojBytes(f *dvoj.File) []byte { return must(f.AppendUnchecked(nil)) }

// dvojVertex is the vertex object after an edit of its model.
func dvojVertex(edits ...func(f *dvoj.File)) []byte {
	f := dvojVertexModel()
	for _, edit := range edits {
		edit(f)
	}
	return dvojBytes(f)
}

func dvojLong(n int) []byte {
	return dvojBytes(&dvoj.File{Version: 0x0C02, Unknown: 0xFFFFFFFF, Code: slices.Repeat([]uint32{wordNop}, n)})
}

// dvojGeometry is a geometry object with code and a constant only.
func dvojGeometry() *dvoj.File {
	return &dvoj.File{
		Version: 0x1002, Type: shbin.GeometryShader, Merge: 1, Unknown: 0xFFFFFFFF,
		Code:        []uint32{uint32(pica.SETEMIT) << 26, wordEmit, wordEnd},
		Relocations: []dvoj.Relocation{{Word: 0, Unknown: 7, Unknown2: 9}},
		Tables:      shbin.Tables{Constants: []shbin.Constant{shbin.FloatConstant(95, 0x3F0000, 0, 0, 0)}},
	}
}

func dvojSeeds(k *kit) {
	k.seed("vertex", "a vertex object with every table", dvojVertex())
	k.seed("geometry", "a geometry object without names", dvojBytes(dvojGeometry()))
	k.seed("code-only", "one instruction and no table", dvojLong(1))
	k.seed("words-4096", "as much code as there can be", dvojLong(pica.MaxCode))
	k.seed("external-call", "a call behind the code, which the linker may resolve",
		dvojVertex(func(f *dvoj.File) { f.Code[1] = uint32(pica.CALL)<<26 | 0xFFF<<10 }))
	k.seed("symbols-first", "symbols in front of the other tables, and their padding", dvojSymbolsFirst())
	k.more([]corpus.Vector{
		{Name: "names-beside-gap", Comment: "names that fill 8 times the canonical form, and a gap behind it",
			Data: dvojNamesBesideGap(0)},
		{Name: "names-only-with-gap", Comment: "names that fit into 8 times the file, but not without its gap",
			Rule: "DVOJ205", Data: dvojNamesBesideGap(1)},
	})
}

// dvojNamesBesideGap has names of 8 times the size of its canonical form, and so many bytes more,
// with a gap behind the canonical form.
func dvojNamesBesideGap(more int) []byte {
	f := &dvoj.File{Version: 0x0C02, Unknown: 0xFFFFFFFF, Code: []uint32{wordEnd}}
	fillNames(&f.Tables, f.Size, more)
	return append(dvojBytes(f), make([]byte, namesGap)...)
}

// dvojSymbolsFirst has the symbols and their padding directly behind the header.
func dvojSymbolsFirst() []byte {
	f := must(dvoj.Parse(dvojVertex()))
	tables := &f.Layout.Tables
	first, symbols := tables[0].Offset, &tables[len(tables)-1]
	size := uint32(f.Layout.Size) - symbols.Offset
	for k := range tables {
		tables[k].Offset += size
	}
	symbols.Offset = first
	return dvojBytes(f)
}
