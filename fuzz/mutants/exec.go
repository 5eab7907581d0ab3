package mutants

import (
	"slices"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

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
func Executors() []Mutant {
	return slices.Concat(
		mutantsOf("arithmetic", func(r *oracle.Rules) *oracle.Arithmetic { return &r.Arithmetic }, arithmeticFaults),
		mutantsOf("rounding", func(r *oracle.Rules) *oracle.Arithmetic { return &r.Arithmetic }, roundingFaults),
		mutantsOf("decoding", func(r *oracle.Rules) *oracle.Encoding { return &r.Encoding }, decodingFaults()),
		mutantsOf("operands", func(r *oracle.Rules) *oracle.Rules { return r }, operandFaults),
		mutantsOf("addressing", func(r *oracle.Rules) *oracle.Rules { return r }, addressingFaults),
		mutantsOf("control flow", func(r *oracle.Rules) *oracle.Flow { return &r.Flow }, flowFaults()),
		mutantsOf("geometry", func(r *oracle.Rules) *oracle.Rules { return r }, geometryFaults),
		mutantsOf("state", func(r *oracle.Rules) *oracle.Carry { return &r.Carry }, stateFaults),
	)
}

// fault changes a part of the oracle's rules. What change keeps in variables of
// its own belongs to one executor.
type fault[T any] struct {
	name, rule string
	change     func(part *T)
}

func mutantsOf[T any](group string, part func(r *oracle.Rules) *T, faults []fault[T]) (list []Mutant) {
	for _, f := range faults {
		list = append(list, Mutant{Name: f.name, Group: group, Rule: f.rule, Profiles: visible[f.name],
			New: func() pica.Engine { return oracle.NewWith(func(r *oracle.Rules) { f.change(part(r)) }) }})
	}
	return list
}

// visible lists the profiles of the faults that do not show in all three: hw
// truncates and flushes, f24 rounds to nearest and has gradual underflow, f32
// does that in another format.
var visible = map[string][]string{}
