package oracle

import (
	"fmt"

	"github.com/picaproof/picaproof/pica"
)

// A Machine is a shader unit that runs one vertex of a job, one instruction a
// call. The zero Machine is ready for Load.
type Machine struct {
	rules   *Rules // nil until a program is loaded
	unit    Unit
	support [pica.NumOpcodes]pica.Support

	// The program and its uniforms.
	job         *pica.Job
	stage       pica.Stage
	outMask     uint16
	entry       int
	budget      int
	code        [pica.MaxCode]uint32
	descriptors [pica.MaxDescriptors]uint32
	initial     pica.State // before the first vertex
	floats      [pica.NumFloats]pica.Vec4
	ints        [pica.NumInts][4]uint8
	bools       uint16
	rejected    bool // the implementation refuses the program as a whole

	// The unit.
	inputs [pica.NumInputs]pica.Vec4
	ones   pica.Vec4 // (1, 1, 1, 1)
	zeros  pica.Vec4 // (0, 0, 0, 0)
	regs   Registers

	// The run.
	at         Control // the addresses of this instruction and the next
	steps      int
	ended      bool
	cause      pica.Trap
	refused    bool // the implementation goes no further
	refusal    pica.Refusal
	skipped    []pica.Opcode
	estimated  []pica.Opcode
	hazards    []pica.Trap
	primitives []pica.Primitive
	warned     [pica.MaxCode]bool         // words that are in hazards
	moved      bool                       // the instruction before was MOVA
	written    [pica.NumTemporaries]uint8 // lanes that this run wrote
	special    pica.Registers             // the same for a0, aL, cc
	unwritten  pica.Registers             // read before written

	// The current instruction.
	word, desc uint32
	op         pica.Opcode
	mask       uint8
	record     pica.Step

	flow       flow
	rings      rings
	panda      panda
	unified    unified
	structured structured
}

// Load prepares the run of job's vertex with number vertex. Earlier vertices
// run first where their state carries over. It returns an error like
// [pica.Engine.Run]'s. The job must not change while the machine runs.
func (m *Machine) Load(job *pica.Job, vertex int) error {
	if vertex < 0 || vertex >= len(job.Vertices) {
		return fmt.Errorf("%w: no vertex %d", pica.ErrInvalidJob, vertex)
	}
	if err := m.load(job); err != nil {
		return err
	}
	if job.Keep || job.Stage == pica.Geometry {
		for i := range vertex {
			m.begin(i)
			for m.step() {
			}
		}
	}
	m.begin(vertex)
	return nil
}

// Step executes one instruction and returns its record, which is valid until
// the next call; nil once the run has ended.
func (m *Machine) Step() *pica.Step {
	if !m.step() {
		return nil
	}
	m.record.Scopes = m.flow.scopes()
	return &m.record
}

// State returns the registers and stacks as they stand.
func (m *Machine) State() *pica.State { return &m.regs.State }

// load takes over the program, the uniforms and the profile.
func (m *Machine) load(job *pica.Job) error {
	if err := validate(job); err != nil {
		return err
	}
	if m.rules == nil {
		m.rules = &reference
	}
	m.unit.Ops = m.rules.Arithmetic
	m.unit.Format = Float24
	if job.Profile.Knobs[pica.KnobStorage] == pica.StorageF32 {
		m.unit.Format = Binary32
	}
	m.ones = broadcast(m.unit.One)
	m.unit.Knobs, m.support = job.Profile.Knobs, job.Profile.Support
	m.job, m.stage, m.outMask, m.entry = job, job.Stage, job.OutMask, job.Entry
	if m.budget = job.Budget; m.budget == 0 {
		m.budget = pica.DefaultBudget
	}
	clear(m.code[copy(m.code[:], job.Code):]) // what is not supplied is 0
	clear(m.descriptors[copy(m.descriptors[:], job.Descriptors):])
	m.ints, m.bools = job.Ints, job.Bools
	m.initial = m.initialState()
	m.floats = [pica.NumFloats]pica.Vec4{}
	for _, up := range job.Floats {
		for i, v := range up.Values {
			if i >= pica.NumFloats-up.Register {
				break // the console ignores registers beyond the last (Azahar)
			}
			m.floats[up.Register+i] = m.upload(v, up.Form)
		}
	}
	switch m.unit.Knobs[pica.KnobFlow] {
	case pica.FlowPanda:
		m.flow = &m.panda
	case pica.FlowUnified:
		m.flow = &m.unified
	case pica.FlowStructured, pica.FlowStructuredPanda:
		m.flow = &m.structured
	default:
		m.flow = &m.rings
	}
	m.at.Registers, m.at.Rules, m.at.Knobs = &m.regs, &m.rules.Flow, &m.unit.Knobs
	m.rejected = !m.flow.load(m) || len(job.Code) > m.top() && m.unit.Knobs[pica.KnobProgramEnd] != pica.ProgramEnd4095
	return nil
}

