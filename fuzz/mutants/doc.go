// Package mutants is a zoo: executors with one fault each, and the matrix that
// says which generated programs notice which. That all of them are noticed is
// how we know that the harness can fail. Parsers and writers are proved by
// mutants of their source, which a development tool makes.
//
// An executor's fault is a rule of the oracle's table replaced by what an author
// of a shader core gets wrong; the files exec_*.go hold one group each. Sections
// such as 4.2 are those of the ISA page.
package mutants
