// Package dvoj reads and writes DVOJ, shader objects for the PICA200: what the
// official assembler hands to the official linker. One object is one procedure,
// or a library of procedures, before its code, descriptors and tables are
// merged into a DVLB.
//
// No official file is public, and no public program reads or writes one. The
// layout is what GBATEK and 3dbrew say, which describe files their authors had;
// where the two differ 3dbrew is followed. Values that nobody has explained are
// kept as they are.
//
// # Layout
//
// All integers are little endian, all offsets from the start of the file.
//
//	0x00  4     "DVOJ"; GBATEK's prose says "DVOB", its table and 3dbrew do not
//	0x04  u16   tool version: low byte major, high byte minor (3dbrew)
//	0x06  u8    0 vertex, 1 geometry (3dbrew)
//	0x07  u8    1: merge the output maps of vertex and geometry shader (3dbrew)
//	0x08  u16   input registers used, bit i = vi (3dbrew)
//	0x0A  u16   output registers used, bit i = oi (3dbrew)
//	0x0C  u32   unknown, usually FFFFFFFF
//	0x10  2xu32 constants: offset, entries of 0x14 bytes
//	0x18  2xu32 labels: offset, entries of 0x10 bytes
//	0x20  2xu32 code: offset, words
//	0x28  2xu32 operand descriptors: offset, entries of 8 bytes
//	0x30  2xu32 lines: offset, entries of 8 bytes; entry k is of code word k
//	0x38  2xu32 relocations: offset, entries of 12 bytes
//	0x40  2xu32 outputs: offset, entries of 8 bytes
//	0x48  2xu32 uniforms and inputs: offset, entries of 8 bytes
//	0x50  2xu32 symbols: offset, size in bytes; names of labels, uniforms and
//	            source files
//
// The offset of an empty table is ignored. Constants, labels, descriptors,
// lines, outputs and uniforms are those of a DVLB; see package shbin. A
// relocation is the index of a code word and two unknown words; each word whose
// instruction has an operand has one (3dbrew). The procedure starts at word 0.
//
// # Unknown
//
// The two words of a relocation and the word at 0x0C; whether official tables
// are in header order, padded or aligned; how an unresolved call is expressed,
// which is why indices and targets outside the object are warnings only.
package dvoj
