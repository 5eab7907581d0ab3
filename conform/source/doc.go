// Package source serves this module: it draws shader programs and prints them as assembly text, one
// model of a program in the dialect of each judged assembler.
//
// A [Program] is the meaning of a source: instructions with their operands, scopes, procedures,
// labels, constants, uniforms, inputs and outputs. [Draw] makes one from a seed, [Print] writes
// it in a [Dialect], and [Lower] makes the words and tables that a right assembler writes, up to
// the choices of an assembler: the order of commuting operands, the operand descriptors and
// their numbers, padding with NOPs, the registers of named constants.
//
// A dialect also has sources that are no program: a [Fault] is a source with one mistake, which
// an assembler must refuse, and a [Defect] is a source that the dialect's own assembler is known
// to handle wrongly. Each wrong source has a control, the same source with the nearest right thing
// in place of the mistake.
//
// A [Frame] prints a dialect for a version of its assembler.
package source

//go:generate go test -run ^Test(Recorded|Words|Faults|Defects|Smaller)$ -update .
