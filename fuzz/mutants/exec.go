package mutants

import "github.com/picaproof/picaproof/pica"

// Mutant is an executor with one fault: the oracle with one of its rules
// replaced.
type Mutant struct {
	Name  string // stable, in kebab case
	Group string
	Rule  string // the sentence that is broken, with its section of the ISA page
	// Profiles names the profiles, among f24, hw and f32, in which the fault
	// shows; nil means all three.
	Profiles []string
	// Equivalent says why no job can show the fault; empty where one can.
	Equivalent string
	// New returns the executor, which is not safe for concurrent use.
	New func() pica.Engine
}

// Executors returns the mutants, those of a group together.
func Executors() []Mutant { return nil }
