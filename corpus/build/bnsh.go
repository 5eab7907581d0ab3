package main

import (
	"bytes"
	"fmt"
	"math"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen/bnshgen"
)

func init() { builders["bnsh"] = bnshSeeds }

// bnshHeader is the header of the console's files.
func bnshHeader(name bnsh.Text) bnsh.Header {
	return bnsh.Header{
		Version: bnsh.Version{Major: 2, Minor: 1, Micro: 12}, AlignmentShift: 12, Name: name, APIType: 4,
		CompilerVersion: 0x00010B02, LowLevelCompilerVersion: 0x0011001600010010,
	}
}

// bnshSource has a variation for each text: vertex source with object memory.
func bnshSource(texts ...string) *bnsh.File {
	f := &bnsh.File{Header: bnshHeader("s")}
	for _, text := range texts {
		p := &bnsh.Program{Flags: bnsh.ResShader, CodeType: bnsh.SourceCode, ObjectSize: 4}
		p.Stages[bnsh.Vertex] = &bnsh.Code{Code: wire.Hex(text)}
		f.Variations = append(f.Variations, bnsh.Variation{Source: p})
	}
	return f
}

// bnshNamed is bnshSource with two names for inputs.
func bnshNamed() *bnsh.File {
	f := bnshSource("v")
	f.Variations[0].Source.Reflection = &bnsh.PerStage[bnsh.StageReflection]{
		bnsh.Vertex: bnshReflection(bnsh.Tables{bnsh.Inputs: {Keys: []bnsh.Text{"aPos", "aTex"}}}),
	}
	return f
}

// bnshReflection gives every name a slot.
func bnshReflection(tables bnsh.Tables) *bnsh.StageReflection {
	r := &bnsh.StageReflection{Tables: tables}
	r.Extended = len(tables[bnsh.SeparateTextures].Keys)+len(tables[bnsh.SeparateSamplers].Keys) > 0
	bnshgen.Place(none(), r)
	return r
}

// bnshExtended has names of every kind.
func bnshExtended() *bnsh.File {
	f := bnshNamed()
	f.Version.Minor, f.Version.Micro = 2, 1
	var tables bnsh.Tables
	for k := range tables {
		tables[k].Keys = []bnsh.Text{bnsh.Text(bnsh.Kind(k).String()), "shared"}
	}
	f.Variations[0].Source.Reflection[bnsh.Vertex] = bnshReflection(tables)
	return f
}

// bnshKeys has a dictionary of n names of different lengths with equal ends.
func bnshKeys(n int) *bnsh.File {
	f := bnshNamed()
	var keys []bnsh.Text
	for i := range n {
		keys = append(keys, bnsh.Text(fmt.Sprintf("u%d_%.*s", i*37, i%6, "Matrix")))
	}
	f.Variations[0].Source.Reflection[bnsh.Vertex] = bnshReflection(bnsh.Tables{bnsh.ConstantBuffers: {Keys: keys}})
	return f
}

// bnshCode is code of 0x100 bytes that are all the same but for the first word, without a finding.
func bnshCode(s bnsh.Stage, fill byte) *bnsh.Code {
	c := &bnsh.Code{Code: bytes.Repeat([]byte{fill}, 0x100)}
	if s == bnsh.Compute {
		c.ScratchRecommended, c.ScratchPerWarp = 0xA0000, 0xA00
	}
	bnshgen.Fit(c, s)
	return c
}

// bnshBinary has a variation for each byte, with vertex code of that byte, without a finding.
func bnshBinary(fills ...byte) *bnsh.File {
	property := uint32(0x61)
	f := &bnsh.File{Header: bnshHeader("b"), PoolProperty: &property}
	for _, fill := range fills {
		p := &bnsh.Program{Flags: bnsh.ResShader, ObjectSize: 8}
		p.Stages[bnsh.Vertex] = bnshCode(bnsh.Vertex, fill)
		f.Variations = append(f.Variations, bnsh.Variation{Binary: p})
	}
	return f
}

// bnshStages has plain binary code of the given stages.
func bnshStages(stages ...bnsh.Stage) *bnsh.File {
	f := bnshBinary(1)
	p := f.Variations[0].Binary
	p.Stages = bnsh.PerStage[bnsh.Code]{}
	for _, s := range stages {
		p.Stages[s] = bnshCode(s, byte(s))
	}
	return f
}

