// Package sweep serves this module: it enumerates programs systematically. They cover each field of
// each instruction at its limits and at the values where its meaning changes, each shape of control
// flow up to more than the stacks hold, each register, and the state that may pass from one vertex
// to the next. Random programs find faults of combinations; these programs find faults of one
// field, or of two fields of one instruction.
//
// Failures of programs with one name, such as "mad: swizzle of operand 3", are grouped.
package sweep

//go:generate go test -run ^TestJobs$ -update .
