// Package mutants serves this module: it is a zoo of executors with one fault each, and the matrix
// that says which generated programs notice which fault. Since all faults are noticed, we know that
// the harness can fail. For parsers and writers, a development tool makes mutants of their source.
//
// The fault of an executor replaces a rule in the oracle's table by a typical mistake of authors
// of shader cores; each file exec_*.go is one group of faults. Sections such as 4.2 are sections
// of the ISA page.
package mutants

//go:generate go test -run ^Test(Outcomes|Counts|ExecutorsAreKilled)$ -update .
