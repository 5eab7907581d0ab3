// Package zpsh reads and writes ZPSH, the shader files of zitrus for the
// PICA200.
//
// # Revisions
//
// Five incompatible revisions share the magic, and only byte 0x0B tells some of
// them apart (history of zitrus):
//
//	0x0B = 0  R0, R1, R2, August to October 2025: pre-release, never documented,
//	          not to be told from one another; refused as ambiguous
//	0x0B = 3  R3, from 25 October 2025: what psh.md describes
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
//	  0x00  4     "ZPSH"
//	  0x04  u32   bits 0-11 E, bits 12-23 I-1, bits 24-31 D
//	  0x08  u16   S
//	  0x0A  u8    flags, reserved
//	  0x0B  u8    header size in words, without the offset table
//	  0x0C  u32   R4: xxHash32, seed 67, of the instruction and descriptor bytes
//	offsets       H               T     R4: u32 for each entry, from the entry area
//	instructions  H+T             4I
//	descriptors   H+T+4I          4D    one word each, not two as in a DVLP
//	strings       H+T+4I+4D       4S    NUL-terminated UTF-8, each name once
//	entry area    H+T+4I+4D+4S          to the end of the file
//
// An entry is a header and its payload; in R3 entries follow each other.
//
//	R3  R4
//	0   0   u32      name, a byte offset into the strings
//	4   4   u16      entry instruction, a word index
//	6   6   u16      info, see Info
//	    8   u16      flags, reserved
//	    10  u16      header size in words; zitrus stores 4, the true value is 8
//	8   12  u16      bool mask: bit i is the value of b(i)
//	10  14  u16      int mask, bits 0-3
//	12  16  3 x u32  float mask, c0-c31, c32-c63, c64-c95
//	24  28  u32      output mask, bits 0-15; the rest is reserved
//	28  32           ints (x, y, z, w: u8 each), floats (12 bytes each), output
//	                 maps (u32 each), by ascending register
//
// A float is four float24 numbers packed into three words: w<<8 | z>>16, then
// (z&0xFFFF)<<16 | y>>8, then (y&0xFF)<<24 | x. Byte k of an output map is the
// semantic of component k in bits 0-4; it is what the GPU register takes.
//
// Sources: psh.md of zitrus for R3; its zpsh.zig (types and reader) and
// Assemble.zig (the only writer) for R4 and for what the page does not say.
//
// # What is odd
//
// zitrus never initialises the upper half of the output mask, so it is kept and
// ignored. It numbers texcoord2 one too low (0x15, 0x16; the GPU has 0x16, 0x17
// according to 3dbrew and Azahar); values are kept, never repaired. It stores
// the number of full vertices of a variable geometry shader raw, where libctru
// writes one less to the register; which one is right is unknown. How it rounds
// the text of floats to 24 bits is unknown.
package zpsh