// upload converts a vector to the storage format.
func (m *Machine) upload(v pica.Vec4, form pica.Form) pica.Vec4 {
	convert := m.unit.Ops.FromFloat32
	if form == pica.Raw24 {
		convert = m.unit.Ops.FromRaw24
	}
	for i := range v {
		v[i] = convert(&m.unit, v[i])
	}
	return v
}

// begin sets the unit up for a vertex: entry point, inputs, registers.
func (m *Machine) begin(vertex int) {
	m.rules.Carry.Inputs(&m.inputs, vertex)
	for i, v := range m.job.Vertices[vertex] {
		m.inputs[i] = m.upload(v, m.job.InputForm)
	}
	m.rules.Carry.Begin(&m.regs, &m.initial, vertex, m.job.Keep)
	switch m.unit.Knobs[pica.KnobReset] {
	case pica.ResetCC: // Citra
		m.regs.CC = [2]bool{}
	case pica.ResetCCIndex: // Mikage
		m.regs.CC, m.regs.Address, m.regs.AL = [2]bool{}, [2]int32{}, 0
	}
	m.flow.start(m)
	m.refused, m.refusal = m.rejected, m.job.Profile.Refusal
	if m.unit.Knobs[pica.KnobProgramEnd] == pica.ProgramEndAbort1024 {
		m.refusal = pica.RefusalUnknown // Mikage
	}
	m.at.PC, m.steps, m.ended, m.cause, m.moved = m.entry, 0, false, pica.Trap{}, false
	m.skipped, m.estimated, m.hazards, m.primitives = m.skipped[:0], m.estimated[:0], m.hazards[:0], m.primitives[:0]
	m.warned = [pica.MaxCode]bool{}
	m.written, m.special, m.unwritten = [pica.NumTemporaries]uint8{}, 0, 0
}

// initialState returns the state before the first vertex.
func (m *Machine) initialState() (s pica.State) {
	if m.job.Initial == nil {
		return s
	}
	s = *m.job.Initial
	valid := m.unit.Sign<<1 - 1
	for i := range s.O {
		for k := range 4 {
			s.O[i][k] &= valid
			s.R[i][k] &= valid
		}
	}
	return s
}

// carry is the table of the oracle itself.
var carry = Carry{Begin: begin, Inputs: noInputs}

// begin empties the stacks and the emitter for every vertex. The second output
// bank starts at zero, whatever the initial state is.
func begin(r *Registers, initial *pica.State, vertex int, keep bool) {
	if vertex == 0 || !keep {
		r.State, r.OtherBank = *initial, [pica.NumOutputs]pica.Vec4{}
	}
	r.Stacks, r.Emitter = pica.Stacks{}, Emitter{}
}

// noInputs: inputs that are not given are +0.
func noInputs(v *[pica.NumInputs]pica.Vec4, _ int) { *v = [pica.NumInputs]pica.Vec4{} }

// step executes one instruction, or records a trap. It reports false once the
// run has ended.
func (m *Machine) step() bool {
	if m.ended {
		return false
	}
	m.record = pica.Step{Index: m.steps, PC: m.at.PC, Next: m.at.PC, State: &m.regs.State}
	if m.steps < m.budget {
		m.flow.arrive(m)
		m.record.PC = m.at.PC
	}
	if m.fetch() && m.admit() && m.operands() && m.hazard() && m.execute() {
		m.complete()
	}
	if m.ended && m.stage == pica.Geometry {
		m.bools = m.rules.Emission.Bools(m.bools)
	}
	return true
}

