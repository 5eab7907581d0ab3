// Package cgfx reads and writes the shaders of CGFX, the graphics container of the
// 3DS. It keeps other content of a file unchanged. A .bcsdr file is a CGFX that holds
// shaders alone.
//
// Provisional: no official file was at hand; fields may change when one is.
//
// Call [Parse] for the model of a file, [File.AppendBinary] for its bytes, [Check] for all
// findings, and [Outline] for the owner of every byte, of a refused file too.
//
// No official .bcsdr is public. The container is known from SPICA (its fork with
// shaders), EveryFileExplorer, Ohana3DS and 3dbrew; the shader object from SPICA alone.
//
// # Layout
//
// All integers are little endian. A pointer is a u32 relative to its own place,
// modulo 2^32; 0, or one to the start of the file, is null. H is the header size.
//
// A file is a header; DATA, a block of 16 pairs, one for each kind of content; DICTs;
// and the objects that the DICTs name. A pair is the count of entries of a DICT and a
// pointer to it. Old files have fewer pairs: they end where a DICT starts or DATA ends.
//
// A shader is an object of kind 4: a DVLB, with programs that each name the DVLEs to use
// together. The meaning of its metadata and commands, and of most of a program, is unknown.
//
// # Writing
//
// A parsed file is written unchanged; a DVLB may be replaced by one of the same size.
// For any other edit the whole file is laid out again, which moves the targets of
// pointers, and this package does not know every pointer of a file. It refuses such an
// edit unless the file has the canonical layout of this package, which holds shaders
// alone. The layout of official files is unknown.
//
// # Records
//
// Header:
//
//	0x00  magic        4 bytes  "CGFX"
//	0x04  byte_order   u16      bytes FF FE
//	0x06  header_size  u16      H, 0x14
//	0x08  revision     u32      usually 0x05000000
//	0x0C  size         u32      of the file; bytes behind it belong to nothing
//	0x10  blocks       u32      1 DATA, 2 DATA and IMAG
//
// DATA, at H; the pairs follow:
//
//	0x00  magic  4 bytes  "DATA"
//	0x04  size   u32      of the block with these 8 bytes
//
// Pair: a kind of content; kind 4 is shaders:
//
//	0x00  count  u32
//	0x04  dict   u32  pointer
//
// DICT, a Patricia trie of names; n+1 nodes follow, the root first:
//
//	0x00  magic  4 bytes  "DICT"
//	0x04  size   u32      0x0C + 0x10 (n+1)
//	0x08  count  u32      n, the number of entries
//
// Node of a DICT:
//
//	0x00  bit     u32  reference bit; FFFFFFFF in the root
//	0x04  left    u16
//	0x06  right   u16
//	0x08  name    u32  pointer
//	0x0C  object  u32  pointer
//
// SHDR, a shader object:
//
//	0x00  type                u32       0x80000002; 0x80000001 (once 0x00000101): a reference, with other fields
//	0x04  magic               4 bytes   "SHDR"
//	0x08  revision            u32       usually 0x06000000
//	0x0C  name                u32       pointer
//	0x10  metadata.count      u32       opaque
//	0x14  metadata.pointer    u32       pointer
//	0x18  dvlb.size           u32       bytes
//	0x1C  dvlb.pointer        u32       pointer
//	0x20  commands_a.count    u32       words, opaque
//	0x24  commands_a.pointer  u32       pointer
//	0x28  programs.count      u32       an array of pointers
//	0x2C  programs.pointer    u32       pointer
//	0x30  commands_b.count    u32       words, opaque
//	0x34  commands_b.pointer  u32       pointer
//	0x38  padding             16 bytes  zero
//
// Program:
//
//	0x00  flag      u32
//	0x04  vertex    s32        index of a DVLE, -1 none
//	0x08  geometry  s32        index of a DVLE, -1 none
//	0x0C  opaque    124 bytes  unknown
package cgfx
