// Package bnsh reads, writes and checks BNSH files, the binary shaders of the
// Switch's graphics library (nn::gfx ResShaderFile): variations of a shader with
// the code of every stage, names and slots of its inputs, outputs and resources,
// a block of strings, and a table by which the runtime turns offsets into addresses.
//
// Provisional: no official file was at hand; fields may change when one is.
//
// Call [Parse] for the model of a file, [File.AppendBinary] for its bytes, [Check] for all
// findings, and [Outline] for the owner of every byte, of a refused file too.
//
// # Layout
//
// All numbers are little-endian. A pointer is an offset from the start of the
// file in eight bytes, 0 for none. Reserved bytes are zero. The layout
// comes from the structures in nnheaders (the decompiled headers of the graphics
// library), from the Wexos wiki, and from 88 files of a shipped game, version
// 2.1.12, which have no reflection and no dictionaries; dictionaries were seen
// in 189 places of other files.
//
// The header refers to a chain of two blocks: the container "grsc", which ends
// at the string block "_STR". The records lie in the block body, between
// container and string block: variations, programs, stage codes, reflections,
// memory pool. The relocation table "_RLT" ends the file.
//
// A string is a u16 length, the bytes, a NUL, and padding to a multiple of 2.
// The first string is empty. A pointer to a string leads to its length, the
// file name offset to its bytes.
//
// The items of a dictionary are a binary tree. Each item names the bit of the
// key at which a look-up turns left (0) or right (1). Bit 0 is the lowest bit
// of the key's last byte, bit 8 the lowest bit of the byte before.
//
// A relocation entry says which pointers of the file the runtime turns into
// addresses: a run of consecutive pointers, repeated at equal distances, as in
// an array of records. The table has six sections. An entry stands in the
// section in which its pointers' targets lie: 0 records, 1 object memory, 4
// memory pool, 5 strings; 2 and 3 are empty.
//
// # What is unknown
//
// Code and control blobs are opaque, apart from some words of a control of GPU
// code version 1.16 that were the same in 13898 stages. No file with reflection,
// source, intermediate code or tessellation was available; the statements about
// them come from nnheaders and from tools (ShaderLibrary, BfshaLibrary, nintoolbox,
// Switch-Toolbox). The layout of the decomposed control and of the
// compiler's reflection is not known, so files with them are refused.
//
// # Content and layout
//
// Some facts of a file carry no meaning: the order of strings, the offsets of
// records, whether two equal blobs of code are stored once or twice, the trees
// of dictionaries, the relocation entries. They are in a [Layout] of their own,
// by which a parsed file is written byte for byte. Without one, a file is
// written as the official converter does it.
//
// # Records
//
// File header:
//
//	0x00  signature         8 bytes   "BNSH\x00\x00\x00\x00"
//	0x08  version.micro     u8
//	0x09  version.minor     u8
//	0x0A  version.major     u16       2
//	0x0C  byte_order_mark   u16       0xFEFF
//	0x0E  alignment_shift   u8        12 (88 files of a game)
//	0x0F  address_size      u8        bits: 0 (88 files of a game), 64 (Wexos wiki)
//	0x10  name              u32       offset of the characters of the file name
//	0x14  flags             u16       bit 0: relocated (nnheaders); 0 in a file
//	0x16  container         u16       offset of the first block: 0x60
//	0x18  relocation_table  u32       offset of the relocation table
//	0x1C  file_size         u32
//	0x20  reserved          64 bytes  0
//
// Container:
//
//	0x00  signature                   4 bytes   "grsc"
//	0x04  next                        u32       offset of the next block from this one; 0 in the last
//	0x08  size                        u32       as next
//	0x0C  reserved                    4 bytes   0
//	0x10  api_type                    u16       4: NVN
//	0x12  api_version                 u16       0 (88 files of a game)
//	0x14  target_code_type            u8        0; the runtime writes it (nnheaders)
//	0x15  reserved2                   3 bytes   0
//	0x18  compiler_version            u32
//	0x1C  variation_count             u32       at least 1
//	0x20  variations.pointer          u64
//	0x28  pool.pointer                u64       memory pool; null without binary code
//	0x30  low_level_compiler_version  u64
//	0x38  reserved3                   40 bytes  0
//
// Variation:
//
//	0x00  source.pointer        u64       programs: at least one
//	0x08  intermediate.pointer  u64
//	0x10  binary.pointer        u64
//	0x18  parent.pointer        u64       container
//	0x20  reserved              32 bytes  0
//
// Program:
//
//	0x00  flags                        u8        1 separable, 2 reflection can be looked up (nnheaders)
//	0x01  code_type                    u8        0 binary, 1 intermediate, 2 source, 3 source array (nnheaders)
//	0x02  source_format                u8        0 GLSL, 1 HLSL (nnheaders)
//	0x03  reserved                     1 bytes   0
//	0x04  binary_format                u32       0, or 1 packed with zlib (BfshaLibrary, nintoolbox)
//	0x08  vertex.pointer               u64       code of the stage, or null
//	0x10  hull.pointer                 u64
//	0x18  domain.pointer               u64
//	0x20  geometry.pointer             u64
//	0x28  pixel.pointer                u64
//	0x30  compute.pointer              u64
//	0x38  reserved2                    40 bytes  0
//	0x60  object_size                  u32       bytes
//	0x64  reserved3                    4 bytes   0
//	0x68  object.pointer               u64       object memory, all zero
//	0x70  parent.pointer               u64       variation
//	0x78  reflection.pointer           u64       reflection table, or null
//	0x80  compiler_reflection.pointer  u64       null; of unknown layout (nnheaders)
//	0x88  reserved4                    24 bytes  0
//
// Binary code of a stage:
//
//	0x00  data_address                u64       0; the runtime writes it
//	0x08  control.pointer             u64       control blob
//	0x10  code.pointer                u64       in the memory pool
//	0x18  code_size                   u32       bytes
//	0x1C  control_size                u32       bytes
//	0x20  decomposed_control.pointer  u64       null; of unknown layout (nnheaders)
//	0x28  scratch_recommended         u32       bytes of scratch memory (nnheaders)
//	0x2C  scratch_per_warp            u32       bytes (nnheaders)
//	0x30  reserved                    16 bytes  0
//
// Source, intermediate or packed code of a stage:
//
//	0x00  size           u32       bytes
//	0x04  unpacked_size  u32       bytes
//	0x08  code.pointer   u64
//	0x10  reserved       16 bytes  0
//
// Source array of a stage:
//
//	0x00  count                  u16      texts, at least 1
//	0x02  reserved               6 bytes  0
//	0x08  text_sizes.pointer     u64      u32 for each text
//	0x10  text_pointers.pointer  u64      a pointer for each text
//	0x18  reserved2              8 bytes  0
//
// Reflection table:
//
//	0x00  vertex.pointer    u64       reflection of the stage, or null
//	0x08  hull.pointer      u64
//	0x10  domain.pointer    u64
//	0x18  geometry.pointer  u64
//	0x20  pixel.pointer     u64
//	0x28  compute.pointer   u64
//	0x30  reserved          16 bytes  0
//
// Reflection of a stage:
//
//	0x00  inputs.pointer                    u64  dictionary, or null
//	0x08  outputs.pointer                   u64  dictionary, or null
//	0x10  samplers.pointer                  u64  dictionary, or null
//	0x18  constant_buffers.pointer          u64  dictionary, or null
//	0x20  unordered_access_buffers.pointer  u64  dictionary, or null
//	0x28  outputs.first                     s32  index of the first slot
//	0x2C  samplers.first                    s32  index of the first slot
//	0x30  constant_buffers.first            s32  index of the first slot
//	0x34  unordered_access_buffers.first    s32  index of the first slot
//	0x38  slots.pointer                     u64  s32 for each name
//	0x40  work_group.x                      u32  above 0 for compute, else 0
//	0x44  work_group.y                      u32
//	0x48  work_group.z                      u32
//	0x4C  images.first                      s32  index of the first slot
//	0x50  images.pointer                    u64  dictionary, or null
//	0x58  extension.pointer                 u64  or null
//
// Extension of the reflection of a stage:
//
//	0x00  separate_textures.pointer  u64       dictionary, or null
//	0x08  separate_samplers.pointer  u64       dictionary, or null
//	0x10  separate_textures.first    s32       index of the first slot
//	0x14  separate_samplers.first    s32       index of the first slot
//	0x18  reserved                   24 bytes  0
//
// Dictionary; the root and the items follow:
//
//	0x00  signature  4 bytes  "_DIC"
//	0x04  count      u32      s32: items, without the root
//
// Entry of a dictionary: the root, then the items:
//
//	0x00  bit    s32  to branch on; -1 in the root
//	0x04  left   u16  entry for bit 0
//	0x06  right  u16  entry for bit 1; 0 in the root
//	0x08  key    u64  pointer to a string
//
// Memory pool:
//
//	0x00  property        u32       0x61 (88 files of a game)
//	0x04  size            u32       multiple of 0x1000
//	0x08  memory.pointer  u64       multiple of 0x1000
//	0x10  reserved        16 bytes  0
//	0x20  object.pointer  u64       0x140 zero bytes for the runtime
//	0x28  reserved2       8 bytes   0
//	0x30  current_pool    8 bytes   0
//	0x38  reserved3       24 bytes  0
//
// String block; the strings follow:
//
//	0x00  signature  4 bytes  "_STR"
//	0x04  next       u32      offset of the next block from this one; 0 in the last
//	0x08  size       u32      bytes
//	0x0C  reserved   4 bytes  0
//	0x10  count      u32      strings, without the first
//
// Relocation table; the sections and then their entries follow:
//
//	0x00  signature      4 bytes  "_RLT"
//	0x04  offset         u32      of this table
//	0x08  section_count  u32      s32: 6
//	0x0C  reserved       4 bytes  0
//
// Section:
//
//	0x00  pointer   u64  0; the runtime writes it
//	0x08  position  u32
//	0x0C  size      u32  bytes
//	0x10  first     s32  entries of the sections before
//	0x14  count     s32  entries
//
// Relocation entry:
//
//	0x00  position  u32  of the first pointer
//	0x04  structs   u16  number of repetitions
//	0x06  pointers  u8   consecutive pointers
//	0x07  padding   u8   words of 8 bytes between repetitions (material_parser)
package bnsh
