// Package lint finds mistakes in PICA200 programs that are valid: what the
// console gets wrong, and what an author cannot have meant.
//
// It runs every path of a program over the console's three stacks: a [Graph] has
// a node for each word and each content of the stacks and of the condition flags
// that a run can reach it with. Decisions that the file fixes, a boolean that it
// sets and does not export say, have one outcome. Rules about paths follow from
// the graph; see [Rules].
package lint
