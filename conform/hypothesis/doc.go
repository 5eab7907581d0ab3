// Package hypothesis serves this module: it holds the changes of the oracle that may explain a core. A
// [Hypothesis] replaces or wraps rules of the engine that predicts, everywhere or within a [Scope] of
// instructions, so that it joins any profile and any other hypothesis. [Table] holds the executors of package
// mutants; [Families] makes hypotheses with parameters from the instructions of one job. [Engine] returns the
// oracle under a list of them.
package hypothesis
