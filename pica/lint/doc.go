// Package lint finds mistakes in valid PICA200 programs: code that the console
// executes wrongly, and code that an author cannot have meant.
//
// Stable: names and meanings stay; the changelog announces every exception.
//
// Call [Check] with the shaders of a file or of a source: File.Shaders of a format package returns
// the first, Assembly.Shaders of package asm the second.
//
// It follows every path of a program with the console's three stacks: a [Graph]
// has a node for each reachable combination of a word, contents of the stacks, and
// condition flags. A decision that the file fixes has one outcome: say, a boolean
// that it sets and does not export. Rules about paths follow from the graph; see
// [Rules].
package lint
