// Package sweep makes programs that leave nothing to chance: each field of each
// instruction at the values at which something begins, ends or changes, each shape of
// control flow up to more than the stacks hold, each register, and what may pass from
// one vertex to the next. Random programs find what hides in combinations; these find
// what hides in one place, or in two fields of one instruction.
//
// A program has a name, "mad: swizzle of operand 3", by which what goes wrong alike is
// put together.
package sweep
