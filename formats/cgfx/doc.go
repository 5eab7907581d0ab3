// Package cgfx reads the part of CGFX, the graphics container of the 3DS, that
// leads to shaders, and writes the DVLBs in it: files called .bcsdr hold
// nothing else. What the file has besides is kept as it stands.
//
// No official .bcsdr is public. The container is known from SPICA (the fork
// that knows shaders), EveryFileExplorer, Ohana3DS and 3dbrew; the shader object
// from SPICA alone.
//
// # Layout
//
// All integers are little endian. A pointer is a u32 relative to its own place,
// modulo 2^32; 0, or one to the start of the file, is null. H is the header size.
//
//	0x00  4    "CGFX"
//	0x04  u16  byte order FF FE
//	0x06  u16  H, 0x14
//	0x08  u32  revision, usually 0x05000000
//	0x0C  u32  file size; what is behind it belongs to nothing
//	0x10  u32  number of blocks: 1 DATA, 2 DATA and IMAG
//
//	H+0   4    "DATA"
//	H+4   u32  size of the block with these 8 bytes
//	H+8        16 pairs of u32 count and pointer to DICT, one for each kind of
//	           content; kind 4 is shaders. Old files have fewer: the pairs end
//	           where a DICT starts
//
// A DICT is a Patricia trie of names:
//
//	0x00  4    "DICT"
//	0x04  u32  size, 0x0C + 0x10 (n+1)
//	0x08  u32  n, the number of entries
//	0x0C       n+1 nodes, the root first: u32 reference bit (FFFFFFFF in the
//	           root), u16 left, u16 right, pointer to name, pointer to object
//
// A shader object, SHDR:
//
//	0x00  u32  type 0x80000002; 0x80000001 (once 0x00000101) is a reference to a
//	           shader elsewhere, with other fields
//	0x04  4    "SHDR"
//	0x08  u32  revision 0x06000000
//	0x0C  ptr  name
//	0x10  u32, ptr  metadata, opaque
//	0x18  u32, ptr  DVLB: size in bytes
//	0x20  u32, ptr  commands A: number of words, opaque
//	0x28  u32, ptr  programs: number, array of pointers
//	0x30  u32, ptr  commands B: number of words, opaque
//	0x38  16   zero
//
// A program has 0x88 bytes: u32 flag, s32 index of the vertex DVLE, s32 index of
// the geometry DVLE (-1: none), 124 bytes that nobody has explained.
//
// # Writing
//
// A file that was read is written as it was; a DVLB may be replaced by one of the
// same size. Other edits move what pointers lead to, and not all pointers of a
// file are known, so they are refused unless the file is one that this package
// could have written itself: nothing but shaders, in its canonical layout. That
// layout is ours; where official files put things is unknown.
package cgfx
