package main

import (
	"strings"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/wire"
)

func init() { builders["gsh"] = gshSeeds }

// gshSeeds makes a seed of every shape. The shaders come from the SHARCFB seeds.
func gshSeeds(k *kit) {
	for _, s := range []struct {
		name, comment string
		file          *gsh.File
	}{
		{"pair", "vertex and pixel shader, every table, style D", gshPair(gsh.StyleD, 0)},
		{"pair-n", "the same in style N", gshPair(gsh.StyleN, 0)},
		{"pair-aligned", "the same, programs at multiples of 0x200", gshPair(gsh.StyleD, 1)},
		{"vertex", "a vertex shader alone", &gsh.File{Shaders: gshPair(gsh.StyleD, 0).Shaders[:1]}},
		{"geometry", "geometry shaders with copy program and stream-out, two of each type", gshGeometry()},
		{"no-tables", "shaders without tables: style N has null patches",
			&gsh.File{Style: gsh.StyleN, Shaders: gshPlain()}},
		{"initial-values", "initial values and loop variables", gshInitial()},
		{"opaque", "blocks of a texture between the shaders, which have no canonical form", gshOpaque()},
		{"other-layout", "a tail, blocks that are not numbered, words in the reserved places", gshOther()},
		{"empty", "no shaders", &gsh.File{}},
	} {
		k.seed(s.name, s.comment, must(s.file.AppendBinary(nil)))
	}
	k.more([]corpus.Vector{gshUnaligned(gsh.StyleD, 1), gshUnaligned(gsh.StyleN, 6)})
}

// gshUnaligned is a file with an unaligned pointer to a name, at index patch of a patch list
// that otherwise has a style.
func gshUnaligned(style gsh.Style, patch int) corpus.Vector {
	shader := sharcShader(gx2.Pixel, 0xA2).Shader
	shader.Samplers = []gx2.SamplerVar{{Name: "tex", Type: gx2.Sampler2D}}
	f := must(gsh.Parse(must((&gsh.File{Style: style, Shaders: gshOf(shader)}).AppendBinary(nil))))
	s := &f.Shaders[0]
	for i := range s.Layout.Tables {
		if t := &s.Layout.Tables[i]; t.Count > 0 {
			t.Offset++
		}
	}
	s.Layout.Names[0].Offset += 4
	s.Layout.Size += 4
	s.Slack.TextOffset += 4
	s.Slack.Patches = style.Patches(s.Layout, s.Type)
	return corpus.Vector{
		Name: "unaligned-patch-" + strings.ToLower(style.String()), Rule: "GSH054",
		Offset: 0x40 + int(s.Layout.Size) + 4*patch, Data: must(f.AppendUnchecked(nil)),
		Comment: "a list of style " + style.String() + " names a pointer that is not at a multiple of 4",
	}
}

// gshOf returns shaders of a SHARCFB seed.
func gshOf(shaders ...gx2.Shader) (list []gsh.Shader) {
	for i := range shaders {
		list = append(list, gsh.Shader{Shader: shaders[i].Canonical()})
	}
	return list
}

func gshPlain() []gsh.Shader {
	return gshOf(sharcShader(gx2.Vertex, 0xA0).Shader, sharcShader(gx2.Pixel, 0xA1).Shader)
}

func gshPair(style gsh.Style, align uint32) *gsh.File {
	f := sharcSymbols(0)
	return &gsh.File{Style: style, Align: align, Shaders: gshOf(f.Binaries[0].Shader, f.Binaries[1].Shader)}
}

func gshGeometry() *gsh.File {
	f := &gsh.File{}
	for _, b := range sharcGeometry(0).Binaries {
		f.Shaders = append(f.Shaders, gshOf(b.Shader)...)
	}
	return f
}

func gshInitial() *gsh.File {
	f := &gsh.File{Shaders: gshPlain()}
	f.Shaders[0].InitialValues = []gx2.InitialValue{{X: 0x3F800000, Offset: 4}}
	f.Shaders[1].Loops = []gx2.LoopVar{{0, 0, 0, 0, 1, 0, 0x0F, 0xFF}}
	return f
}

func gshOpaque() *gsh.File {
	f := must(gsh.Parse(must(gshPair(gsh.StyleD, 0).AppendBinary(nil))))
	f.Opaque = []wire.Hex{make(wire.Hex, 0x9C), wire.Hex("pixels")}
	blocks := f.Layout.Blocks
	end := len(blocks) - 1
	f.Layout.Blocks = append(blocks[:end:end], gsh.Block{Type: 11, ID: uint32(end)},
		gsh.Block{Type: 12, ID: uint32(end + 1)}, gsh.Block{Type: gsh.End, ID: uint32(end + 2)})
	return f
}

func gshOther() *gsh.File {
	f := must(gsh.Parse(must(gshPair(gsh.StyleD, 0).AppendBinary(nil))))
	l := f.Layout
	l.Reserved, l.Tail = 1, wire.Hex("tail")
	for i := range l.Blocks {
		l.Blocks[i].ID = uint32(40 + i)
	}
	f.Shaders[0].Slack.Gap = make(wire.Hex, 12)
	return f
}
