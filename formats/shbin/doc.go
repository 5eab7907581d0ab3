// Package shbin reads, checks and writes DVLB files (.shbin): PICA200 programs
// with their entry points, as the console's loaders take them and as picasso,
// nihstro and aemstro write them. File.Shaders gives the programs to an engine,
// FromModule makes a file of an assembled program. Object files (package dvoj) have
// the same tables and use their records and checks (TableCheck).
//
// Stable: names and meanings stay; the changelog announces every exception.
//
// Call [Parse] for the model of a file, [File.AppendBinary] for its bytes, [Check] for all
// findings, and [Outline] for the owner of every byte, of a refused file too.
//
// No standard defines the format. Each rule names its source (Rules): a writer
// (picasso, nihstro, aemstro, Selena, Azahar's shader dump), a reader (libctru, GLASS,
// SPICA, nihstro) or a document (3dbrew, GBATEK).
//
// A file has three kinds of structures. The DVLB is the file: its header stores
// the offsets of the DVLEs. The DVLP, directly after the DVLB header, holds the code
// words, the operand descriptors, the line table and the file names. Each DVLE is
// one entry point into the code, of a vertex or geometry shader, with its constant
// table, label table, output map, uniform table and symbol table. The tables of a
// DVLP or DVLE are in any order and at any distance after its header; DVLEs may
// share tables. All integers are little endian; a word has four bytes. Paths of
// findings and regions use the field names below.
//
// nihstro, Selena and Azahar's shader dump end the DVLP header after the line
// offset, at 0x1C, and start the first DVLE there. Parse takes the header for a
// short one when a DVLE, the code or the descriptors start before 0x28.
//
// The offset of an empty table means nothing (picasso's maintainer). File names
// and symbols are NUL-terminated; a reference may point into the middle of a name.
// The encoding of symbols is unknown. It is also unknown whether there is one file
// name for each DVLE or for each object file.
//
// # Strict and exact
//
// Parse refuses a file that breaks a rule of severity Error; an Option makes one of
// these rules a warning. AppendBinary writes an accepted file byte for byte as it
// was: File.Layout keeps the offsets of all tables and the bytes outside all
// structures. File.Canonical drops the layout, and AppendBinary then uses picasso's.
// No emulator reads these files and no public reader is strict. So about half of the
// rules rest on mistakes of readers and on habits of writers.
//
// # Walk
//
// Parse and Check are one walk (walk) with two reporters: the strict one keeps the
// first error, the other one every finding. The walk reads the DVLB header, the
// DVLP and its tables, the DVLE headers and their tables, and checks each group
// before it reads the next. Then it checks that no two structures overlap, keeps the
// gaps, and checks the code words and the sum of the names. AppendBinary writes the
// structures at their offsets and parses the result. Outline shows the bytes of any
// file, also of a refused one: it takes the offsets from the headers without checks
// (locate).
//
// # Records
//
// DVLB header; the DVLE offsets follow, then the DVLP:
//
//	0x00  magic  4 bytes  "DVLB"
//	0x04  count  u32      number of DVLEs, at least 1
//
// DVLE offset:
//
//	0x00    u32  from the start of the file
//
// DVLP header; offsets are from its start:
//
//	0x00  magic               4 bytes  "DVLP"
//	0x04  version             u32      low half: tool version, low byte major (GBATEK); upper half unknown, 0 so far
//	0x08  code.offset         u32
//	0x0C  code.count          u32      words (3dbrew); 1 to 4096
//	0x10  descriptors.offset  u32
//	0x14  descriptors.count   u32      up to 128 (3dbrew)
//	0x18  lines.offset        u32      a short header ends here
//	0x1C  lines.count         u32      GBATEK; 3dbrew: unknown, 0
//	0x20  file_names.offset   u32
//	0x24  file_names.size     u32      bytes (GBATEK, 3dbrew)
//
// DVLE header; offsets are from its start:
//
//	0x00  magic                    4 bytes  "DVLE"
//	0x04  version                  u16      as in the DVLP; 0x1002 from picasso
//	0x06  type                     u8       0 vertex, 1 geometry
//	0x07  merge                    u8       1: merge the output maps of vertex and geometry shader (3dbrew)
//	0x08  entry                    u32      first word
//	0x0C  end                      u32      word after the last; 0 from nihstro and Azahar
//	0x10  input_mask               u16      bit i: vi is used (3dbrew); 0 from nihstro and aemstro
//	0x12  output_mask              u16      bit i: oi is declared (3dbrew); 0 from nihstro and aemstro
//	0x14  geometry.mode            u8       0 point, 1 variable, 2 fixed (3dbrew)
//	0x15  geometry.first           u8       fixed: first float register that receives the vertices (3dbrew)
//	0x16  geometry.variable_count  u8       variable: number of fully defined vertices (3dbrew)
//	0x17  geometry.fixed_count     u8       fixed: number of vertices (3dbrew)
//	0x18  constants.offset         u32
//	0x1C  constants.count          u32
//	0x20  labels.offset            u32
//	0x24  labels.count             u32
//	0x28  outputs.offset           u32
//	0x2C  outputs.count            u32
//	0x30  uniforms.offset          u32
//	0x34  uniforms.count           u32      inputs too
//	0x38  symbols.offset           u32
//	0x3C  symbols.size             u32      bytes, padding not included
//
// Operand descriptor:
//
//	0x00  word   u32  for the GPU; bit 31 is set in official files (GBATEK)
//	0x04  flags  u32  unknown; 15, 7, 3 in official files (GBATEK), 15 from aemstro, 0 from others
//
// Line:
//
//	0x00  name  u32  offset of a file name
//	0x04  line  u32  source line of the code word with the same index (GBATEK)
//
// Constant:
//
//	0x00  type       u8        0 bool, 1 int, 2 float
//	0x01  reserved1  u8        0
//	0x02  register   u8        in its class: b0-b15, i0-i3, c0-c95
//	0x03  reserved3  u8        0
//	0x04  payload    16 bytes  bool: u32 0 or 1; int: u8 x, y, z, w; float: four words with a float24 each
//
// Label:
//
//	0x00  id      u16  its position in official files (GBATEK)
//	0x02  flags   u16  unknown; 1 in official files (3dbrew), 0 from others
//	0x04  word    u32  the word that the label names; may be the code length
//	0x08  length  u32  in words; 0xFFFFFFFF none (GBATEK), 0 from others
//	0x0C  name    u32  offset in the symbols
//
// Output:
//
//	0x00  semantic  u16  0 position to 9 dummy without 7: see Semantic
//	0x02  register  u16  o0-o15
//	0x04  mask      u16  bit 0 = x
//	0x06  unknown   u16  one value throughout an official DVLE (3dbrew), 0 from others
//
// Uniform or input:
//
//	0x00  name   u32  offset in the symbols
//	0x04  first  u16  0x00 v0, 0x10 c0, 0x70 i0, 0x78 b0
//	0x06  last   u16  inclusive
package shbin
