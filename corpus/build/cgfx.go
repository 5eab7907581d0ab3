package main

import (
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
		e := f.Entries[0]
		e.Type = shbin.GeometryShader
		f.Entries = append(f.Entries, e)
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

// Offsets in cgfxModel.
const (
	xData     = 0x14
	xKinds    = xData + 8
	xShaders  = xKinds + 4*8
	xDict     = 0x9C
	xNode0    = xDict + 0x0C
	xNode1    = xNode0 + 0x10
	xNode2    = xNode1 + 0x10
	xObject   = xNode2 + 0x10
	xArray    = xObject + 0x48
	xProgram0 = xArray + 2*4
	xProgram1 = xProgram0 + 0x88
	xDVLB     = xProgram1 + 0x88
)

// Offsets of fields in their records.
const (
	xByteOrder, xHeaderSize, xRevision, xSize, xBlocks = 0x04, 0x06, 0x08, 0x0C, 0x10

	xObjectRevision, xObjectName, xDVLBSize, xDVLBAt, xCommands, xCommandsAt, xPrograms, xProgramsAt, xPadding = 0x08,
		0x0C, 0x18, 0x1C, 0x20, 0x24, 0x28, 0x2C, 0x38
)

func cgfxBytes(f *cgfx.File) []byte { return must(f.AppendBinary(nil)) }

// pointer is the patch that redirects the pointer at one offset to another.
func pointer(at, target int) []byte { return u32(uint32(target - at)) }

// longer is cgfxModel with n more bytes at its end.
func longer(b []byte, n int) []byte {
	b = append(slices.Clone(b), make([]byte, n)...)
	b = patched(b, xSize, u32(uint32(len(b)))...)
	return b
}

func cgfxSeeds(k *kit) {
	b := cgfxBytes(cgfxModel())
	k.seed("two-shaders", "two shaders, one with programs", b)
	k.seed("no-shaders", "the smallest file", cgfxBytes(&cgfx.File{}))
	k.seed("reference", "a shader that is elsewhere", edited(b, on(xObject, u32(0x80000001))))
	k.seed("imag", "a second block behind the shaders", cgfxImage(b))
	k.seed("commands", "a list of commands",
		edited(longer(b, 8), on(xObject+xCommands, u32(2), xObject+xCommandsAt, pointer(xObject+xCommandsAt, len(b)))))
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

// cgfxImage is a file with an empty IMAG block.
func cgfxImage(b []byte) []byte {
	image := edited(longer(b, 8), on(xBlocks, u32(2), len(b), []byte("IMAG\x08\x00\x00\x00")))
	return image
}
