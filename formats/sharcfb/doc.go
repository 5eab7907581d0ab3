// Package sharcfb reads, checks and writes SHARCFB archives of version 8: the
// compiled shaders of Wii U games that use Nintendo's AGL library. The
// structures of the shaders are in package gx2.
//
// Provisional: no official file was at hand; fields may change when one is.
//
// Call [Parse] for the model of a file, [File.AppendBinary] for its bytes, [Check] for all
// findings, and [Outline] for the owner of every byte, of a refused file too.
//
// All integers have 32 bits, in the byte order of the archive; records follow
// each other without alignment. Only the code of a shader is aligned: its file
// offset is a multiple of 0x100, because the GPU is given the address of the
// loaded file without its low 8 bits (decaf-emu). The length of a string counts
// its NUL.
//
// The records of a list fill it. A program has six lists: macros with their
// possible values, macros with their default values, and the symbols of uniforms,
// blocks, samplers and attributes.
//
// A program has as many variations as its macros have combinations of values,
// numbered with the first macro as the most significant digit. Variation v uses
// the shader binaries base index + v*stages and following, in the order vertex,
// pixel, geometry. Programs use up the list one after the other (agl-win).
//
// SHARC008 and SHARC009 are about the strings of the archive: names, values and
// IDs. The names inside shaders are found by pointer, end at their first NUL, and
// are kept as bytes without a rule about their text: the console's library
// compares bytes (AGL).
//
// A shader is written at the layout it was read with. When the size of a table,
// of code or of a name differs from it, the shader is laid out anew, as
// Canonical does.
//
// Unknown: the byte order of the default value of a block in little-endian
// archives, which the loader does not swap; the contents of archives below
// version 8. No archive from a shipped disc was available when the rules were
// written; they rest on AGL's loader, on SharcCompiler, whose files run on the
// console, and on source archives, whose program records hold the same lists.
//
// # Records
//
// Archive; the name, the shader binary list and the program list follow:
//
//	0x00  signature    u32  "SHAB", in a little-endian archive "BAHS"
//	0x04  version      u32  8 (AGL)
//	0x08  file_size    u32  bytes
//	0x0C  endian       u32  0 big, 1 little (AGL)
//	0x10  resolved     u32  0; the loader sets it (AGL)
//	0x14  name_length  u32  with the NUL
//
// List; the records follow:
//
//	0x00  size   u32  bytes, with this field
//	0x04  count  u32  records
//
// Shader binary:
//
//	0x00  size         u32  bytes, with this field
//	0x04  type         u32  0 vertex, 1 pixel, 2 geometry (AGL format notes)
//	0x08  data_offset  u32  from the end of this header (AGL); 0 in every known file
//	0x0C  data_size    u32  bytes; see package gx2
//
// Program; the name, two macro lists and four symbol lists follow:
//
//	0x00  size         u32  bytes, with this field
//	0x04  name_length  u32  with the NUL
//	0x08  kind         u32  bit 0 vertex, 1 pixel, 2 geometry: 3 or 7 (AGL format notes)
//	0x0C  base_index   u32  of its first shader binary
//
// Macro; the name, the values and the ID follow:
//
//	0x00  size         u32  bytes, with this field
//	0x04  name_length  u32  with the NUL
//	0x08  value_count  s32  values, each with a NUL, none empty
//	0x0C  id_length    u32  with the NUL
//
// Symbol; the name, the ID, the default value and the enable bytes follow:
//
//	0x00  size             u32  bytes, with this field
//	0x04  offset           s32  uniform: in its material block; block: its size; else -1 (AGL)
//	0x08  name_length      u32  with the NUL
//	0x0C  id_length        u32  with the NUL
//	0x10  default_size     u32  bytes
//	0x14  variation_count  u32  enable bytes
package sharcfb
