// Package cover says what a run exercised, in terms of the instruction set: the
// opcodes, operand forms and value classes, the directions of rounding, the
// shapes of control flow, the pairs of instructions. Each such thing is a
// [Point]. A [Recorder] finds the points of a run in its trace records, a [Set]
// holds them, a [Matrix] counts them over a campaign, and [Minimise] picks few
// jobs that reach all of them.
//
// The native fuzzer sees basic blocks. A table-driven executor has few, so
// [Set.Touch] visits one block for each point: what is a new point to us is new
// coverage to the fuzzer.
//
// The points are those that the profile f24 can reach. Other profiles reach
// others, too, and those have no number: see [None].
package cover