// complete ends an instruction that did not trap.
func (m *Machine) complete() {
	m.flow.finish(m)
	m.steps++
	m.moved = m.op == pica.MOVA
	m.at.PC = m.at.Next
	m.record.Next, m.record.Ended = m.at.Next, m.ended
}

// trap ends the run before the current instruction has any effect.
func (m *Machine) trap(cause pica.Cause) bool {
	m.ended = true
	m.cause = pica.Trap{Cause: cause, PC: m.at.PC}
	m.record.Ended, m.record.Trap = true, m.cause
	return false
}

// refuse is the trap where the implementation is known not to go on.
func (m *Machine) refuse(how pica.Refusal) bool {
	m.trap(pica.TrapUnsupported)
	m.cause.Refusal, m.record.Trap.Refusal = how, how
	return false
}

// fetch reads the word at pc.
func (m *Machine) fetch() bool {
	switch {
	case m.steps >= m.budget:
		return m.trap(pica.TrapBudget)
	case m.refused:
		return m.refuse(m.refusal)
	case m.at.PC < m.top():
		m.word = m.code[m.at.PC]
	case m.unit.Knobs[pica.KnobProgramEnd] == pica.ProgramEnd4095:
		m.word = uint32(pica.END) << 26 // Azahar
	case m.unit.Knobs[pica.KnobProgramEnd] == pica.ProgramEndTrap:
		return m.trap(pica.TrapPCRange) // unknown on the console
	default:
		return m.trap(pica.TrapUnsupported)
	}
	m.record.Word = m.word
	m.op, m.at.Next = m.rules.Encoding.Opcode(m.word), m.at.PC+1
	return true
}

// top returns the number of words that can run.
func (m *Machine) top() int {
	switch m.unit.Knobs[pica.KnobProgramEnd] {
	case pica.ProgramEnd4095, pica.ProgramEndAbort4095:
		return 4095
	case pica.ProgramEndAbort1024:
		return 1024
	}
	return pica.MaxCode
}

// admit applies the profile's support table.
func (m *Machine) admit() bool {
	switch m.support[m.word>>26] {
	case pica.SupportAbort:
		return m.refuse(m.job.Profile.Refusal)
	case pica.SupportSkip:
		m.skip()
		m.op, m.record.Skipped = pica.NOP, true
	}
	if !m.rules.Encoding.Shapes[m.op].known {
		return m.trap(pica.TrapReserved) // unknown on the console
	}
	indexed := m.rules.Encoding.Shapes[m.op].Layout != nil && m.rules.Encoding.Shapes[m.op].Layout.Index.of(m.word) != pica.IndexNone
	if indexed && m.unit.Knobs[pica.KnobIndexedOps] == pica.IndexedOpsAbort {
		switch m.op {
		case pica.MAX, pica.MIN, pica.RCP, pica.RSQ, pica.CMP:
			return m.refuse(m.job.Profile.Refusal) // Panda3DS's interpreter
		}
	}
	return true
}

// hazard watches for what consoles get wrong.
func (m *Machine) hazard() bool {
	rule, cause := m.unit.Knobs[pica.KnobHazards], pica.TrapNone
	switch {
	case rule == pica.HazardsOff:
		return true
	case m.op == pica.MOVA && m.moved:
		cause = pica.TrapHang // two in a row freeze (picasso)
	case m.inputsDiffer():
		cause = pica.TrapUnreliableInput // (picasso)
	}
	if cause == pica.TrapNone {
		return true
	}
	if rule == pica.HazardsTrap {
		return m.trap(cause)
	}
	if !m.warned[m.at.PC] {
		m.warned[m.at.PC] = true
		m.hazards = append(m.hazards, pica.Trap{Cause: cause, PC: m.at.PC})
	}
	return true
}

// inputsDiffer reports whether the sources name two different input registers.
func (m *Machine) inputsDiffer() bool {
	s := &m.rules.Encoding.Shapes[m.op]
	first := -1
	for k := range s.Number {
		n := s.Layout.Sources[k].of(m.word)
		if n < pica.SourceTemporary && first >= 0 && n != first {
			return true
		}
		if n < pica.SourceTemporary {
			first = n
		}
	}
	return false
}