// bnshForms has a variation with code in each of the given forms.
func bnshForms(forms ...bnsh.Program) *bnsh.File {
	f := &bnsh.File{Header: bnshHeader("f")}
	for i := range forms {
		p := &forms[i]
		p.Stages[bnsh.Pixel] = &bnsh.Code{Code: wire.Hex("code"), UnpackedSize: 9}
		if p.CodeType == bnsh.SourceArrayCode {
			p.Stages[bnsh.Pixel] = &bnsh.Code{Texts: []wire.Hex{wire.Hex("one"), wire.Hex("of"), wire.Hex("one")}}
		}
		f.Variations = append(f.Variations, p.Variation())
	}
	return f
}

func bnshThreePrograms() *bnsh.File {
	f := bnshBinary(7)
	f.Variations[0].Source = bnshSource("v").Variations[0].Source
	f.Variations[0].Intermediate = bnshForms(bnsh.Program{CodeType: bnsh.IntermediateCode}).Variations[0].Intermediate
	return f
}

func bnshCompute() *bnsh.File {
	f := bnshStages(bnsh.Compute)
	r := bnshReflection(bnsh.Tables{
		bnsh.Samplers: {Keys: []bnsh.Text{"source"}}, bnsh.UnorderedAccessBuffers: {Keys: []bnsh.Text{"histogram"}},
		bnsh.Images: {Keys: []bnsh.Text{"target"}},
	})
	r.WorkGroup, r.Slots[1] = [3]uint32{8, 8, 1}, -1
	f.Variations[0].Binary.Reflection = &bnsh.PerStage[bnsh.StageReflection]{bnsh.Compute: r}
	return f
}

func bnshNameless() *bnsh.File {
	f := bnshNamed()
	f.Name = ""
	return f
}

// bnshEveryField has a nonzero value in every field that may have one.
func bnshEveryField() *bnsh.File {
	f := bnshExtended()
	f.AddressSize, f.APIVersion, f.TargetCodeType = 64, 3, 1
	v := &f.Variations[0]
	v.Source.Flags, v.Source.SourceFormat, v.Source.BinaryFormat = bnsh.Separable|bnsh.ResShader, bnsh.HLSL, bnsh.Zlib
	v.Source.Stages[bnsh.Vertex].UnpackedSize = 9
	v.Source.Reflection[bnsh.Vertex].WorkGroup = [3]uint32{1, 2, 3}
	v.Binary = bnshCompute().Variations[0].Binary
	f.PoolProperty = bnshCompute().PoolProperty
	return f
}

// bnshVersion is bnshNamed in another version.
func bnshVersion(minor, micro uint8) *bnsh.File {
	f := bnshNamed()
	f.Version.Minor, f.Version.Micro = minor, micro
	return f
}

// bnshMany has n variations; every third one shares its code.
func bnshMany(n int) *bnsh.File {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprint("code ", i-i%3)
	}
	return bnshSource(texts...)
}

// bnshOtherOrder has the code of two variations in reverse order.
func bnshOtherOrder() *bnsh.File {
	f := bnshArranged(bnshSource("v", "w"))
	a, b := f.Layout.Programs[0].Stages[bnsh.Vertex], f.Layout.Programs[1].Stages[bnsh.Vertex]
	a.Code, b.Code = b.Code, a.Code
	return f
}

// bnshShifted has the container eight bytes further than usual.
func bnshShifted() *bnsh.File {
	f := bnshArranged(bnshSource("v"))
	bnshgen.Move(f, f.Layout.Container, math.MaxUint32, 8)
	return f
}

// bnshArranged returns a file with the layout that the writer gives it.
func bnshArranged(f *bnsh.File) *bnsh.File { return must(bnsh.Parse(bnshBytes(f))) }

func bnshBytes(f *bnsh.File) []byte { return must(f.AppendBinary(nil)) }

