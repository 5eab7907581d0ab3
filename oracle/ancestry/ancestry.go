package ancestry

import (
	"errors"
	"fmt"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/impl"
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

// A record is what this package keeps of a step.
type record struct {
	pica.Step
	node   int
	before offsets
	cc     [2]bool
}

// Of runs a vertex of a job and returns what fed a component, 0 to 3, of an output register in the selected bank
// after the run. Data and control count: the conditions, counts of loops, and addresses without which other
// instructions could have decided the value. As long as a run ends within its budget, the component is the same
// whatever value anything outside the ancestry has. The profile must have the rules of the
// console: other profiles, and hazards=trap, are errors that wrap [pica.ErrUnsupportedProfile].
func Of(job *pica.Job, vertex, output, component int) (*Ancestry, error) {
	if output < 0 || output >= pica.NumOutputs || component < 0 || component > 3 {
		return nil, fmt.Errorf("%w: no component %d of o%d", pica.ErrInvalidJob, component, output)
	}
	if err := supported(job); err != nil {
		return nil, err
	}
	g, err := explore(job)
	if err != nil {
		return nil, err
	}
	records, err := g.run(vertex)
	if err != nil {
		return nil, err
	}
	s := slice{graph: g, at: make([]live, len(g.nodes))}
	s.wanted.o = register(output, slotX>>component)
	s.at[end] = s.wanted
	for k := len(records) - 1; k >= 0; k-- {
		next := end
		if k+1 < len(records) {
			next = records[k+1].node
		}
		s.back(&records[k], next)
	}
	s.initial()
	return &s.found, nil
}

// supported refuses the profiles whose control flow this package does not know.
func supported(job *pica.Job) error {
	if job.Profile.Hazards == pica.HazardsTrap {
		return fmt.Errorf("ancestry: %w: hazards=trap", pica.ErrUnsupportedProfile)
	}
	none := *job
	none.Vertices = nil
	return oracle.New().Run(&none, &pica.Outcome{})
}

// run executes a vertex and returns its steps.
func (g *graph) run(vertex int) (records []record, err error) {
	m := impl.NewMachine()
	if err := m.Load(g.job, vertex); err != nil {
		return nil, err
	}
	now := *m.State()
	node := g.at(place{pc: g.job.Entry})
	for s := m.Step(); s != nil; s = m.Step() {
		if s.Trap.Cause == pica.TrapBudget || s.Trap.Cause == pica.TrapPrimitives {
			return nil, ErrNotEnded
		}
		records = append(records, record{Step: *s, node: node, before: offsetsOf(&now), cc: now.CC})
		if now = *s.State; !s.Ended {
			node = g.at(place{s.Next, now.Stacks})
		}
	}
	return records, nil
}
