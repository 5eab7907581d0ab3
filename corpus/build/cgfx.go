package main

import (
	"slices"

	"github.com/picaproof/picaproof/formats/cgfx"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
)

func init() { builders["cgfx"] = cgfxVectors }

// embeddedDVLB is a DVLB for the formats that hold one: a vertex shader, and a
// geometry shader if asked for. It has no finding.
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
			Programs: []cgfx.Program{{Vertex: 0, Geometry: -1}, {Flag: 1, Vertex: 0, Geometry: 1, Opaque: cgfx.Opaque{0: 7, 123: 9}}},
		},
		{Name: "Particle", DVLB: embeddedDVLB(false)},
	}}
}

// Where things are in cgfxModel.
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

// Field offsets.
const (
	xByteOrder, xHeaderSize, xRevision, xSize, xBlocks = 0x04, 0x06, 0x08, 0x0C, 0x10

	xNodeLeft, xNodeName, xNodeObject = 0x04, 0x08, 0x0C

	xObjectRevision, xObjectName, xDVLBSize, xDVLBAt, xCommands, xCommandsAt, xPrograms, xProgramsAt, xPadding = 0x08, 0x0C, 0x18, 0x1C, 0x20, 0x24, 0x28, 0x2C, 0x38
)

func cgfxBytes(f *cgfx.File) []byte { return must(f.AppendBinary(nil)) }

// pointer is the patch that makes the pointer at one place lead to another.
func pointer(at, target int) []byte { return u32(uint32(target - at)) }

// longer is cgfxModel with n more bytes at its end.
func longer(b []byte, n int) []byte {
	b = append(slices.Clone(b), make([]byte, n)...)
	b = patched(b, xSize, u32(uint32(len(b)))...)
	return b
}