func bnshSeeds(k *kit) {
	for _, s := range []struct {
		name, comment string
		file          *bnsh.File
	}{
		{"binary", "vertex code with a control of version 1.16: no finding", bnshBinary(1)},
		{"two-variations", "two variations with code of their own", bnshBinary(1, 2)},
		{"shared-code", "three variations, of which two share code and control", bnshBinary(1, 2, 1)},
		{"graphics-stages", "vertex, hull, domain, geometry and pixel",
			bnshStages(bnsh.Vertex, bnsh.Hull, bnsh.Domain, bnsh.Geometry, bnsh.Pixel)},
		{"compute", "compute with reflection, scratch memory and a name without slot", bnshCompute()},
		{"source", "source code without reflection", bnshSource("v")},
		{"many-variations", "forty variations", bnshMany(40)},
		{"forms", "source, a source array, intermediate code and three packed with zlib", bnshForms(
			bnsh.Program{CodeType: bnsh.SourceCode},
			bnsh.Program{CodeType: bnsh.SourceArrayCode, SourceFormat: bnsh.HLSL},
			bnsh.Program{CodeType: bnsh.IntermediateCode},
			bnsh.Program{CodeType: bnsh.SourceCode, BinaryFormat: bnsh.Zlib},
			bnsh.Program{CodeType: bnsh.IntermediateCode, BinaryFormat: bnsh.Zlib},
			bnsh.Program{BinaryFormat: bnsh.Zlib})},
		{"three-programs", "source, intermediate and binary program in one variation", bnshThreePrograms()},
		{"no-keys", "reflection without names", bnshKeys(0)},
		{"one-key", "a dictionary of one name", bnshKeys(1)},
		{"two-keys", "a dictionary of two names", bnshNamed()},
		{"hundred-keys", "a dictionary of a hundred names", bnshKeys(100)},
		{"every-kind", "names of every kind, one of them in all dictionaries", bnshExtended()},
		{"every-field", "no field is zero that need not be", bnshEveryField()},
		{"version-2.1.2", "the first listed version", bnshVersion(1, 2)},
		{"version-2.1.4", "a listed version", bnshVersion(1, 4)},
		{"version-2.1.5", "the version that the runtime in nnheaders expects", bnshVersion(1, 5)},
		{"version-2.1.10", "a listed version", bnshVersion(1, 10)},
		{"version-2.1.11", "a listed version", bnshVersion(1, 11)},
		{"version-2.2.1", "a listed version", bnshVersion(2, 1)},
		{"version-2.3.1", "the last listed version", bnshVersion(3, 1)},
		{"no-name", "the file name is empty, so the pool goes on with keys", bnshNameless()},
		{"other-order", "the code of the second variation comes first, as in some files of games", bnshOtherOrder()},
		{"other-container", "the container eight bytes further", bnshShifted()},
	} {
		k.seed(s.name, s.comment, bnshBytes(s.file))
	}
	k.more(bnshFound())
	two, named, binary := bnshSource("v", "w"), bnshNamed(), bnshBinary(1, 2)
	first := draft(two, le, nil).Off("variations[0].source.pointer")
	k.twoErrors(le, []twoErrors{
		{name: "header-and-dictionary", comment: "relocated, and an item that branches on bit -1", rule: "BNSH055",
			model: named, field: bnshInputs + "[1].bit", fields: set{"header.flags": 1, bnshInputs + "[1].bit": 0xFFFFFFFF}},
		{name: "container-and-strings", rule: "BNSH060", model: two, field: "strings.size",
			comment: "a reserved byte of the container, and a string pool of a size of its own",
			fields:  set{"container.reserved2": 1, "strings.size": 8}},
		{name: "two-variations", rule: "BNSH021", model: two, field: "variations[1].parent.pointer",
			comment: "flags 4 of the first program, and a second variation whose parent is the first",
			fields:  set{"variations[0].source.flags": 4, "variations[1].parent.pointer": uint64(first)}},
		{name: "two-codes", comment: "no control of the first code, and a size of 0 of the second", rule: "BNSH032",
			model: binary, field: "variations[1].binary.vertex.code_size",
			fields: set{"variations[0].binary.vertex.control_size": 0, "variations[1].binary.vertex.code_size": 0}},
		{name: "relocations-and-reflection", rule: "BNSH053", model: named, field: bnshInputs + ".count",
			comment: "a relocation table without sections, and a dictionary of -1 items",
			fields:  set{"relocation_table.section_count": 0, bnshInputs + ".count": 0xFFFFFFFF}},
		{name: "program-and-section", rule: "BNSH072", model: binary, field: "relocation_table.sections[5].pointer",
			comment: "an unknown code type, and a pool section of another size",
			fields:  set{"variations[0].binary.code_type": 9, "relocation_table.sections[5].pointer": 8}},
	})
}
