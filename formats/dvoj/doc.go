// Package dvoj reads and writes DVOJ, the shader objects of the PICA200. The official
// assembler writes them, and the official linker merges their code, descriptors and
// tables into a DVLB. An object holds one procedure, or a library of procedures.
//
// Provisional: no official file was at hand; fields may change when one is.
//
// Call [Parse] for the model of a file, [File.AppendBinary] for its bytes, [Check] for all
// findings, and [Outline] for the owner of every byte, of a refused file too.
//
// No official file is public, and no public program reads or writes one. The layout
// follows GBATEK and 3dbrew, whose authors had such files; where the two differ, this
// package follows 3dbrew. Values of unknown meaning are kept
// unchanged.
//
// # Layout
//
// All integers are little endian; all offsets count from the start of the file. The
// magic is "DVOJ"; GBATEK's prose has "DVOB". The offset of an empty table is ignored.
// Constants, labels, descriptors, lines, outputs and uniforms have the records of a
// DVLB; see package shbin. The procedure starts at word 0.
//
// # Unknown
//
// Two words of a relocation and one word of the header are unknown. It is unknown
// whether tables of official files are in header order, padded or aligned. It is also
// unknown how an unresolved call is encoded, so indices and targets outside the object
// are warnings, not errors.
//
// # Records
//
// Header; offsets are from the start of the file:
//
//	0x00  magic               4 bytes  "DVOJ"
//	0x04  version             u16      tool version: low byte major, high byte minor (3dbrew)
//	0x06  type                u8       0 vertex, 1 geometry (3dbrew)
//	0x07  merge               u8       1: merge the output maps of vertex and geometry shader (3dbrew)
//	0x08  input_mask          u16      bit i: vi is used (3dbrew)
//	0x0A  output_mask         u16      bit i: oi is used (3dbrew)
//	0x0C  unknown             u32      usually FFFFFFFF
//	0x10  constants.offset    u32
//	0x14  constants.count     u32
//	0x18  labels.offset       u32
//	0x1C  labels.count        u32
//	0x20  code.offset         u32
//	0x24  code.count          u32      words
//	0x28  descriptors.offset  u32
//	0x2C  descriptors.count   u32
//	0x30  lines.offset        u32
//	0x34  lines.count         u32      entry k is of code word k
//	0x38  relocations.offset  u32
//	0x3C  relocations.count   u32
//	0x40  outputs.offset      u32
//	0x44  outputs.count       u32
//	0x48  uniforms.offset     u32
//	0x4C  uniforms.count      u32      inputs too
//	0x50  symbols.offset      u32
//	0x54  symbols.size        u32      bytes; names of labels, uniforms and source files
//
// Relocation:
//
//	0x00  word      u32  index of a code word whose instruction has an operand (3dbrew)
//	0x04  unknown1  u32
//	0x08  unknown2  u32
package dvoj
