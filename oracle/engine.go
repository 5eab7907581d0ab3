package oracle

import (
	"fmt"

	"github.com/picaproof/picaproof/pica"
)

// engine is the oracle as a [pica.Engine].
type engine struct {
	machine  Machine
	observer Observer // may be nil
}

// An Observer is shown the runs of an engine: the state each one starts from,
// then its records as [Machine.Step] returns them.
type Observer interface {
	Start(job *pica.Job, vertex int, state *pica.State)
	Step(s *pica.Step)
}

// New returns the oracle as an engine. It reuses its memory from run to run and
// is not safe for concurrent use.
func New() pica.Engine { return new(engine) }

// NewWith returns an engine in which change has replaced rules of the oracle.
func NewWith(change func(r *Rules)) pica.Engine {
	r := reference
	change(&r)
	return &engine{machine: Machine{rules: &r}}
}

// Watched returns an engine like that of [New] that shows its runs to an
// observer.
func Watched(o Observer) pica.Engine { return &engine{observer: o} }

// Name returns "oracle".
func (e *engine) Name() string { return "oracle" }

// Run executes the job; see [pica.Engine].
func (e *engine) Run(job *pica.Job, out *pica.Outcome) error {
	return e.RunWhile(job, out, func() bool { return true })
}

// RunWhile executes the job while proceed allows; see [pica.Interruptible].
func (e *engine) RunWhile(job *pica.Job, out *pica.Outcome, proceed func() bool) error {
	m := &e.machine
	if err := m.load(job); err != nil {
		return err
	}
	out.Storage = m.unit.Knobs[pica.KnobStorage]
	out.Vertices = resize(out.Vertices, len(job.Vertices))
	done := 0 // instructions, over all vertices
	for i := range job.Vertices {
		v := &out.Vertices[i]
		m.skipped, m.estimated, m.hazards, m.primitives = v.Skipped, v.Estimated, v.Hazards, v.Primitives // their memory
		m.begin(i)
		if e.observer != nil {
			e.observer.Start(job, i, &m.regs.State)
		}
		for m.step() {
			if e.observer != nil {
				m.record.Scopes = m.flow.scopes()
				e.observer.Step(&m.record)
			}
			if done++; done&(interval-1) == 0 && !proceed() {
				return pica.ErrInterrupted
			}
		}
		v.State, v.Trap, v.Steps, v.Uninitialised = m.regs.State, m.cause, m.steps, m.unwritten
		v.Skipped, v.Estimated, v.Hazards, v.Primitives = m.skipped, m.estimated, m.hazards, m.primitives
	}
	m.skipped, m.estimated, m.hazards, m.primitives = nil, nil, nil, nil
	out.Bools = m.bools
	return nil
}

// interval is the number of instructions between two questions whether to go
// on, a power of two.
const interval = 1 << 14

// resize returns v with length n, keeping what its elements own.
func resize(v []pica.VertexOutcome, n int) []pica.VertexOutcome {
	v = v[:cap(v)]
	for len(v) < n {
		v = append(v, pica.VertexOutcome{})
	}
	return v[:n]
}

// validate refuses what is no job.
func validate(job *pica.Job) error {
	invalid := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", pica.ErrInvalidJob, fmt.Sprintf(format, args...))
	}
	switch {
	case len(job.Code) > pica.MaxCode:
		return invalid("%d program words", len(job.Code))
	case len(job.Descriptors) > pica.MaxDescriptors:
		return invalid("%d operand descriptors", len(job.Descriptors))
	case job.Entry < 0 || job.Entry >= pica.MaxCode:
		return invalid("entry point %d", job.Entry)
	case job.Stage > pica.Geometry:
		return invalid("stage %d", job.Stage)
	case job.Budget < 0:
		return invalid("step budget %d", job.Budget)
	case job.InputForm > pica.Raw24:
		return invalid("input form %d", job.InputForm)
	}
	for _, up := range job.Floats {
		if up.Register < 0 || up.Form > pica.Raw24 {
			return invalid("upload to register %d, form %d", up.Register, up.Form)
		}
	}
	for i, v := range job.Vertices {
		if len(v) > pica.NumInputs {
			return invalid("vertex %d: %d registers", i, len(v))
		}
	}
	return supported(&job.Profile)
}

// knobValues is the number of values of each knob.
var knobValues = [pica.NumKnobs]pica.Value{
	pica.KnobStorage: 2, pica.KnobSubnormal: 3, pica.KnobSpecial: 2, pica.KnobUpload: 4, pica.KnobRound: 4,
	pica.KnobFlush: 2, pica.KnobZeroInf: 3, pica.KnobNaNZero: 2, pica.KnobNegate: 2, pica.KnobMAD: 2, pica.KnobDot: 4,
	pica.KnobMax: 2, pica.KnobReciprocalZero: 2, pica.KnobReciprocal: 4, pica.KnobExponential: 4, pica.KnobCompare: 4,
	pica.KnobIndex: 3, pica.KnobFlow: 5, pica.KnobInnerAL: 3, pica.KnobBreakStep: 2, pica.KnobBreakOutside: 2,
	pica.KnobProgramEnd: 5, pica.KnobHazards: 3, pica.KnobReset: 3, pica.KnobEmitInVertex: 3, pica.KnobBanks: 2,
	pica.KnobLITP: 2, pica.KnobIndexedOps: 2,
}

// supported refuses settings that do not exist and those that need float32
// registers where there are none.
func supported(p *pica.Profile) error {
	for k, v := range p.Knobs {
		if v >= knobValues[k] {
			return fmt.Errorf("%w: knob %d has no value %d", pica.ErrUnsupportedProfile, k, v)
		}
	}
	if p.Knobs[pica.KnobStorage] == pica.StorageF32 {
		return nil
	}
	for _, need := range []struct {
		knob  pica.Knob
		value pica.Value
	}{
		{pica.KnobSubnormal, pica.SubnormalHiddenOne}, {pica.KnobSubnormal, pica.SubnormalZero},
		{pica.KnobSpecial, pica.SpecialFinite}, {pica.KnobRound, pica.RoundCut},
		{pica.KnobUpload, pica.UploadExact}, {pica.KnobUpload, pica.UploadCut},
		{pica.KnobExponential, pica.ExponentialPolynomial},
	} {
		if p.Knobs[need.knob] == need.value {
			return fmt.Errorf("%w: knob %d at %d needs float32 registers", pica.ErrUnsupportedProfile, need.knob, need.value)
		}
	}
	return nil
}
