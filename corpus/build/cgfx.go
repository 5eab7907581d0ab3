package main

import (
	"bytes"
	"slices"

	"github.com/picaproof/picaproof/formats/cgfx"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
)

func init() { builders["cgfx"] = cgfxSeeds }

// embeddedDVLB is a DVLB for formats that embed one: a vertex shader, and optionally a geometry
// shader. It has no finding.
func embeddedDVLB(geometry bool) []byte {
	f := shbinBareModel(1)
	if geometry {
		e := f.DVLEs[0]
		e.Type = shbin.GeometryShader
		f.DVLEs = append(f.DVLEs, e)
	}
	return shbinBytes(f)
}

// cgfxModel has two shaders, the first with two programs.
func cgfxModel() *cgfx.File {
	return &cgfx.File{Objects: []cgfx.Object{
		{
			Name: "DefaultShader", DVLB: embeddedDVLB(true),
			Programs: []cgfx.Program{{Vertex: 0, Geometry: -1},
				{Flag: 1, Vertex: 0, Geometry: 1, Opaque: cgfx.Opaque{0: 7, len(cgfx.Opaque{}) - 1: 9}}},
		},
		{Name: "Particle", DVLB: embeddedDVLB(false)},
	}}
}

func cgfxBytes(f *cgfx.File) []byte { return must(f.AppendBinary(nil)) }

// pointer is the patch that redirects the pointer at one offset to another.
func pointer(at, target int) []byte { return u32(uint32(target - at)) }

// longer is a file with n more bytes at its end.
func longer(o original, n int) []byte {
	b := append(slices.Clone(o.bytes), make([]byte, n)...)
	return patched(b, o.at("header.size"), u32(uint32(len(b)))...)
}

func cgfxSeeds(k *kit) {
	two := originalOf(cgfxModel())
	end, commands := len(two.bytes), "shaders[0].commands_a."
	k.seed("two-shaders", "two shaders, one with programs", two.bytes)
	k.seed("no-shaders", "the smallest file", cgfxBytes(&cgfx.File{}))
	k.seed("reference", "a shader that is elsewhere",
		edited(two.bytes, on(two.at("shaders[0].type"), u32(0x80000001))))
	k.seed("imag", "a second block behind the shaders",
		edited(longer(two, 8), on(two.at("header.blocks"), u32(2), end, []byte("IMAG\x08\x00\x00\x00"))))
	k.seed("commands", "a list of commands", edited(longer(two, 8), on(two.at(commands+"count"), u32(2),
		two.at(commands+"pointer"), pointer(two.at(commands+"pointer"), end))))
	one := cgfxBytes(cgfxNames("a"))
	k.seed("empty-name", "a shader without a name: the file has no canonical form",
		edited(one, on(bytes.LastIndexByte(one, 'a'), []byte{0})))
	k.seed("many-names", "a DICT of some depth",
		cgfxBytes(cgfxNames("a", "`", "aa", "ab", "b", "Shader", "Shader1", "Shader2", "\u00E9")))
}

func cgfxNames(names ...string) *cgfx.File {
	f := new(cgfx.File)
	for _, name := range names {
		f.Objects = append(f.Objects, cgfx.Object{Name: wire.Text(name), DVLB: embeddedDVLB(false)})
	}
	return f
}
