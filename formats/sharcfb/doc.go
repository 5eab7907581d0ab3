// Package sharcfb reads, checks and writes SHARCFB archives of version 8: the
// compiled shaders of Wii U games that use Nintendo's AGL library. The
// structures of the shaders are in package gx2.
//
// All integers have 32 bits, in the byte order of the archive; records follow
// each other without alignment. Only the code of a shader is aligned: its file
// offset is a multiple of 0x100, because the GPU is given the address of the
// loaded file without its low 8 bits (decaf-emu). The length of a string counts
// its NUL.
//
//	archive
//	0x00  signature     "SHAB", in a little-endian archive "BAHS" (AGL format notes)
//	0x04  version       8 (AGL)
//	0x08  file size
//	0x0C  endian        0 big, 1 little (AGL)
//	0x10  resolved      0; the loader sets it (AGL)
//	0x14  name length
//	0x18  name, shader binary list, program list; end of the file
//
//	list
//	0x00  size          in bytes, of the list with this field
//	0x04  count
//	0x08  records, each beginning with its size; they fill the list
//
//	shader binary
//	0x00  size
//	0x04  type          0 vertex, 1 pixel, 2 geometry (AGL format notes)
//	0x08  data offset   from the end of this header (AGL); 0 in every known file
//	0x0C  data size
//	0x10  data          see package gx2
//
//	program
//	0x00  size
//	0x04  name length
//	0x08  kind          bit 0 vertex, 1 pixel, 2 geometry: 3 or 7 (AGL format notes)
//	0x0C  base index    of its first shader binary
//	0x10  name, then six lists: macros with their possible values, macros with
//	      their default values, symbols of uniforms, blocks, samplers, attributes
//
//	macro
//	0x00  size
//	0x04  name length
//	0x08  value count   signed
//	0x0C  ID length
//	0x10  name, values (NUL-terminated, none empty), ID
//
//	symbol
//	0x00  size
//	0x04  offset        signed; of a uniform in its material block, of a block its
//	                    size, else -1 (AGL)
//	0x08  name length
//	0x0C  ID length
//	0x10  default size
//	0x14  variation count
//	0x18  name, ID, default value, one enable byte a variation
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
// Unknown: what the default value of a block is in little-endian archives, whose
// bytes the loader leaves alone; the contents of archives below version 8. No
// archive from a shipped disc was available when the rules were written; they
// rest on AGL's loader, on SharcCompiler, whose files run on the console, and on
// source archives, whose program records hold the same lists.
package sharcfb
