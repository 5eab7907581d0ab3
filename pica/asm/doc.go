// Package asm is the text form of PICA200 programs, in both directions.
//
// Stable: names and meanings stay; the changelog announces every exception.
//
// Call [Assemble] for words from text, and [Disassemble] for text from words.
//
// [Assemble] reads two dialects. [Picasso] accepts, refuses and encodes as
// picasso 2.7.1 does, its mistakes included; picasso's manual describes it. The
// [Default] dialect is a superset: it rounds constants exactly, checks every range,
// and can express any words, so that the text of [Disassemble] assembles to the
// same words and descriptors. The additions of the default dialect are:
//
// # Structure
//
//	.proc name                     a procedure, to its .end
//	for i0                         a loop, to its .end
//	ifc cmp.x                      a condition on flags, with an optional .else, to its .end
//	ifu b3                         a condition on a uniform, likewise
//	call name                      calls a procedure of any source
//
// The assembler puts a NOP before an .end if the word in front of it is flow control,
// which the console executes wrongly there; ".pad off" leaves the NOP out. Text
// without a .proc is flat: its instructions need no scope.
//
// # Instructions
//
// Flow control with a target and a length is the flat form of a scope.
//
//	add r0.xy, c4, -v0.wzyx        mask, wide and narrow operand, negation, selectors
//	mad r1, r2, c8[aL].x, r3       relative addressing; a short swizzle repeats its last letter
//	cmp r0.x, lt, 7, r1            eq ne lt le gt ge, or the number of an undefined operator
//	mova a0.xy, r0                 the mask of a0 is always spelled out
//	ifc cmp.x && !cmp.y, L12, 3    first word of the else part, its length
//	ifu b3, L12, 0
//	call L40, 6                    first word of the procedure, its length
//	callc cmp.x || cmp.y, L40, 6
//	callu b1, L40, 6
//	loop i0, L9                    L9 is the word behind the body
//	breakc !cmp.y
//	jmpc cmp.x, L9
//	jmpu !b0, L9                   "!" jumps when the uniform is false
//	setemit 1, prim inv
//	break, nop, end, emit
//	.word 0x5c000000               any word
//	.nop 512                       as many NOPs
//	call shade, bits 0x400000      bits of the word that nothing reads
//
// A mnemonic that ends in i (dphi, dsti, sgei, slti, madi) is the inverted form,
// where the last operand is the wide one. A mask of no components is "._". exp, log
// and lit are other names of ex2, lg2 and litp.
//
// A condition on one flag has a reference value for the other one too, which
// nothing reads. Assemblers set it; where it is clear it follows in parentheses:
// "cmp.x (!cmp.y)".
//
// Targets are labels or word numbers. Numbers are absolute.
//
// Structured text has a scope for each instruction whose scope lies within other
// scopes or apart from them; an instruction whose scope crosses another keeps its
// target. Of 25,000 generated programs, 5,000 of each mode, 50.4 % nest without a
// jump, and their structured text has no target; package properties counts them.
//
// # Operand descriptors
//
// The table is given by .opdesc lines, first entry first. An instruction uses
// the first entry that reads as the instruction says: the destination mask
// (except for cmp, which ignores it), and negation and selectors of the operands
// it has. When it uses another entry, the last operand is "desc N". An entry
// that is not in the table is zero.
//
// # Header
//
//	.gsh                         a geometry program
//	.entry main                  label or word number
//	.in name v0                  .in name[2] v3
//	.fvec name[4] c0             .ivec name i0      .bool name b0
//	.out - position o0.xyzw
//	.setf24 c95(0x3f0000, 0x0, 0x0, 0x0)       raw float24 patterns
//	.setf32 c94(0x3f800000, 0x0, 0x0, 0x0)     binary32 patterns
//	.seti i0(3, 0, 1, 0)         .setb b1 true
//	.opdesc 0x0d86c36f
//	.limit 4096                  words of a program with a vertex entry point; 512 if absent
//
// Comments start with a semicolon.
package asm
