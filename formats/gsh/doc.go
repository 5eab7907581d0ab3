// Package gsh reads, checks and writes .gsh files: shaders of the Wii U in a GFD
// container. The structures of the shaders are in package gx2.
//
// Settling: names may change before version 1; the changelog lists every change.
//
// Call [Parse] for the model of a file, [File.AppendBinary] for its bytes, [Check] for all
// findings, and [Outline] for the owner of every byte, of a refused file too.
//
// # Layout
//
// All integers are big endian. Blocks follow the file header without a gap, at any
// alignment; the last is an end block. A shader is a header block and a program
// block, a geometry shader has a second one, the copy program. A program belongs to
// the last header of its type.
//
// The data of a header block is
//
//	structure     0x134 bytes of a vertex, 0xE8 of a pixel, 0xC0 of a geometry shader
//	tables        in the order of the structure
//	names         each padded to a multiple of 4
//	patch list    words; they name the pointers that a loader relocates
//	              0 or 8 zeros
//	trailer
//
// A pointer is an offset from the start of the data with a tag in its 12 high bits:
// 0xD06 for a place that holds data, 0xCA7 for a name. 0 is null, without a tag. The
// pointers to the code are null.
//
// Two writers made all known files. decaf-emu's tools (style D) number the blocks and
// list the pointers of tables and names that exist. gshCompile (style N) has ids of
// 0 and null entries for the program and for empty tables, two more at the end, and 8
// zeros behind the list.
//
// Blocks of other types, such as textures, are kept as bytes. A file with such
// blocks has no canonical form.
//
// # Unknown
//
// Files of version 6; how gshCompile writes geometry shaders, several shaders of a
// type, and files with an align mode; what the null entries at the end of a patch list
// and the zeros behind it are for; the word behind the size of a trailer; compute
// shaders.
//
// # Records
//
// File header:
//
//	0x00  magic          4 bytes  "Gfx2"
//	0x04  header_size    u32      0x20 (decaf-emu)
//	0x08  major_version  u32      7 (every known file)
//	0x0C  minor_version  u32      1 (wut)
//	0x10  gpu_version    u32      2 (RetroArch)
//	0x14  align          u32      0: blocks follow tightly, 1: padding blocks place the programs
//	0x18  reserved       u64      0
//
// Block header; the data follows it, and the next block that:
//
//	0x00  magic          4 bytes  "BLK{"
//	0x04  header_size    u32      0x20 (decaf-emu)
//	0x08  major_version  u32      1 (wut)
//	0x0C  minor_version  u32      0 (every known file)
//	0x10  type           u32      see BlockType
//	0x14  size           u32      of the data, in bytes
//	0x18  id             u32      number of the block, or 0 in all blocks (every known file)
//	0x1C  index          u32      of the shader among the shaders of its type, or 0 (decaf-emu)
//
// Trailer, the end of a header block's data; offsets are from the start of that:
//
//	0x00  magic         4 bytes  "}BLK"
//	0x04  size          u32      0x28 (decaf-emu)
//	0x08  unknown       u32      0
//	0x0C  data_size     u32      of structure, tables and names
//	0x10  data_offset   u32      0 with tag 0xD06
//	0x14  text_size     u32      of the names
//	0x18  text_offset   u32      of the first name, with tag 0xD06
//	0x1C  patch_base    u32      0; the loader writes it (Nintendo-File-Formats)
//	0x20  patch_count   u32      words of the patch list, null ones included
//	0x24  patch_offset  u32      end of the data, with tag 0xD06
package gsh
