package oracle

import (
	"fmt"

	"github.com/picaproof/picaproof/pica"
)

// A Machine executes the vertices of a job, one run at a time and one instruction a
// call.
type Machine struct {
	resolve Resolver
	profile pica.Profile // of the newest job
	base    *Rules       // of profile; nil before the first job
	rules   *Rules       // of the present instruction

	// The job.
	job         *pica.Job
	budget      int
	code        [pica.MaxCode]uint32
	words       int // of the program; those behind it are 0
	descriptors [pica.MaxDescriptors]uint32
	initial     pica.State // before the first vertex
	floats      [pica.NumFloats]uniform
	ints        [pica.NumInts][4]uint8
	bools       uint16

	// Registers.
	inputs [pica.NumInputs]pica.Vec4
	ones   pica.Vec4 // (1, 1, 1, 1)
	zeros  pica.Vec4 // (0, 0, 0, 0)
	regs   RegisterFile

	// The run.
	at         Control
	steps      int
	ended      bool
	hazards    []pica.Trap
	primitives []pica.Primitive
	warned     [pica.MaxCode]bool // the words in hazards
	moved      bool               // the previous instruction was MOVA

	lanesWritten [pica.NumTemporaries]uint8 // by this run, of r0-r15

	// The current instruction.
	desc   uint32
	mask   uint8
	record pica.Step
}

// uniform is a float uniform. The first instruction that reads it converts it: jobs supply many that no instruction reads.
type uniform struct {
	value pica.Vec4
	raw   bool // value has its format still
	from  pica.NumberFormat
}

// A Resolver makes the rules of a profile. Each machine needs rules of its own, since
// they may hold state. The error wraps [pica.ErrUnsupportedProfile].
type Resolver func(p *pica.Profile) (*Rules, error)

// NewMachine returns a machine with the rules that resolve makes.
func NewMachine(resolve Resolver) *Machine { return &Machine{resolve: resolve} }

// prepare checks the job, copies its program and uniforms, and makes rules if the profile is new.
func (m *Machine) prepare(job *pica.Job) error {
	if err := validate(job); err != nil {
		return err
	}
	if m.base == nil || m.profile != job.Profile {
		rules, err := m.resolve(&job.Profile)
		if err != nil {
			return err
		}
		m.base, m.profile = rules, job.Profile
		m.ones = Broadcast(rules.Unit.One)
	}
	m.job, m.rules = job, m.base
	if m.budget = job.Budget; m.budget == 0 {
		m.budget = pica.DefaultBudget
	}
	// Words and descriptors that the job does not supply are 0.
	words := copy(m.code[:], job.Code)
	clear(m.code[words:max(words, m.words)])
	m.words = words
	clear(m.descriptors[copy(m.descriptors[:], job.Descriptors):])
	m.ints, m.bools = job.Ints, job.Bools
	m.initial = m.initialState()
	m.floats = [pica.NumFloats]uniform{}
	for _, up := range job.Floats {
		for i, v := range up.Values {
			if i >= pica.NumFloats-up.Register {
				break // the console ignores registers beyond the last (Azahar)
			}
			m.floats[up.Register+i] = uniform{v, true, up.Format}
		}
	}
	return nil
}

// float returns float uniform n.
func (m *Machine) float(n int) *pica.Vec4 {
	c := &m.floats[n]
	if c.raw {
		c.value, c.raw = m.upload(c.value, c.from, n, m.base.Upload.Float), false
	}
	return &c.value
}

// upload converts a vector from a format to the format of registers, as register n receives it.
func (m *Machine) upload(v pica.Vec4, from pica.NumberFormat, n int,
	after func(u *Unit, n int, from pica.NumberFormat, v pica.Vec4) pica.Vec4) pica.Vec4 {
	u := &m.base.Unit
	convert := u.Ops.FromFloat32
	if from == pica.Float24 {
		convert = u.Ops.FromRaw24
	}
	for i := range v {
		v[i] = convert(u, v[i])
	}
	if after != nil {
		return after(u, n, from, v)
	}
	return v
}

// initialState returns the state before the first vertex, without bits above the format.
func (m *Machine) initialState() (s pica.State) {
	if m.job.Initial == nil {
		return s
	}
	s = *m.job.Initial
	valid := m.rules.Unit.Sign | (m.rules.Unit.Sign - 1) // the sign, and all bits below it
	for _, bank := range [][]pica.Vec4{s.O[:], s.R[:]} {
		for i := range bank {
			for lane := range bank[i] {
				bank[i][lane] &= valid
			}
		}
	}
	return s
}

// begin prepares the run of a vertex: inputs, registers, entry point.
func (m *Machine) begin(vertex int) {
	m.rules = m.base
	m.rules.Carry.Inputs(&m.inputs, vertex)
	for i, v := range m.job.Vertices[vertex] {
		m.inputs[i] = m.upload(v, m.job.InputFormat, i, m.rules.Upload.Input)
	}
	m.rules.Carry.Begin(&m.regs, &m.initial, vertex, m.job.Keep)
	m.at = Control{RegisterFile: &m.regs, Rules: m.rules, Job: m.job, PC: m.job.Entry, Vertex: vertex,
		skipped: m.at.skipped[:0], estimated: m.at.estimated[:0]}
	if model := m.rules.Flow.Model; model != nil {
		model.Start(&m.at)
	}
	m.steps, m.ended, m.moved = 0, false, false
	m.hazards, m.primitives = m.hazards[:0], m.primitives[:0]
	if m.rules.Hazards == pica.HazardsWarn {
		m.warned = [pica.MaxCode]bool{}
	}
	m.lanesWritten = [pica.NumTemporaries]uint8{}
}

// validate refuses a job with a count, number or address out of range.
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
	case job.InputFormat >= pica.NumNumberFormats:
		return invalid("input format %d", job.InputFormat)
	}
	for _, up := range job.Floats {
		if up.Register < 0 || up.Format >= pica.NumNumberFormats {
			return invalid("upload to register %d, format %d", up.Register, up.Format)
		}
	}
	for i, v := range job.Vertices {
		if len(v) > pica.NumInputs {
			return invalid("vertex %d: %d registers", i, len(v))
		}
	}
	return nil
}
