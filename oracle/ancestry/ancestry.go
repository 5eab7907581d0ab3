package ancestry

import (
	"errors"
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// Ancestry is what fed one component of an output in one run. Components are sets, bit 3 = x.
type Ancestry struct {
	Steps   []Member // in the order of execution
	Inputs  [pica.NumInputs]uint8
	Floats  [pica.NumFloats]uint8
	Ints    [pica.NumInts]uint8
	Bools   [pica.NumBools]bool
	Outputs [pica.NumOutputs]uint8     // as they were before the run
	Others  [pica.NumOutputs]uint8     // those of the bank that is not selected, before the run
	R       [pica.NumTemporaries]uint8 // as they were before the run
	Rest    pica.Registers             // address registers, aL and flags, as they were before the run
}

// A Member is an executed instruction.
type Member struct {
	Index, PC int
	Word      uint32
}

// Words returns the set of the program words of which a step is a member.
func (a *Ancestry) Words() map[int]bool {
	set := map[int]bool{}
	for _, s := range a.Steps {
		set[s.PC] = true
	}
	return set
}

// ErrNotEnded says that the budget ended the run, which then has no ancestry.
var ErrNotEnded = errors.New("the run did not end within its budget")

// Of runs a vertex of a job and returns what fed a component, 0 to 3, of an output register in the selected bank
// after the run. Data and control count: the conditions, counts of loops, and addresses without which other
// instructions could have decided the value. A decision does not count if its other ways give the same value.
//
// As long as a run ends within its budget, the component is the same whatever values the other inputs and uniforms
// have, and whatever the executed instructions write whose words are no members. Instructions that the run did not
// execute stay as they are.
//
// The profile must have the rules of the console: other profiles are errors that wrap [pica.ErrUnsupportedProfile].
func Of(job *pica.Job, vertex, output, component int) (*Ancestry, error) {
	if output < 0 || output >= pica.NumOutputs || component < 0 || component > 3 {
		return nil, fmt.Errorf("%w: no component %d of o%d", pica.ErrInvalidJob, component, output)
	}
	none := *job
	none.Vertices = nil
	if err := oracle.New().Run(&none, &pica.Outcome{}); err != nil {
		return nil, err // the profile is not that of the console
	}
	r := &runner{graph: explore(job), vertex: vertex, work: maxWork}
	t, err := r.run(nil, 0, end)
	if err != nil {
		return nil, err
	}
	s := r.slice(t, live{o: register(output, slotX>>component)})
	slices.Reverse(s.found.Steps)
	s.initial()
	return &s.found, nil
}

// maxRounds is the number of assumptions about the members after which a slice does without trials.
var maxRounds = 4 // a variable for tests

// slice undoes a run. First it does without trials; their values may then come only from the sources found so. A trial
// may rely only on words that are members or that the run did not execute. Which are members is known afterwards:
// they are assumed, and the slice is made again if the assumption was wrong.
func (r *runner) slice(t trace, wanted live) *slice {
	plain := newSlice(r, t, wanted)
	plain.over()
	members := plain.words
	for range maxRounds {
		s := newSlice(r, t, wanted)
		s.limits = &limits{others: t.without(members), sources: &plain.found}
		s.over()
		others := t.without(s.words)
		if !slices.ContainsFunc(s.needed, func(pc int) bool { return others[pc] }) {
			return s
		}
		members = s.words
	}
	return plain
}

// without returns the words of the steps that a set of words does not contain.
func (t *trace) without(words map[int]bool) map[int]bool {
	others := map[int]bool{}
	for k := range t.records {
		if pc := t.records[k].PC; !words[pc] {
			others[pc] = true
		}
	}
	return others
}
