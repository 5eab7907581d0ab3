// Package gx2 reads, checks and writes the shader structures of the Wii U's GX2
// library: GX2VertexShader, GX2PixelShader and GX2GeometryShader. It is about the
// structure alone; package sharcfb is about a container of such structures. Shader
// code is opaque.
//
// Settling: names may change before version 1; the changelog lists every change.
//
// Containers call a [Reader] and a [Writer]; programs parse a container with package gsh or
// sharcfb, and find a [Shader] in the model.
//
// All fields have 32 bits, in the byte order of the container. A pointer is an
// offset from the first byte of the structure, or 0. A structure is made of the
// registers (wut, decaf-emu, Cemu), size and pointer of the code, in a geometry
// shader also of the copy program (decaf-emu, Cemu), the mode, count and pointer
// of each table, the stream-out parameters of vertex and geometry shaders, and a
// GX2RBuffer, which is 0 in files; a geometry shader has a second one for the copy
// program (decaf-emu, Cemu; wut leaves it out).
//
// Everything may stand anywhere, but code at file offsets that are multiples of 0x100 and, in
// little-endian archives, the tables other than loop variables directly behind
// the structure: the loader swaps the words there without following pointers
// (AGL). SharcCompiler writes structure, tables, names, loop variables, zeros and
// code in this order.
//
// Unknown: the byte order of loop variables in little-endian archives, kept as
// bytes; how archives from discs place the copy
// program.
//
// A container finds its shaders, reads each with a [Reader] and writes it with
// [Writer.Append]; [Source] tells the byte order and the offset in the file.
//
// # Records
//
// GX2VertexShader:
//
//	0x000  SQ_PGM_RESOURCES_VS          u32
//	0x004  VGT_PRIMITIVEID_EN           u32
//	0x008  SPI_VS_OUT_CONFIG            u32
//	0x00C  num_spi_vs_out_id            u32
//	0x010  SPI_VS_OUT_ID                u32[10]
//	0x038  PA_CL_VS_OUT_CNTL            u32
//	0x03C  SQ_VTX_SEMANTIC_CLEAR        u32
//	0x040  num_sq_vtx_semantic          u32
//	0x044  SQ_VTX_SEMANTIC              u32[32]
//	0x0C4  VGT_STRMOUT_BUFFER_EN        u32
//	0x0C8  VGT_VERTEX_REUSE_BLOCK_CNTL  u32
//	0x0CC  VGT_HOS_REUSE_DEPTH          u32
//	0x0D0  code_size                    u32      bytes
//	0x0D4  program                      u32
//	0x0D8  mode                         u32      0 uniform register, 1 uniform block, 2 geometry, 3 compute
//	0x0DC  blocks.count                 u32
//	0x0E0  blocks.offset                u32
//	0x0E4  uniforms.count               u32
//	0x0E8  uniforms.offset              u32
//	0x0EC  initial_values.count         u32
//	0x0F0  initial_values.offset        u32
//	0x0F4  loops.count                  u32
//	0x0F8  loops.offset                 u32
//	0x0FC  samplers.count               u32
//	0x100  samplers.offset              u32
//	0x104  attributes.count             u32
//	0x108  attributes.offset            u32
//	0x10C  ring_item_size               u32
//	0x110  stream_out                   u32      0 or 1
//	0x114  stream_out_stride[0]         u32
//	0x118  stream_out_stride[1]         u32
//	0x11C  stream_out_stride[2]         u32
//	0x120  stream_out_stride[3]         u32
//	0x124  buffer.flags                 u32
//	0x128  buffer.element_size          u32
//	0x12C  buffer.element_count         u32
//	0x130  buffer.pointer               u32
//
// GX2PixelShader:
//
//	0x00  SQ_PGM_RESOURCES_PS    u32
//	0x04  SQ_PGM_EXPORTS_PS      u32
//	0x08  SPI_PS_IN_CONTROL_0    u32
//	0x0C  SPI_PS_IN_CONTROL_1    u32
//	0x10  num_spi_ps_input_cntl  u32
//	0x14  SPI_PS_INPUT_CNTL      u32[32]
//	0x94  CB_SHADER_MASK         u32
//	0x98  CB_SHADER_CONTROL      u32
//	0x9C  DB_SHADER_CONTROL      u32
//	0xA0  SPI_INPUT_Z            u32
//	0xA4  code_size              u32      bytes
//	0xA8  program                u32
//	0xAC  mode                   u32      0 uniform register, 1 uniform block, 2 geometry, 3 compute
//	0xB0  blocks.count           u32
//	0xB4  blocks.offset          u32
//	0xB8  uniforms.count         u32
//	0xBC  uniforms.offset        u32
//	0xC0  initial_values.count   u32
//	0xC4  initial_values.offset  u32
//	0xC8  loops.count            u32
//	0xCC  loops.offset           u32
//	0xD0  samplers.count         u32
//	0xD4  samplers.offset        u32
//	0xD8  buffer.flags           u32
//	0xDC  buffer.element_size    u32
//	0xE0  buffer.element_count   u32
//	0xE4  buffer.pointer         u32
//
// GX2GeometryShader:
//
//	0x00  SQ_PGM_RESOURCES_GS        u32
//	0x04  VGT_GS_OUT_PRIM_TYPE       u32
//	0x08  VGT_GS_MODE                u32
//	0x0C  PA_CL_VS_OUT_CNTL          u32
//	0x10  SQ_PGM_RESOURCES_VS        u32
//	0x14  SQ_GS_VERT_ITEMSIZE        u32
//	0x18  SPI_VS_OUT_CONFIG          u32
//	0x1C  num_spi_vs_out_id          u32
//	0x20  SPI_VS_OUT_ID              u32[10]
//	0x48  VGT_STRMOUT_BUFFER_EN      u32
//	0x4C  code_size                  u32      bytes
//	0x50  program                    u32
//	0x54  copy_size                  u32      bytes
//	0x58  copy_program               u32
//	0x5C  mode                       u32      0 uniform register, 1 uniform block, 2 geometry, 3 compute
//	0x60  blocks.count               u32
//	0x64  blocks.offset              u32
//	0x68  uniforms.count             u32
//	0x6C  uniforms.offset            u32
//	0x70  initial_values.count       u32
//	0x74  initial_values.offset      u32
//	0x78  loops.count                u32
//	0x7C  loops.offset               u32
//	0x80  samplers.count             u32
//	0x84  samplers.offset            u32
//	0x88  ring_item_size             u32
//	0x8C  stream_out                 u32      0 or 1
//	0x90  stream_out_stride[0]       u32
//	0x94  stream_out_stride[1]       u32
//	0x98  stream_out_stride[2]       u32
//	0x9C  stream_out_stride[3]       u32
//	0xA0  buffer.flags               u32
//	0xA4  buffer.element_size        u32
//	0xA8  buffer.element_count       u32
//	0xAC  buffer.pointer             u32
//	0xB0  copy_buffer.flags          u32
//	0xB4  copy_buffer.element_size   u32
//	0xB8  copy_buffer.element_count  u32
//	0xBC  copy_buffer.pointer        u32
//
// Uniform block:
//
//	0x00  name      u32  pointer to a NUL-terminated string
//	0x04  location  u32  below 16
//	0x08  size      u32  bytes
//
// Uniform:
//
//	0x00  name    u32  pointer to a NUL-terminated string
//	0x04  type    u32  see VarType
//	0x08  count   u32  elements of an array
//	0x0C  offset  u32  in words, in its block or in the registers
//	0x10  block   s32  index of a uniform block, or -1
//
// Initial value; only in GFD files: AGL does not relocate the pointer:
//
//	0x00  x       u32  a float
//	0x04  y       u32  a float
//	0x08  z       u32  a float
//	0x0C  w       u32  a float
//	0x10  offset  u32
//
// Loop variable:
//
//	0x00  offset  4 bytes  a word, index of a loop constant
//	0x04  value   4 bytes  a word
//
// Sampler:
//
//	0x00  name      u32  pointer to a NUL-terminated string
//	0x04  type      u32  see SamplerType
//	0x08  location  u32  below 18
//
// Attribute:
//
//	0x00  name      u32  pointer to a NUL-terminated string
//	0x04  type      u32  see VarType
//	0x08  count     u32  elements of an array; 0 and 1: none
//	0x0C  location  u32  below 32
package gx2
