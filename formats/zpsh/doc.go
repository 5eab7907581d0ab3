// Package zpsh reads and writes ZPSH, zitrus's shader files for the PICA200.
//
// Stable: names and meanings stay; the changelog announces every exception.
//
// Call [Parse] for the model of a file, [File.AppendBinary] for its bytes, [Check] for all
// findings, and [Outline] for the owner of every byte, of a refused file too.
//
// # Revisions
//
// Five incompatible revisions share the magic. Byte 0x0B distinguishes the last two of
// them (history of zitrus):
//
//	0x0B = 0  R0, R1, R2, August to October 2025: pre-release, undocumented and
//	          indistinguishable; refused as ambiguous
//	0x0B = 3  R3, from 25 October 2025: described in psh.md
//	0x0B = 4  R4, from 22 March 2026: a hash of the code, an offset table, and
//	          longer entry headers
//	0x0B > 4  unknown; refused, or read as R4 with a longer header on request
//
// # Layout
//
// All integers are little endian. E, I, D and S are the numbers of entries,
// instructions, descriptors and string words, H is the header size in bytes and
// T is 4E in R4, 0 in R3. The sections follow each other without gaps.
//
//	header        0               H
//	offsets       H               T     R4
//	instructions  H+T             4I
//	descriptors   H+T+4I          4D
//	strings       H+T+4I+4D       4S    NUL-terminated UTF-8, no name twice
//	entry area    H+T+4I+4D+4S          to the end of the file
//
// An entry is a header and its payload: int constants, float constants, output
// maps, each by ascending register. In R3 entries follow each other.
//
// A float constant has 12 bytes, four float24 numbers packed into three words:
// w<<8 | z>>16, then (z&0xFFFF)<<16 | y>>8, then (y&0xFF)<<24 | x.
//
// Sources: zitrus's psh.md for R3; its zpsh.zig (types and reader) and Assemble.zig
// (the only writer) for R4 and for facts that the page lacks.
//
// # Oddities of zitrus
//
// zitrus does not initialise the upper half of the output mask; this package reports
// it, stores it and writes it back. zitrus numbers texcoord2 one too low (0x15, 0x16;
// the GPU has 0x16, 0x17 according to 3dbrew and Azahar); this package reads the numbers
// as the GPU does. Of n full vertices of a variable geometry shader zitrus stores n,
// libctru writes n-1 to the register; which one is right is unknown. How zitrus rounds
// a decimal number to 24 bits is unknown.
//
// # Records
//
// Header:
//
//	0x00  magic         4 bytes  "ZPSH"
//	0x04  counts        u32      bits 0-11 E, bits 12-23 I-1, bits 24-31 D
//	0x08  string_words  u16      S
//	0x0A  flags         u8       reserved
//	0x0B  header_words  u8       header size in words, without the offset table
//
// R4: last word of the header, at 0x0C:
//
//	0x00  hash  u32  xxHash32, seed 67, of the instruction and descriptor bytes
//
// R4: entry offset:
//
//	0x00    u32  from the start of the entry area
//
// Code word:
//
//	0x00    u32  an instruction
//
// Descriptor; one word, where the DVLP of a .shbin file has two:
//
//	0x00    u32  operand descriptor
//
// R3: entry header:
//
//	0x00  name         u32  a byte offset into the strings
//	0x04  instruction  u16  a word index
//	0x06  info         u16  see Info
//	0x08  bools        u16  bit i is the value of b(i)
//	0x0A  int_mask     u16  bits 0-3
//	0x0C  float_mask0  u32  c0-c31
//	0x10  float_mask1  u32  c32-c63
//	0x14  float_mask2  u32  c64-c95
//	0x18  output_mask  u32  bits 0-15; the rest is reserved
//
// R4: entry header:
//
//	0x00  name          u32  a byte offset into the strings
//	0x04  instruction   u16  a word index
//	0x06  info          u16  see Info
//	0x08  flags         u16  reserved
//	0x0A  header_words  u16  header size in words; zitrus stores 4, the true value is 8
//	0x0C  bools         u16  bit i is the value of b(i)
//	0x0E  int_mask      u16  bits 0-3
//	0x10  float_mask0   u32  c0-c31
//	0x14  float_mask1   u32  c32-c63
//	0x18  float_mask2   u32  c64-c95
//	0x1C  output_mask   u32  bits 0-15; the rest is reserved
//
// Int constant:
//
//	0x00    4 bytes  x, y, z, w
//
// Output map:
//
//	0x00    u32  byte k is the semantic of component k in bits 0-4, as in the GPU register
package zpsh
