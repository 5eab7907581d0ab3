// Package fingerprint serves this module: it infers the numeric and control-flow model of a shader
// core. A [Dimension] is a question that cores answer differently: a knob of package impl, the
// support of an opcode, the geometry stage. [Jobs] are small programs whose results depend on the
// answers; the program search found them. [Infer] finds the profile whose predictions fit the
// answers of a core. [Decide] lists for each dimension the job that decided it, the values that no
// job separates, and the answers that fit no known value.
package fingerprint

//go:generate go run ./search -more -o zjobs.jsonl.gz