func cgfxVectors(k *kit) {
	b := cgfxBytes(cgfxModel())
	k.seed("two-shaders", "two shaders, one with programs", b)
	k.seed("no-shaders", "the smallest file", cgfxBytes(&cgfx.File{}))
	k.seed("reference", "a shader that is elsewhere", edited(b, on(xObject, u32(0x80000001))))
	k.seed("imag", "a second block behind the shaders", cgfxImage(b))
	k.seed("commands", "a list of commands", edited(longer(b, 8), on(xObject+xCommands, u32(2), xObject+xCommandsAt, pointer(xObject+xCommandsAt, len(b)))))
	k.seed("many-names", "a DICT of some depth", cgfxBytes(cgfxNames("a", "`", "aa", "ab", "b", "Shader", "Shader1", "Shader2", "\u00E9")))
	k.rules(cgfxRules(b))
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

// cgfxRules lists a trigger and a near miss for every rule of the format.
func cgfxRules(b []byte) []ruleCase {
	return slices.Concat(cgfxHeaderRules(b), cgfxDictRules(b), cgfxObjectRules(b))
}

func cgfxHeaderRules(b []byte) []ruleCase {
	size := uint32(len(b))
	const dict = xShaders + 4
	return []ruleCase{
		{"CGFX001", 0x13, b[:0x13], "one byte less than a header", nil, "a header, and no DATA", on(0x13, u8(0))},
		{"CGFX002", 0, b, "a BCH file", on(0, []byte("BCH\x00")), "a CGFX file", nil},
		{"CGFX003", xByteOrder, b, "big endian", on(xByteOrder, []byte{0xFE, 0xFF}), "little endian", nil},
		{"CGFX004", xHeaderSize, b, "a header of 0x10 bytes", on(xHeaderSize, u16(0x10)), "of 0x14 bytes", nil},
		{"CGFX005", xHeaderSize, b, "a header of 0x18 bytes", on(xHeaderSize, u16(0x18)), "of 0x14 bytes", nil},
		{"CGFX006", xRevision, b, "revision 4", on(xRevision, u32(0x04000000)), "revision 5", nil},
		{"CGFX007", xSize, b, "a byte is missing", on(xSize, u32(size+1)), "none is", nil},
		{"CGFX008", xSize, b, "four bytes too many", on(int(size), u32(0)), "none", nil},
		{"CGFX009", xBlocks, b, "no block", on(xBlocks, u32(0)), "one block", nil},
		{"CGFX010", xData, b, "the magic of DATA is DATB", on(xData, []byte("DATB")), "it is DATA", nil},
		{"CGFX011", xData + 4, b, "DATA of 0x2F bytes", on(xData+4, u32(0x2F)), "of 0x30 bytes", on(xData+4, u32(0x30))},
		{"CGFX012", xData, b, "room for 15 kinds", on(xData+4, u32(8+15*8)), "for 16", on(xData+4, u32(8+16*8))},
		{"CGFX013", dict, b, "two shaders and no DICT", on(dict, u32(0)), "two shaders and a DICT", nil},
		{"CGFX014", xKinds + 4, b, "a DICT of no models", on(xKinds+4, pointer(xKinds+4, xDict)), "none", nil},
		{"CGFX015", xKinds, b, "a model", on(xKinds, u32(1), xKinds+4, pointer(xKinds+4, xDict)), "none", nil},
		{"CGFX016", dict, b, "the DICT is where the file ends", on(dict, pointer(dict, int(size))), "four bytes in front of that", on(dict, pointer(dict, int(size)-4))},
		{"CGFX017", xShaders, cgfxBytes(&cgfx.File{}), "no shader", nil, "one shader, said to be where the file ends", on(xShaders, u32(1), dict, pointer(dict, xDict))},
		{"CGFX018", xProgram0, b, "two programs in one place", on(xArray+4, pointer(xArray+4, xProgram0)), "each in its own", nil},
	}
}

func cgfxDictRules(b []byte) []ruleCase {
	size := len(b)
	names := size - len("DefaultShader\x00Particle\x00\x00")
	const dict = xShaders + 4
	name, object := xNode1+xNodeName, xNode1+xNodeObject
	return []ruleCase{
		{"DICT001", dict, b, "room for 24 bytes", on(dict, pointer(dict, size-24)), "for 28", on(dict, pointer(dict, size-28))},
		{"DICT002", xDict, b, "the magic is DICU", on(xDict, []byte("DICU")), "the magic is DICT", nil},
		{"DICT003", xDict + 8, b, "one entry for two shaders", on(xDict+8, u32(1)), "two entries", nil},
		{"DICT004", xDict + 8, b, "more nodes than there is room for", on(xShaders, u32(0x1000), xDict+8, u32(0x1000)), "as many as the file has, but another size", on(xShaders, u32(1), xDict+8, u32(1))},
		{"DICT005", xDict + 4, b, "four bytes too large", on(xDict+4, u32(0x40)), "the right size", nil},
		{"DICT006", xNode1 + xNodeLeft, b, "a child that is node 3 of 2", on(xNode1+xNodeLeft, u16(3)), "node 2", on(xNode1+xNodeLeft, u16(2))},
		{"DICT007", xNode0, b, "bit 0x7FFFFFFF", on(xNode0, u32(0x7FFFFFFF)), "bit 0xFFFFFFFF", nil},
		{"DICT008", xNode0 + xNodeName, b, "the root has a name", on(xNode0+xNodeName, u32(1)), "it has none", nil},
		{"DICT009", name, b, "a name that starts where the file ends", on(name, pointer(name, size)), "one that is the last letter", on(name, pointer(name, names+len("DefaultShader\x00Particl")))},
		{"DICT010", xNode2 + xNodeName, b, "the name of the other", on(xNode2+xNodeName, pointer(xNode2+xNodeName, names)), "its tail", on(xNode2+xNodeName, pointer(xNode2+xNodeName, names+1))},
		{"DICT011", object, b, "an object at no multiple of 4", on(object, pointer(object, xObject+2)), "at a multiple of 4, on something else", on(object, pointer(object, xObject+4))},
		{"DICT012", xNode1, b, "every search ends at node 2", on(xNode0+xNodeLeft, u16(2), xNode2, u32(1), xNode2+xNodeLeft, u16(2), xNode2+xNodeLeft+2, u16(2)), "every name is found", nil},
		{"DICT013", xNode1, cgfxBytes(cgfxNames("DefaultShader")), "another bit in which the name differs", on(xNode0+0x10, u32(0x65)), "the highest", nil},
	}
}

func cgfxObjectRules(b []byte) []ruleCase {
	size := len(b)
	names := size - len("DefaultShader\x00Particle\x00\x00")
	name, dvlb, array := xObject+xObjectName, xObject+xDVLBAt, xObject+xProgramsAt
	withCommands := edited(longer(b, 8), on(xObject+xCommands, u32(2), xObject+xCommandsAt, pointer(xObject+xCommandsAt, size)))
	return []ruleCase{
		{"SHDR001", xObject, b, "type 0x80000003", on(xObject, u32(0x80000003)), "type 0x80000002", nil},
		{"SHDR002", xObject + 4, b, "the magic is SHDX", on(xObject+4, []byte("SHDX")), "the magic is SHDR", nil},
		{"SHDR003", xObject, b, "a reference of older files", on(xObject, u32(0x00000101)), "a shader", nil},
		{"SHDR004", xObject + xObjectRevision, b, "revision 5", on(xObject+xObjectRevision, u32(0x05000000)), "revision 6", nil},
		{"SHDR005", name, b, "no name", on(name, u32(0)), "a name", nil},
		{"SHDR006", name, b, "the tail of its name", on(name, pointer(name, names+1)), "its name", nil},
		{"SHDR007", xObject + xPadding, b, "the last byte of the padding", on(xObject+xPadding+15, u8(1)), "zeros", nil},
		{"SHDR008", xObject + xCommands, withCommands, "two commands", nil, "none, but a pointer", on(xObject+xCommands, u32(0))},
		{"SHDR009", xObject + xCommandsAt, withCommands, "three commands, room for two", on(xObject+xCommands, u32(3)), "two", nil},
		{"SHDR010", xObject + xDVLBSize, b, "a DVLB of no bytes", on(xObject+xDVLBSize, u32(0)), "of four bytes", on(xObject+xDVLBSize, u32(4))},
		{"SHDR011", dvlb, b, "a DVLB one byte behind its magic", on(dvlb, pointer(dvlb, xDVLB+1)), "four bytes behind", on(dvlb, pointer(dvlb, xDVLB+4))},
		{"SHDR012", dvlb, b, "the magic of the DVLB is DVLX", on(xDVLB, []byte("DVLX")), "it is DVLB", nil},
		{"SHDR013", array, b, "programs without a list", on(array, u32(0)), "with a list", nil},
		{"SHDR014", xArray, b, "a null pointer to a program", on(xArray, u32(0)), "a pointer to one", nil},
		{"SHDR015", xProgram1 + 8, b, "DVLE 2 of 2", on(xProgram1+8, u32(2)), "DVLE 1", nil},
		{"SHDR016", xProgram1 + 4, b, "a geometry shader as vertex shader", on(xProgram1+4, u32(1)), "a vertex shader", nil},
		{"SHDR017", xProgram0, b, "neither of the two", on(xProgram0+4, u32(0xFFFFFFFF)), "a vertex shader", nil},
	}
}
