package ancestry

import (
	"errors"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// maxWork is the number of steps that trials may take. After it decisions count without a trial.
const maxWork = 1 << 20

// maxTried is the number of steps of the longest run whose decisions are tried: trials need the state before each step.
const maxTried = 1 << 12

// A runner executes a vertex of a job, with some decisions as it is told.
type runner struct {
	*graph
	vertex int
	work   int // that trials may still do
}

// A choice is the outcome of the decision of a step.
type choice struct {
	step int
	outcome
}

// A trace is a part of a run.
type trace struct {
	choices []choice
	records []record
	states  []state // before each step, and after the last; nil if the run is too long for trials
	last    int     // the node after the last step
}

// at returns the state before a step, if it is known.
func (t *trace) at(k int) *state {
	if t.states == nil {
		return nil
	}
	return &t.states[k]
}

// A record is what this package keeps of a step.
type record struct {
	pica.Step
	node   int
	before offsets
	cc     [2]bool
}

// A state is what decides how a run goes on, but for what the job holds.
type state struct {
	pica.State
	other   [pica.NumOutputs]pica.Vec4 // the output bank that is not selected
	emitter uint32                     // the word of the newest SETEMIT
	steps   int                        // that were executed
}

// errStopped says that trials took too many steps.
var errStopped = errors.New("too much work")

// run executes the vertex and returns the steps from the given one on. A run with choices is a trial: it stops at the
// first arrival at the node until or, again, at the node of its first step.
func (r *runner) run(choices []choice, from, until int) (t trace, err error) {
	var chosen *choice
	m := oracle.NewMachine(func(p *pica.Profile) (*oracle.Rules, error) {
		rules := oracle.Console(p)
		obey(&rules.Flow, &chosen)
		return rules, nil
	})
	if err := m.Load(r.job, r.vertex); err != nil {
		return t, err
	}
	trial := len(choices) > 0
	// The other bank of an earlier vertex is unknown here.
	known := !r.job.Keep || r.vertex == 0 || r.job.Stage == pica.Vertex
	t.choices = choices
	now := state{State: *m.State()}
	t.last = r.arrive(place{pc: r.job.Entry})
	for t.last != end && (!trial || len(t.records) == 0 || t.last != until && t.last != t.records[0].node) {
		before, node := now, t.last
		s, err := r.step(m, &chosen, choices, &now)
		if err != nil {
			return t, err
		}
		if t.last = end; !s.Ended {
			moved := r.trapsHazards() && pica.OpcodeOf(s.Word) == pica.MOVA
			t.last = r.arrive(place{s.Next, now.Stacks, moved})
		}
		if s.Index >= from {
			t.records = append(t.records, record{*s, node, offsets{before.Address[0], before.Address[1], before.AL}, before.CC})
			if known = known && len(t.records) <= maxTried; known {
				t.states = append(t.states, before)
			}
		}
		if r.work--; trial && r.work < 0 {
			return t, errStopped
		}
	}
	if t.states = append(t.states, now); !known {
		t.states = nil
	}
	return t, nil
}

// step executes an instruction, with the choice that was made for it.
func (r *runner) step(m *oracle.Machine, chosen **choice, choices []choice, now *state) (*pica.Step, error) {
	*chosen = nil
	for k := range choices {
		if choices[k].step == now.steps {
			*chosen = &choices[k]
		}
	}
	s := m.Step()
	if s.Trap.Cause == pica.TrapBudget || s.Trap.Cause == pica.TrapPrimitives {
		return nil, ErrNotEnded
	}
	if s.Trap.Cause == pica.TrapNone {
		switch pica.OpcodeOf(s.Word) {
		case pica.EMIT:
			now.other = now.O
		case pica.SETEMIT:
			now.emitter = s.Word
		}
	}
	now.State = *m.State()
	now.steps++
	return s, nil
}

// obey makes control flow take the outcome that is chosen, if any.
func obey(flow *oracle.Flow, chosen **choice) {
	condition, boolean, jmpu, again := flow.Condition, flow.Bool, flow.JMPU, flow.Again
	flow.Condition = func(operator int, cc, ref [2]bool) bool {
		if *chosen != nil {
			return (*chosen).holds
		}
		return condition(operator, cc, ref)
	}
	flow.Bool = func(bools uint16, n int) bool {
		if *chosen != nil {
			return (*chosen).holds
		}
		return boolean(bools, n)
	}
	flow.JMPU = func(uniform bool, num int) bool {
		if *chosen != nil {
			return (*chosen).holds
		}
		return jmpu(uniform, num)
	}
	flow.Again = func(c *oracle.Control, e *pica.LoopEntry) bool {
		follows := again(c, e)
		if *chosen != nil {
			return (*chosen).pass && !c.Break
		}
		return follows
	}
}
