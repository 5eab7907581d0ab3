package main

import (
	"bytes"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/pica"
)

func init() { builders["shbin"] = shbinSeeds }

// Instruction words of the seeds.
const (
	wordMov  = 0x4C000000 // mov o0, v0, descriptor 0
	wordNop  = uint32(pica.NOP) << 26
	wordEnd  = uint32(pica.END) << 26
	wordEmit = uint32(pica.EMIT) << 26
	movMask  = 0x0D86C36F
)

// shbinVertexModel is a file without any finding.
func shbinVertexModel() *shbin.File {
	const version = 0x0C02
	return &shbin.File{
		DVLP: shbin.DVLP{
			Version:     version,
			Code:        []uint32{wordMov, wordNop, wordEnd},
			Descriptors: []shbin.Descriptor{{Word: movMask}},
			FileNames:   []byte("s.vsh\x00"),
		},
		DVLEs: []shbin.DVLE{{
			Version: version, End: 3, InputMask: 1, OutputMask: 1,
			Tables: shbin.Tables{
				Constants: []shbin.Constant{
					shbin.BoolConstant(5, true),
					shbin.IntConstant(1, 3, 0, 1, 0),
					shbin.FloatConstant(4, 0x3F0000, 0, 0, 0xBE0000),
				},
				Labels: []shbin.Label{
					{ID: 0, Flags: 1, Length: shbin.NoLength, Name: 0},
					{ID: 1, Flags: 1, Word: 3, Length: shbin.NoLength, Name: 5},
				},
				Outputs:  []shbin.Output{{Semantic: shbin.Position, Mask: 15}},
				Uniforms: []shbin.Uniform{{Name: 13, First: 0, Last: 0}, {Name: 19, First: 0x10, Last: 0x13}},
				Symbols:  []byte("main\x00endmain\x00inPos\x00mtx\x00"),
			},
		}},
	}
}

// shbinGeometryModel has a vertex and a geometry DVLE and no finding.
func shbinGeometryModel(mode shbin.Mode) *shbin.File {
	const version = 0x1002
	f := &shbin.File{
		DVLP: shbin.DVLP{
			Version:     version,
			Code:        []uint32{wordMov, wordEnd, uint32(pica.SETEMIT) << 26, wordMov, wordEmit, wordEnd},
			Descriptors: []shbin.Descriptor{{Word: movMask}},
		},
		DVLEs: []shbin.DVLE{
			{Version: version, End: 2, OutputMask: 1,
				Tables: shbin.Tables{Outputs: []shbin.Output{{Semantic: shbin.Position, Mask: 15}}}},
			{Version: version, Type: shbin.GeometryShader, Merge: 1, Entry: 2, End: 6, OutputMask: 1,
				Tables: shbin.Tables{Outputs: []shbin.Output{{Semantic: shbin.Position, Mask: 15}}}},
		},
	}
	g := &f.DVLEs[1].Geometry
	g.Mode = mode
	switch mode {
	case shbin.Variable:
		g.Variable = 3
	case shbin.Fixed:
		g.First, g.Fixed = 8, 4
	}
	return f
}

// shbinLinesModel has a line table.
func shbinLinesModel() *shbin.File {
	f := shbinVertexModel()
	f.DVLP.Lines = []shbin.Line{{Line: 4}, {Line: 5}, {Line: 6}}
	return f
}

// shbinBareModel has n words of code, no descriptor, and no table.
func shbinBareModel(n int) *shbin.File {
	f := &shbin.File{DVLEs: []shbin.DVLE{{End: 1}}}
	for range n - 1 {
		f.DVLP.Code = append(f.DVLP.Code, wordNop)
	}
	f.DVLP.Code = append(f.DVLP.Code, wordEnd)
	return f
}

// shbinManyDescriptors has n descriptors.
func shbinManyDescriptors(n int) []byte {
	f := shbinBareModel(1)
	for range n {
		f.DVLP.Descriptors = append(f.DVLP.Descriptors, shbin.Descriptor{Word: movMask})
	}
	return must(f.AppendUnchecked(nil))
}

func shbinBytes(f *shbin.File) []byte { return must(f.AppendBinary(nil)) }

