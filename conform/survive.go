package conform

import (
	"slices"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/hypothesis"
	"github.com/picaproof/picaproof/conform/proof"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// mortal finds the instructions at which the core crashes or hangs, by its proved faults. It is not safe for
// concurrent use; nil finds none.
type mortal struct {
	model   pica.Profile
	core    pica.Engine  // with its proved faults
	others  pica.Engine  // without those that crash and hang
	blind   pica.Profile // the model, but that no read finds foreign memory
	deaths  pica.Engine  // with the faults that crash and hang alone
	plain   pica.Engine
	out     pica.Outcome
	unknown bool   // the newest run came to an instruction of which the model predicts nothing
	outcome string // of the newest run that a crash or a hang ended
}

// newMortal returns nil if no crash and no hang is proved.
func (s *session) newMortal() *mortal {
	var deaths, others []*hypothesis.Hypothesis
	for _, h := range s.faults {
		if slices.ContainsFunc(s.proved, func(c proof.Cause) bool { return c.Hypothesis == h && c.Got.End != view.Ended }) {
			deaths = append(deaths, h)
		} else {
			others = append(others, h)
		}
	}
	if len(deaths) == 0 {
		return nil
	}
	return &mortal{model: s.model, core: hypothesis.Engine(s.faults...), others: hypothesis.Engine(others...),
		blind: blinded(s.model), deaths: hypothesis.Engine(deaths...), plain: impl.New()}
}

// blinded returns a model with the console's answers to the questions about reads that find foreign memory: it predicts
// what a run does behind them.
func blinded(p pica.Profile) pica.Profile {
	console := profile.HW()
	for d := range fingerprint.Dimensions {
		dim := &fingerprint.Dimensions[d]
		if q, ok := dim.With(p, dim.Get(&console)); ok && dim.Values[dim.Get(&p)].Foreign {
			p = q
		}
	}
	return p
}

// survivor returns the job with a NOP for each instruction at which the core would crash or hang by its proved faults:
// other faults show in what is left of the program. END stays.
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

// dies returns the address of the instruction at which a proved fault ends the run of a job, -1 if none does. The model
// may predict nothing from some read on, behind which the run goes on.
func (m *mortal) dies(job *pica.Job) int {
	if m == nil {
		return -1
	}
	at := m.end(m.core, job, &m.model)
	switch unknown := m.unknown; {
	case at < 0 && !unknown || m.end(m.others, job, &m.model) >= 0:
		return -1
	case at < 0:
		return m.diesBehind(job)
	}
	return at
}

// explains reports whether a proved fault is the reason of a crash or a hang. Another fault may hide the instruction from
// dies.
func (m *mortal) explains(job *pica.Job, outcome string) bool {
	return m != nil && (m.dies(job) >= 0 || m.diesBehind(job) >= 0) && m.outcome == outcome
}

// diesBehind is dies for a core that reads no foreign memory, without its other faults.
func (m *mortal) diesBehind(job *pica.Job) int {
	if m.end(m.plain, job, &m.blind) >= 0 {
		return -1
	}
	return m.end(m.deaths, job, &m.blind)
}

// end returns the address of the instruction at which an engine crashes or hangs, -1 if it does not.
func (m *mortal) end(engine pica.Engine, job *pica.Job, p *pica.Profile) int {
	m.unknown = false
	if engine.Run(under(job, *p), &m.out) != nil {
		return -1
	}
	for i := range m.out.Vertices {
		switch t := m.out.Vertices[i].Trap; {
		case t.Cause == pica.TrapUnsupported && t.Refusal == pica.RefusalUnknown:
			m.unknown = true
		case t.Cause == pica.TrapUnsupported && t.Refusal == pica.RefusalCrash:
			m.outcome = Crash
			return t.PC
		case t.Cause == pica.TrapUnsupported:
			m.outcome = Refusal
			return t.PC
		case t.Cause == pica.TrapBudget:
			m.outcome = Hang
			return t.PC
		}
	}
	return -1
}
