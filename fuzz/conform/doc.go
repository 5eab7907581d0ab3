// Package conform judges a shader core that runs as another process. [Run] finds out
// which model the core follows (package fingerprint), asks it for generated programs
// and for those of the corpus, and compares what it answers with two predictions of the
// oracle: under the rules of the console, and under the core's own model.
//
// What differs from the core's own model is reduced through the core and becomes a
// cause: what the smallest program shows. A cause has a trigger, by which later
// programs avoid it, so that a fault that nearly every program hits hides no other.
//
// A job is a function of the seed, its number and the triggers that it avoids. Round 0
// is the core set, which every shard runs: its jobs avoid only what is known to hang, which a
// few jobs of each suite have shown before. As long as a round shows a new trigger, the next one has the core set again without all that are known. The last
// round has the jobs behind the core set.
package conform
