package conform

import (
	"slices"

	"github.com/picaproof/picaproof/conform/hypothesis"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/pica"
)

// mortal finds the instructions at which the core crashes or hangs, by its proved faults. It is not safe for
// concurrent use; nil finds none.
type mortal struct {
	model  pica.Profile
	engine pica.Engine
	out    pica.Outcome
}

// newMortal returns nil if no crash and no hang is proved.
func (s *session) newMortal() *mortal {
	var deaths []*hypothesis.Hypothesis
	for _, c := range s.proved {
		if c.Got.End != view.Ended {
			deaths = append(deaths, c.Hypothesis)
		}
	}
	if len(deaths) == 0 {
		return nil
	}
	return &mortal{model: s.model, engine: hypothesis.Engine(s.faults...)}
}

// survivor returns the job with a NOP for each instruction at which the core would crash or hang: other faults show in
// what is left of the program. END stays.
func (m *mortal) survivor(job *pica.Job) *pica.Job {
	if m == nil {
		return job
	}
	owned := false
	for range maxRepairs {
		at := m.dies(job)
		if at < 0 || at >= len(job.Code) || job.Code[at] == nop || pica.OpcodeOf(job.Code[at]).Base() == pica.END {
			break
		}
		if !owned {
			c := *job
			c.Code = slices.Clone(job.Code)
			job, owned = &c, true
		}
		job.Code[at] = nop
	}
	return job
}

// dies returns the address of the instruction at which the core crashes or hangs, -1 if it does not.
func (m *mortal) dies(job *pica.Job) int {
	if m.engine.Run(under(job, m.model), &m.out) != nil {
		return -1
	}
	for i := range m.out.Vertices {
		switch t := m.out.Vertices[i].Trap; {
		case t.Cause == pica.TrapUnsupported && t.Refusal != pica.RefusalUnknown, t.Cause == pica.TrapBudget:
			return t.PC
		}
	}
	return -1
}
