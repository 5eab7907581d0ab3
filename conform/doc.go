// Package conform judges a shader core: a program that runs as another process, or an engine of
// this one. [Run] infers the model that the core follows (package fingerprint) and asks the core
// for generated programs and for the programs of the corpus. It compares each answer with two
// predictions of the oracle: under the rules of the console, and under the core's own model.
//
// Settling: names may change before version 1; the changelog lists every change.
//
// Call [Run] to judge a core, [Reader] to test a parser, [Writer] to test an assembler, and
// [Converter] to test a converter. The last three take a function, and return one error that
// joins all causes. A core is what Start (a command) or InProcess (a pica.Engine) of package
// oracle/adapter returns; these two are as stable as this package.
//
// A cause is proved if one change of the oracle predicts every answer that differs from the core's
// own model, and contradicts no other (packages hypothesis and proof); it joins the model. A job that
// no change predicts is reduced through the core and becomes a cause, named by the fault that the
// smallest program shows. Such a cause has a trigger, by which later programs avoid it, so that a
// fault in nearly every program hides no other.
//
// A job is a function of the seed, its number and the triggers that it avoids. Round 0 is the
// core set, which every shard runs. Its jobs avoid only known hangs, which a few jobs of each
// suite have shown before. While a round shows a new trigger, the next round repeats the core
// set and avoids all known triggers. The last round has the jobs behind the core set.
package conform
