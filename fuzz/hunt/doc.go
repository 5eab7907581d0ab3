// Package hunt serves this module: it judges numbered cases until it is told to stop. It takes
// cases from several targets in turn, judges them on all processors, sorts failures into buckets by
// cause, reduces the first case of each bucket, and stores the results in a directory. The commands
// compare and fuzz and the suites of conform core use it.
//
// Three promises make its results repeatable:
//
//   - Case n of a seed is the same everywhere. A target is a function from
//     numbers to cases; the order in which they are judged does not matter.
//   - Batches of cases are judged in any order and recorded in the order of
//     their numbers. So the buckets, the number of findings in each, and its
//     representative, the case with the lowest number, do not depend on the
//     number of workers.
//   - The stored state is a snapshot between two batches. After an interruption
//     a hunt continues behind the last batch of the snapshot, and an unfinished
//     reduction starts again, so that nothing is counted twice, omitted, or
//     reduced to something else.
//
// A hunt may run in shards ([Shard]), to which its batches are dealt in turn. [Merge] joins their states to that of
// one hunt: the same buckets, counts and representatives, and a corpus that reaches the same coverpoints.
//
// A panic while a case is judged or reduced is a finding, whose key names the function that
// panicked. If a finding cannot be stored, the hunt ends at once.
package hunt
