package vm

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// engine runs jobs. It keeps the last program and reuses all memory.
type engine struct {
	own     Code // code points to it unless code is shared
	code    *Code
	tier    Tier
	wide    *runner // the memory of tiers that run many vertices together
	machine machine
	initial pica.State // of the job, without stacks
	start   file       // the register file with the initial state
	read    int        // number of input registers of the previous vertex
}

// New returns an engine. It is not safe for use by several goroutines at once. It
// compiles a job only if program, stage or profile differ from the job before.
//
// It runs most jobs on the fastest tier for them. A fixed share of the programs, the
// same ones every time, runs on each of the other tiers.
func New() pica.Engine { return NewTier(TierAuto) }

// NewTier returns an engine that uses no higher tier than the one given.
func NewTier(t Tier) pica.Engine {
	e := &engine{tier: t}
	e.code = &e.own
	return e
}

// Name returns "vm".
func (e *engine) Name() string { return "vm" }

// Run executes a job, see [pica.Engine].
func (e *engine) Run(job *pica.Job, out *pica.Outcome) error { return e.RunWhile(job, out, nil) }

// RunWhile executes a job while proceed reports true, see [pica.Interruptible].
func (e *engine) RunWhile(job *pica.Job, out *pica.Outcome, proceed func() bool) error {
	if err := admit(job); err != nil {
		return fmt.Errorf("vm: %w: %w", pica.ErrInvalidJob, err)
	}
	if !e.code.compiledFrom(&job.Program, job.Stage, &job.Profile) {
		if err := e.code.compile(job.Program, job.Stage, &job.Profile); err != nil {
			return err
		}
	}
	out.Storage = e.code.model.format()
	if tier := e.choose(job); tier > TierScalar {
		if e.wide == nil {
			e.wide = new(runner)
		}
		e.wide.engine.code = e.code
		e.wide.watch = watch{proceed: proceed, left: interval}
		return e.wide.runJob(job, out, tier)
	}
	e.load(job)
	out.Vertices = slices.Grow(out.Vertices[:0], len(job.Vertices))[:len(job.Vertices)]
	budget := job.Budget
	if budget == 0 {
		budget = pica.DefaultBudget
	}
	inputs := e.code.converter(job.InputFormat)
	watch := watch{proceed: proceed, left: interval}
	for k, v := range job.Vertices {
		if k > 0 && !job.Keep {
			e.resetRegisters()
		}
		e.loadInputs(v, inputs)
		if !e.runVertex(job.Entry, budget, &out.Vertices[k], &watch) {
			return pica.ErrInterrupted
		}
	}
	out.Bools = e.machine.bools
	return nil
}

// choose returns the tier for a job.
func (e *engine) choose(job *pica.Job) Tier {
	switch {
	case job.Keep || job.Stage != pica.Vertex:
		return TierScalar // vertices depend on each other
	case e.tier != TierAuto:
		return e.tier
	}
	shared := uint32(0)
	for _, word := range job.Code {
		shared = (shared ^ word) * 0x01000193
	}
	switch shared >> 26 { // few vertices cost twice as much on lanes: one job in 64 on each tier
	case 0:
		return TierScalar
	case 1:
		return TierBatch
	case 2:
		return TierNative
	}
	if len(job.Vertices) < minLanes {
		return TierScalar
	}
	return TierNative
}

// load loads uniforms and the initial state.
func (e *engine) load(job *pica.Job) {
	x, c := &e.machine, e.code
	x.file = file{}
	for slot := slotOnes; slot < slotOutput; slot++ {
		*x.vec(slot) = pica.Vec4{one32, one32, one32, one32}
	}
	for _, u := range job.Floats {
		convert := c.converter(u.Format)
		for k := range u.Values {
			register := u.Register + k
			if register >= pica.NumFloats {
				break
			}
			convert.convert(x.vec(slotUniform+register), &u.Values[k])
		}
	}
	x.ints, x.bools = job.Ints, job.Bools
	x.emitter.mask, x.emitter.model = job.OutMask, c.model
	x.emitter.forget()
	e.read = 0
	e.initial = pica.State{}
	if job.Initial != nil {
		e.initial = *job.Initial
		e.initial.Stacks = pica.Stacks{}
		for slot := slotTemporary; slot < slotUniform; slot++ {
			e.loadInitial(slot)
		}
		for slot := slotOutput; slot < slotOther; slot++ {
			e.loadInitial(slot)
		}
	}
	e.start = x.file
	e.resetFlags()
}

