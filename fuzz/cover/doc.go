// Package cover serves this module: it says which parts of the instruction set a run exercised,
// such as opcodes, operand forms and value classes, directions of rounding, shapes of control flow,
// pairs of instructions. Each of them is a [Point]. A [Recorder] finds the points of a run in its
// trace records, a [Set] holds them, a [Matrix] counts them over a campaign, and [Minimise] picks
// few jobs that reach all of them.
//
// The native fuzzer sees basic blocks. A table-driven executor has few, so [Set.Touch]
// visits one block for each point: a new point is then new coverage to the fuzzer.
//
// The points are the points that profile f24 can reach. Whatever only other profiles can
// reach has no number: see [None].
package cover
