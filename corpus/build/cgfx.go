package main

import (
	"bytes"

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

func cgfxSeeds(k *kit) {
	two := cgfxModel()
	// changed returns the file with n more bytes at its end and some fields set.
	changed := func(n int, fields set) []byte {
		d := draft(two, le, fields)
		d.Set("header.size", uint64(len(d.Bytes)+n))
		return append(d.Bytes, make([]byte, n)...)
	}
	plain := draft(two, le, nil)
	end, pointer := len(plain.Bytes), "shaders[0].commands_a.pointer"
	k.seed("two-shaders", "two shaders, one with programs", plain.Bytes)
	k.seed("no-shaders", "the smallest file", cgfxBytes(&cgfx.File{}))
	k.seed("reference", "a shader that is elsewhere", changed(0, set{"shaders[0].type": 0x80000001}))
	k.seed("imag", "a second block behind the shaders",
		append(changed(8, set{"header.blocks": 2})[:end], "IMAG\x08\x00\x00\x00"...))
	k.seed("commands", "a list of commands",
		changed(8, set{"shaders[0].commands_a.count": 2, pointer: uint64(end - plain.Off(pointer))}))
	nameless := cgfxBytes(cgfxNames("a"))
	nameless[bytes.LastIndexByte(nameless, 'a')] = 0
	k.seed("empty-name", "a shader without a name: the file has no canonical form", nameless)
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
