// Package source draws shader programs and prints them as assembly text: from one model,
// in the dialect of each assembler that is to be judged.
//
// A [Program] says what is meant: instructions with their operands, scopes, procedures,
// labels, constants, uniforms, inputs and outputs. [Draw] makes one from a seed, [Print]
// writes it in a [Dialect], [Lower] makes the words and tables that a right assembler
// writes, up to what it may choose: the order of commuting operands, the operand
// descriptors and their numbers, padding with NOPs, the registers of named constants.
//
// A dialect also has what is no program: [Fault] is a source with one mistake, which an
// assembler must refuse, and [Defect] a source that the dialect's own assembler is known
// to get wrong.
package source
