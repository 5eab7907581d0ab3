// Package latte reads and writes the programs of the Wii U's GPU, a processor of the R600/R700 family: the bytes that
// GSH and SHARCFB files call code.
//
// Settling: names may change before version 1; the changelog lists every change.
//
// [Decode] takes a program apart: control-flow words, the clauses that they run, and the gaps between them. Every byte
// belongs to one of them, and [Program.Encode] gives the same bytes back. [Format] prints a program, and [Parse]
// reads the text. [Check] evaluates [Rules], those about the code alone and, given a [Structure], those about both.
// Nothing here executes a program.
//
// Addresses of the instruction set count words of 8 bytes. A [Layout] lists the fields of an instruction, and [OP2],
// [OP3], [CFOps], [TextureOps] and [VertexOps] its opcodes, a row each.
package latte
