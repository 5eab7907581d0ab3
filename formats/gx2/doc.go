// Package gx2 reads, checks and writes the shader structures of the Wii U's GX2
// library: GX2VertexShader, GX2PixelShader and GX2GeometryShader. It is about the
// structure alone; package sharcfb is about a container of such structures. Shader
// code is opaque.
//
// All fields have 32 bits, in the byte order of the archive. A pointer is an
// offset from the first byte of the structure, or 0. A structure is made of
//
//	registers       0xD0 bytes of a vertex, 0xA4 of a pixel, 0x4C of a geometry shader
//	                (wut, decaf-emu, Cemu); see Type.RegisterNames
//	size, program   of the code
//	size, program   of the copy program; geometry only (decaf-emu, Cemu)
//	mode            0 uniform register, 1 uniform block, 2 geometry, 3 compute
//	count, pointer  of uniform blocks, uniforms, initial values, loop variables,
//	                samplers and, vertex only, attributes
//	ring item size, stream-out flag, four stream-out strides
//	                vertex and geometry only
//	GX2RBuffer      four words, 0 in files; geometry has a second one for the copy
//	                program (decaf-emu, Cemu; wut leaves it out)
//
// and is 0x134, 0xE8 or 0xC0 bytes long. The tables hold
//
//	uniform block   0x0C  name, location, size in bytes
//	uniform         0x14  name, type, array count, offset, block or -1
//	initial value   0x14  never present: AGL does not relocate the pointer
//	loop variable   0x08  offset, value
//	sampler         0x0C  name, type, location
//	attribute       0x10  name, type, array count, location
//
// where a name is a pointer to a NUL-terminated string. Everything may stand
// anywhere, but code at file offsets that are multiples of 0x100 and, in
// little-endian archives, the tables other than loop variables directly behind
// the structure: the loader swaps the words there without following pointers
// (AGL). SharcCompiler writes structure, tables, names, loop variables, zeros and
// code in this order.
//
// Unknown: the byte order of loop variables in little-endian archives, kept as
// bytes; the unit of a uniform's offset; how archives from discs place the copy
// program.
package gx2
