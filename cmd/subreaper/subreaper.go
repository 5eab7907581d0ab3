// Package subreaper serves this module: it makes a command line the parent of the orphans of its
// programs, so that nothing of a program outlives it. This is a property of the whole process:
// only a main function calls it, never a library.
package subreaper

import "github.com/picaproof/picaproof/oracle/adapter/orphans"

// Become makes this process the parent of orphans, where the system can do that. The caller calls
// end before the process ends.
func Become() (end func()) {
	if become() {
		orphans.Adopt()
	}
	return orphans.EndAll
}