// admit returns an error for a job that is invalid, whatever its program.
func admit(job *pica.Job) error {
	if job.Entry < 0 || job.Entry >= pica.MaxCode {
		return fmt.Errorf("entry point %d", job.Entry)
	}
	if job.Budget < 0 {
		return fmt.Errorf("budget of %d", job.Budget)
	}
	if job.InputFormat >= pica.NumNumberFormats {
		return fmt.Errorf("input format %d", job.InputFormat)
	}
	for _, u := range job.Floats {
		if u.Register < 0 || u.Format >= pica.NumNumberFormats {
			return fmt.Errorf("upload to register %d in format %d", u.Register, u.Format)
		}
	}
	for k, v := range job.Vertices {
		if len(v) > pica.NumInputs {
			return fmt.Errorf("%d input registers for vertex %d", len(v), k)
		}
	}
	return nil
}

// register returns where a state keeps the register of a slot.
func register(s *pica.State, slot int) *pica.Vec4 {
	if slot < slotUniform {
		return &s.R[slot-slotTemporary]
	}
	return &s.O[slot-slotOutput]
}

// loadInitial sets a register to its initial value, without the bits that the storage
// format lacks.
func (e *engine) loadInitial(slot int) {
	bits, patterns := register(&e.initial, slot), e.machine.vec(slot)
	e.code.model.load(patterns, bits)
	e.code.model.store(bits, patterns)
}

// resetRegisters restores the initial state after a vertex.
func (e *engine) resetRegisters() {
	for _, slot := range e.code.written {
		copy(e.machine.file[4*int(slot):][:4], e.start[4*int(slot):][:4])
	}
	if e.code.stage == pica.Geometry {
		clear(e.machine.file[4*slotOther : 4*slotScratch])
		e.machine.emitter.forget()
	}
	e.resetFlags()
}

func (e *engine) resetFlags() {
	x := &e.machine
	x.address = [4]int32{pica.IndexA0X: e.initial.Address[0], pica.IndexA0Y: e.initial.Address[1],
		pica.IndexAL: e.initial.AL}
	x.cc = 0
	for k, set := range e.initial.CC {
		if set {
			x.cc |= 1 << k
		}
	}
}

// loadInputs sets the input registers that the program reads.
func (e *engine) loadInputs(v []pica.Vec4, c converter) {
	x := &e.machine
	for k := len(v); k < e.read; k++ {
		*x.vec(slotInput + k) = pica.Vec4{}
	}
	e.read = len(v)
	for k := range v {
		if e.code.inputs>>k&1 == 0 {
			continue
		}
		c.convert(x.vec(slotInput+k), &v[k])
	}
}

// interval is the number of instructions between two calls of proceed.
const interval = 1 << 14

// watch counts the instructions of a job until the next call of proceed.
type watch struct {
	proceed func() bool // nil if the run cannot be interrupted
	left    int         // instructions until the next call
}

// execute runs the program from entry until END or a trap. It reports false
// when proceed ends the run first.
func (x *machine) execute(c *Code, entry, budget int, w *watch) (steps int, trap pica.Trap, completed bool) {
	x.lastMova = -2
	if w.proceed == nil {
		steps, trap = x.run(c, entry, 0, budget)
		return steps, trap, true
	}
	for trap.PC = entry; ; {
		before := steps
		steps, trap = x.run(c, trap.PC, steps, steps+min(w.left, budget-steps))
		if w.left -= max(steps-before, 1); w.left == 0 { // a vertex that ends at once counts, too
			if w.left = interval; !w.proceed() {
				return steps, trap, false
			}
		}
		if trap.Cause != pica.TrapBudget || steps == budget {
			return steps, trap, true
		}
	}
}

// runVertex runs the program once and stores the final state. It reports false if
// the run was interrupted.
func (e *engine) runVertex(entry, budget int, v *pica.VertexOutcome, w *watch) (completed bool) {
	x := &e.machine
	x.stacks = pica.Stacks{}
	x.reports.reset(v.Skipped, v.Hazards)
	x.emitter.primitives = v.Primitives[:0]

	v.Steps, v.Trap, completed = x.execute(e.code, entry, budget, w)
	if e.code.stage == pica.Geometry {
		x.bools |= 1 << 15
	}

	v.Primitives, v.Skipped, v.Hazards = x.emitter.primitives, x.reports.skipped, x.reports.hazards
	v.Uninitialised = 0
	v.State = e.initial
	format := e.code.model.format()
	for _, slot := range e.code.written {
		format.NarrowVector(register(&v.State, int(slot)), x.vec(int(slot)))
	}
	v.Address = [2]int32{x.address[pica.IndexA0X], x.address[pica.IndexA0Y]}
	v.AL = x.address[pica.IndexAL]
	v.CC = [2]bool{x.cc&1 != 0, x.cc&2 != 0}
	v.Stacks = x.stacks
	return completed
}
