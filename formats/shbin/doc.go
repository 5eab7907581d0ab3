// Package shbin reads, checks and writes DVLB files (.shbin): PICA200 programs
// with their entry points, as the console's loaders take them and as picasso,
// nihstro and aemstro write them.
//
// All integers are little endian. A word has four bytes. What the fields of a
// header are called here is what paths of findings and regions say.
//
// # DVLB header
//
//	0      magic             "DVLB"
//	4      count             u32   number of DVLEs, at least 1
//	8      offsets[count]    u32   of each DVLE, from the start of the file
//
// The DVLP follows at once.
//
// # DVLP: the program
//
// Offsets are from the start of the DVLP.
//
//	0x00   magic             "DVLP"
//	0x04   version           u32   low half: tool version, low byte major (GBATEK); upper half unknown, 0 in all reports
//	0x08   code              u32 offset, u32 length in words (3dbrew); 1 to 4096
//	0x10   descriptors       u32 offset, u32 count of 8 bytes each (3dbrew); up to 128
//	0x18   lines             u32 offset, u32 count of 8 bytes each (GBATEK; 3dbrew: unknown, 0)
//	0x20   file_names        u32 offset, u32 size in bytes (GBATEK, 3dbrew)
//
// nihstro, Selena and Azahar's shader dump end the header after the line offset,
// at 0x1C, and start the first DVLE there. The header is taken for a short one
// when a DVLE, the code or the descriptors start before 0x28.
//
//	descriptor   u32 word    operand descriptor for the GPU; bit 31 is set in official files (GBATEK)
//	             u32 flags   unknown; 15, 7, 3 in official files (GBATEK), 15 from aemstro, 0 from others
//	line         u32 name    offset in file_names
//	             u32 line    source line of the code word with the same index (GBATEK)
//	file_names   NUL-terminated strings; whether one for each DVLE or for each object file is unknown
//
// # DVLE: an entry point
//
// Offsets are from the start of the DVLE. The header has 64 bytes.
//
//	0x00   magic             "DVLE"
//	0x04   version           u16   as in the DVLP; 0x1002 from picasso
//	0x06   type              u8    0 vertex, 1 geometry
//	0x07   merge             u8    1: merge the output maps of vertex and geometry shader (3dbrew)
//	0x08   entry             u32   first word
//	0x0C   end               u32   word behind the last; 0 from nihstro and Azahar
//	0x10   input_mask        u16   bit i: vi is used (3dbrew); 0 from nihstro and aemstro
//	0x12   output_mask       u16   bit i: oi is declared (3dbrew); likewise
//	0x14   geometry          four bytes: mode, first, variable_count, fixed_count (3dbrew)
//	0x18   constants         u32 offset, u32 count of 20 bytes each
//	0x20   labels            u32 offset, u32 count of 16 bytes each
//	0x28   outputs           u32 offset, u32 count of 8 bytes each
//	0x30   uniforms          u32 offset, u32 count of 8 bytes each; inputs too
//	0x38   symbols           u32 offset, u32 size in bytes, padding not included
//
// The offset of an empty table means nothing (picasso's maintainer).
//
//	constant   u8 type       0 bool, 1 int, 2 float
//	           u8 reserved1  0
//	           u8 register   in its class: b0-b15, i0-i3, c0-c95
//	           u8 reserved3  0
//	           payload       16 bytes: u32 0 or 1; four bytes x, y, z, w; four words with a float24 each
//	label      u16 id        its position in official files (GBATEK)
//	           u16 flags     unknown; 1 in official files (3dbrew), 0 from others
//	           u32 word      where it is; may be the code length
//	           u32 length    in words; 0xFFFFFFFF none (GBATEK), 0 from others
//	           u32 name      offset in symbols
//	output     u16 semantic  0 position, 1 normalquat, 2 color, 3 texcoord0, 4 texcoord0w, 5 texcoord1, 6 texcoord2, 8 view, 9 dummy
//	           u16 register  o0-o15
//	           u16 mask      bit 0 = x
//	           u16 unknown   one value throughout an official DVLE (3dbrew), 0 from others
//	uniform    u32 name      offset in symbols
//	           u16 first     0x00 v0, 0x10 c0, 0x70 i0, 0x78 b0
//	           u16 last      inclusive
//	symbols    NUL-terminated names of unknown encoding; references may point into the middle of one
//
// # Strict and exact
//
// Parse refuses a file that breaks a rule of severity Error, and what it accepts
// is written byte for byte the same: the model keeps the place of everything and
// the bytes that belong to nothing (File.Layout). File.Canonical drops them;
// what is then written is picasso's layout. No emulator reads these files and no
// public reader is strict, so that half of the rules rest on what readers do
// wrong and what writers never do; every rule says which (Rules).
package shbin
