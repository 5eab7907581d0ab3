// Package pica describes the PICA200 shader units as data: opcodes, instruction
// formats, operand descriptors, registers, and the plain values that engines,
// generators and comparators exchange (Program, Job, Outcome, Profile, Step).
//
// Stable: names and meanings stay; the changelog announces every exception.
//
// Fill in a [Job], and give it to an [Engine]: oracle.New and vm.New return one. The results
// are in the [Outcome].
//
// Nothing is computed here. Encoding and decoding live in pica/decode, the text
// form in pica/asm, arithmetic in pica/float24 (for the VM) and, written apart
// from it, in the oracle.
//
// Facts and their sources: the instruction tables follow the public decoders of
// nihstro, picasso, Azahar and Panda3DS, which agree on all of them; hardware
// limits are those of the 3dbrew wiki and libctru. Bits that no reader
// interprets are kept wherever a value can hold them.
package pica
