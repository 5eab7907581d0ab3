// Package bnsh reads, writes and checks BNSH files, the binary shaders of the
// Switch's graphics library (nn::gfx ResShaderFile): variations of a shader with
// the code of every stage, names and slots of what the code uses, a pool of
// strings, and a table by which the runtime turns offsets into addresses.
//
// # Layout
//
// All numbers are little-endian. A pointer is an offset from the start of the
// file in eight bytes, 0 for none. What is called reserved is zero. The layout
// is that of the structures in nnheaders (the decompiled headers of the graphics
// library), of the Wexos wiki, and of 88 files of a shipped game, version
// 2.1.12, which have no reflection and no dictionaries; dictionaries were seen
// in 189 places of other files.
//
//	file header, 0x60
//	0x00  8  "BNSH" and four zeros
//	0x08  4  version: u8 micro, u8 minor, u16 major
//	0x0C  2  byte order mark 0xFEFF
//	0x0E  1  alignment shift: 12
//	0x0F  1  target address size in bits: 0, though documented as 64
//	0x10  4  offset of the characters of the file name in the string pool
//	0x14  2  flags: bit 0, relocated; 0 in a file
//	0x16  2  offset of the first block: 0x60
//	0x18  4  offset of the relocation table
//	0x1C  4  file size
//	0x20     reserved
//
//	block header: signature, offset of the next block from this one or 0, size of
//	the block, reserved; 4 bytes each
//
//	container "grsc", 0x60, a block that goes on to the string block
//	0x10  2  API type: 4, NVN          0x12  2  API version
//	0x14  1  code type, runtime        0x18  4  compiler version
//	0x1C  4  number of variations      0x20  8  pointer to them
//	0x28  8  pointer to the memory pool
//	0x30  8  version of the low-level compiler
//
//	variation, 0x40: pointers to its source program, intermediate program, binary
//	program and to the container; reserved
//
//	program, 0xA0
//	0x00  1  flags: 1 separable, 2 reflection can be looked up
//	0x01  1  code type: 0 binary, 1 intermediate, 2 source, 3 source array
//	0x02  1  source format: 0 GLSL, 1 HLSL
//	0x04  4  binary format: 0, or 1 for packed with zlib (BfshaLibrary, nintoolbox)
//	0x08 48  pointers to the code of vertex, hull, domain, geometry, pixel, compute
//	0x60  4  size of the object memory  0x68  8  pointer to it; all zero
//	0x70  8  pointer to the variation   0x78  8  pointer to the reflection
//	0x80  8  pointer to the compiler's own reflection, of unknown layout: null
//
//	plain binary code, 0x40
//	0x00  8  address, runtime           0x08  8  pointer to the control blob
//	0x10  8  pointer to the code, in the memory pool
//	0x18  4  code size                  0x1C  4  control size
//	0x20  8  pointer to a decomposed control, of unknown layout: null
//	0x28  4  scratch memory recommended 0x2C  4  scratch memory per warp
//
//	source, intermediate or packed code, 0x20: size, unpacked size, pointer
//	source array, 0x20: u16 count, reserved to 8, pointers to u32 sizes and to
//	pointers to the texts
//
//	reflection table, 0x40: six pointers to the reflection of each stage
//
//	reflection of a stage, 0x60
//	0x00 40  pointers to the dictionaries of inputs, outputs, samplers, constant
//	         buffers and unordered access buffers
//	0x28 16  s32 first slots of outputs, samplers, constant buffers, unordered
//	         access buffers; those of inputs start at 0
//	0x38  8  pointer to the slots, s32 each
//	0x40 12  work group size x, y, z    0x4C  4  first slot of images
//	0x50  8  pointer to the dictionary of images
//	0x58  8  pointer to the extension, 0x30: pointers to the dictionaries of
//	         separate textures and separate samplers, their first slots
//
//	memory pool, 0x50
//	0x00  4  property: 0x61             0x04  4  size
//	0x08  8  pointer to the memory      0x20  8  pointer to its object, 0x140 zeros
//	0x30  8  current pool, runtime
//
//	string block "_STR": block header, u32 number of strings without the first,
//	then strings: u16 length, bytes, NUL, padding to 2. The first is empty. A
//	pointer to a string leads to its length, the file name offset to its bytes.
//
//	dictionary "_DIC", s32 number of items, root and items of 0x10: s32 bit,
//	u16 left, u16 right, pointer to the key. Items are a binary tree over the
//	bits of the keys, counted from the end of the string.
//
//	relocation table "_RLT": own offset, number of sections 6, reserved; sections
//	of 0x18: u64 pointer 0, u32 position, u32 size, s32 first entry, s32 number of
//	entries; entries of 8: u32 position, u16 structures, u8 pointers in each, u8
//	words of padding between them. It ends the file. A pointer belongs to the
//	section that its target is in: 0 records, 1 object memory, 4 memory pool,
//	5 strings.
//
// # What is unknown
//
// Code and control blobs are opaque, but for some words of a control of GPU code
// version 1.16 that were the same in 13898 stages. No file with reflection,
// source, intermediate code or tessellation was available; what is said of them
// is from nnheaders and from tools (ShaderLibrary, BfshaLibrary, nintoolbox,
// Switch-Toolbox). What the decomposed control and the compiler's reflection
// look like is not known, so files with them are refused.
//
// # Content and layout
//
// Order of strings, places of records, which equal blobs are one, trees of
// dictionaries and relocation entries carry no meaning. They are in a [Layout]
// of their own, by which a parsed file is written byte for byte. Without one, a
// file is written as the official converter does it.
package bnsh
