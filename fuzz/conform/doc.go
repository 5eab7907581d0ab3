// Package conform judges a shader core that runs as another process. [Run] finds out
// which model the core follows (package fingerprint), asks it for generated programs
// and for those of the corpus, and compares what it answers with two predictions of the
// oracle: under the rules of the console, and under the core's own model.
//
// What differs from the core's own model is reduced through the core and becomes a
// cause: what the smallest program shows. A cause has a [Trigger], by which later
// programs avoid it, so that a fault that nearly every program hits hides no other.
//
// A job is a function of the seed, its number and the triggers that it avoids. Round 0
// is the core set: its jobs avoid nothing, and every shard runs all of it. Round 1
// avoids the triggers of round 0, and so do the programs of the suites that are lists, which
// it has again.
package conform
