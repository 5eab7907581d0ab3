package oracle

import "github.com/picaproof/picaproof/pica"

// engine is the oracle as a [pica.Engine].
type engine struct {
	machine  Machine
	observer Observer // may be nil
}

// An Observer receives the runs of an engine: for each run its initial state, then
// its records as [Machine.Step] returns them.
type Observer interface {
	Start(job *pica.Job, vertex int, state *pica.State)
	Step(s *pica.Step)
}

// New returns an engine with the rules of [Console]; it refuses profiles that need other
// rules. It reuses its memory from run to run and is not safe for concurrent use.
func New() pica.Engine { return NewEngine(reference, nil) }

// NewEngine returns an engine with the rules that resolve makes. An observer, which may
// be nil, receives its runs.
func NewEngine(resolve Resolver, o Observer) pica.Engine {
	return &engine{machine: Machine{resolve: resolve}, observer: o}
}

// Renew makes an engine of [NewEngine] forget its rules: before the next job it asks its resolver again. An engine
// whose resolver changes its mind is cheaper than one for each set of rules.
func Renew(e pica.Engine) { e.(*engine).machine.base = nil }

// Name returns "oracle".
func (e *engine) Name() string { return "oracle" }

// Run executes the job; see [pica.Engine].
func (e *engine) Run(job *pica.Job, out *pica.Outcome) error {
	return e.RunWhile(job, out, func() bool { return true })
}

// RunWhile executes the job while proceed allows; see [pica.Interruptible].
func (e *engine) RunWhile(job *pica.Job, out *pica.Outcome, proceed func() bool) error {
	m := &e.machine
	if err := m.prepare(job); err != nil {
		return err
	}
	out.Storage = job.Profile.Storage
	out.Vertices = resize(out.Vertices, len(job.Vertices))
	done := 0 // instructions, over all vertices
	for i := range job.Vertices {
		v := &out.Vertices[i]
		// The run overwrites the slices of an earlier outcome.
		m.at.skipped, m.at.estimated, m.hazards, m.primitives = v.Skipped, v.Estimated, v.Hazards, v.Primitives
		m.begin(i)
		if e.observer != nil {
			e.observer.Start(job, i, &m.regs.State)
		}
		for m.advance() {
			if e.observer != nil {
				e.observer.Step(m.shown())
			}
			if done++; done&(interval-1) == 0 && !proceed() {
				return pica.ErrInterrupted
			}
		}
		v.State, v.Trap, v.Steps, v.Uninitialised = m.regs.State, m.at.trap, m.steps, m.at.uninitialised
		v.Skipped, v.Estimated, v.Hazards, v.Primitives = m.at.skipped, m.at.estimated, m.hazards, m.primitives
	}
	m.at.skipped, m.at.estimated, m.hazards, m.primitives = nil, nil, nil, nil
	out.Bools = m.bools
	return nil
}

// interval is the number of instructions between two calls of proceed, a power of
// two.
const interval = 1 << 14

// resize returns v with length n. Its elements keep the slices that they own.
func resize(v []pica.VertexOutcome, n int) []pica.VertexOutcome {
	v = v[:cap(v)]
	for len(v) < n {
		v = append(v, pica.VertexOutcome{})
	}
	return v[:n]
}
