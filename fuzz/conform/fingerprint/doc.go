// Package fingerprint finds out which numeric and control-flow model a shader core
// follows. A [Dimension] is a question that cores answer differently: a knob of
// package impl, the support of an opcode, the geometry stage. [Jobs] are small programs
// whose results depend on the answers; the program search made them. [Infer] finds the
// profile whose predictions fit what a core answered, and [Decide] says for each
// dimension which job decided, what no job can tell, and what fits no known answer.
package fingerprint

//go:generate go run ./search -more -o zjobs.jsonl
