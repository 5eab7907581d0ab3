// Package hunt judges numbered cases until it is told to stop: it takes them
// from several targets in turn, judges them on all processors, sorts what is
// wrong into buckets by cause, reduces the first case of each, and keeps all of
// it in a directory. It is the engine behind compare, fuzz and the suites of conform core.
//
// Three promises make its results repeatable:
//
//   - Case n of a seed is the same everywhere. A target is a function from
//     numbers to cases and knows nothing of the order in which they are judged.
//   - Batches of cases are judged in any order and recorded in the order of
//     their numbers. So the buckets, the number of findings in each, and the
//     case that represents it, which is the one with the lowest number, do not
//     depend on the number of workers.
//   - The stored state is a snapshot between two batches. A hunt that was
//     interrupted or killed goes on behind the last batch of the snapshot, and
//     a reduction that was interrupted starts again, so that nothing is counted
//     twice, left out, or reduced to something else.
//
// A panic while a case is judged or reduced is a finding like any other, whose
// key names the function that panicked. A failure to store what was found ends
// the hunt at once.
package hunt