// shbinSeeds adds valid files of every shape.
func shbinSeeds(k *kit) {
	vertex := shbinVertexModel()
	k.seed("vertex-all-tables", "a vertex shader with every table", shbinBytes(vertex))
	k.seed("vertex-lines", "a line table", shbinBytes(shbinLinesModel()))
	for _, mode := range []shbin.Mode{shbin.Point, shbin.Variable, shbin.Fixed} {
		k.seed("geometry-"+mode.String(), "a vertex and a geometry shader in "+mode.String()+" mode",
			shbinBytes(shbinGeometryModel(mode)))
	}
	k.seed("bare", "one instruction and no table", shbinBytes(shbinBareModel(1)))
	k.seed("words-512", "as many words as a vertex unit holds", shbinBytes(shbinBareModel(512)))
	k.seed("descriptors-128", "as many descriptors as there can be", shbinManyDescriptors(128))
	short := shbinBareModel(3)
	short.Layout = shortHeaderLayout(short)
	k.seed("short-header", "the 28-byte header of several homebrew tools, the entry point before the code",
		must(short.AppendBinary(nil)))
	every := shbinBareModel(1)
	every.DVLP.Code = everyInstruction()
	every.DVLP.Descriptors = []shbin.Descriptor{{Word: movMask}}
	every.DVLEs[0].End = uint32(len(every.DVLP.Code))
	k.seed("every-instruction", "each defined opcode once", shbinBytes(every))
	k.more([]corpus.Vector{
		{Name: "names-beside-gap", Comment: "names that fill 8 times the canonical form, and a gap behind it",
			Data: shbinNamesBesideGap(0)},
		{Name: "names-only-with-gap", Comment: "names that fit into 8 times the file, but not without its gap",
			Rule: "DVLB016", Also: []string{"DVLB013", "DVLE074"}, Data: shbinNamesBesideGap(1)},
	})
}

// namesGap is the size of the gap behind the canonical form in the vectors about names beside it.
const namesGap = 64

// shbinNamesBesideGap has names of 8 times the size of its canonical form, and so many bytes more,
// with a gap behind the canonical form.
func shbinNamesBesideGap(more int) []byte {
	f := shbinBareModel(1)
	fillNames(&f.DVLEs[0].Tables, f.Size, more)
	return append(must(f.AppendUnchecked(nil)), make([]byte, namesGap)...)
}

// fillNames makes labels the only tables with names: they have 8 times the size of the file, and so many bytes more.
func fillNames(t *shbin.Tables, size func() uint64, more int) {
	const labels = 64
	t.Labels = make([]shbin.Label, labels)
	for i := range t.Labels {
		t.Labels[i] = shbin.Label{ID: uint16(i), Flags: 1, Length: shbin.NoLength}
	}
	for long := 1; ; long++ {
		t.Symbols = append(bytes.Repeat([]byte("n"), long), 0)
		rest := labels*(long+1) - 8*int(size())
		if rest < more {
			continue
		}
		for i := range t.Labels { // each byte that a name starts later makes it shorter
			t.Labels[i].Name = uint32(min(rest-more, long))
			rest -= int(t.Labels[i].Name)
		}
		return
	}
}

// shortHeaderLayout has the entry point behind a 28-byte DVLP header, then the code.
func shortHeaderLayout(f *shbin.File) *shbin.Layout {
	const start, header = 0x0C, 0x1C // of the DVLP, behind the offset of one DVLE
	code := uint32(header + 0x40)
	l := &shbin.Layout{ShortHeader: true, Size: uint64(start+code) + 4*uint64(len(f.DVLP.Code)),
		Code: shbin.Extent{Offset: code, Count: uint32(len(f.DVLP.Code))}}
	l.DVLEs = []shbin.DVLELayout{{Offset: start + header}}
	return l
}

// everyInstruction is a program with each defined opcode once. Flow control goes to the next
// word.
func everyInstruction() []uint32 {
	var code []uint32
	for op, info := range pica.Opcodes {
		if info.Name == "" || info.Base != pica.Opcode(op) || pica.Opcode(op) == pica.END {
			continue
		}
		word := uint32(op) << 26
		word = info.Format.Layout().Dst.Put(word, uint32(len(code)+1))
		code = append(code, word)
	}
	return append(code, wordEnd)
}
