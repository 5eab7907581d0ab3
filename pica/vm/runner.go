package vm

import (
	"math/bits"
	"sync"

	"github.com/picaproof/picaproof/pica"
)

// runner is the memory of a run. The lanes come first: an object of this size starts
// at a page, which aligns lane vectors with cache lines.
type runner struct {
	lanes  laneMachine
	engine engine
	job    pica.Job
	stats  Stats
	vertex [pica.NumInputs]pica.Vec4
	one    pica.VertexOutcome
	watch  watch

	outcomes outcomes // the vertices of a job
}

var runners = sync.Pool{New: func() any { return new(runner) }}

// vertices reads the inputs and stores the outputs of a run: of a batch, or of a job and its outcome.
type vertices interface {
	// input returns the input registers of a vertex, in scratch if they need conversion.
	input(k int, scratch *[pica.NumInputs]pica.Vec4) []pica.Vec4
	// load fills the lanes with n vertices from first on, and reports whether native
	// arithmetic can compute with them.
	load(r *runner, first, n int) bool
	// store takes the results of all lanes but those in down.
	store(r *runner, first, n int, down uint64)
	// outcome returns where the scalar tier stores the state of a vertex.
	outcome(r *runner, k int) *pica.VertexOutcome
	// scalar takes the state that the scalar tier stored.
	scalar(r *runner, k int, v *pica.VertexOutcome)
}

// wanted says which results of vertices are wanted besides their outputs.
type wanted struct {
	counts  bool // traps and instruction counts
	remarks bool // hazards that end no run, and ignored instructions
}

// run executes the program of r.engine.
func (r *runner) run(job *pica.Job, io vertices, count int, tier Tier, want wanted) error {
	e, c := &r.engine, r.engine.code
	e.load(job)
	r.stats = Stats{}
	budget := job.Budget
	if budget == 0 {
		budget = pica.DefaultBudget
	}
	if tier == TierAuto || tier > fastest() {
		tier = fastest()
	}
	if tier == TierScalar {
		return r.runScalar(job, io, 0, count, budget)
	}
	p := c.planOf()
	if p.reason != 0 {
		r.stats.HandedDown[p.reason] += count
		return r.runScalar(job, io, 0, count, budget)
	}
	x := chunk{code: c, budget: budget, counts: want.counts}
	m := &r.lanes
	m.score.prepare(p, job, e.machine.address, 32*min(count, tapeSteps/32), want.remarks)
	need := m.score.initial(c)
	native := r.startLanes(p, job, &need) && tier == TierNative && p.native
	each := [2]uint64{need[0] & p.written[0], need[1] & p.written[1]}
	for at, pause := 0, 0; at < count; {
		n := min(laneCount, count-at)
		m.n, m.all = n, 1<<n-1
		m.whole = m.all | ignoreWhole
		m.bytes = uint64(n+31) / 32 * 128
		plain := io.load(r, at, n)
		x.native = native && plain
		ran := TierBatch
		if x.native {
			ran = TierNative
		} else if tier == TierNative {
			r.stats.HandedDown[ReasonArithmetic] += n
		}
		r.reset(p, &each)
		down, interrupted := m.run(&x, &r.watch)
		if m.status != 0 {
			r.stats.HandedDown[ReasonArithmetic] += n
			m.status = 0
			x.native, ran = false, TierBatch
			r.reset(p, &each)
			down, interrupted = m.run(&x, &r.watch)
		}
		if interrupted {
			return pica.ErrInterrupted
		}
		io.store(r, at, n, down)
		lost := bits.OnesCount64(down)
		r.stats.Vertices[ran] += n - lost
		for reason, n := range m.lost {
			r.stats.HandedDown[reason] += n
		}
		for ; down != 0; down &= down - 1 {
			k := at + bits.TrailingZeros64(down)
			if err := r.runScalar(job, io, k, k+1, budget); err != nil {
				return err
			}
		}
		at += n
		if lost < n {
			pause = 0
			continue
		}
		pause = min(4*(pause+laneCount), count-at) // lanes likely lose what follows, too
		r.stats.HandedDown[ReasonPause] += pause
		if err := r.runScalar(job, io, at, at+pause, budget); err != nil {
			return err
		}
		at += pause
	}
	return nil
}

// runScalar runs a range of vertices one by one.
func (r *runner) runScalar(job *pica.Job, io vertices, first, end, budget int) error {
	e := &r.engine
	inputs := e.code.converter(job.InputFormat)
	for k := first; k < end; k++ {
		e.resetRegisters()
		e.loadInputs(io.input(k, &r.vertex), inputs)
		v := io.outcome(r, k)
		if !e.runVertex(job.Entry, budget, v, &r.watch) {
			return pica.ErrInterrupted
		}
		io.scalar(r, k, v)
	}
	r.stats.Vertices[TierScalar] += end - first
	return nil
}

// startLanes loads uniforms and initial values into the lanes: of the components that
// need them, and of untouched components that are stored. It reports whether native
// arithmetic can compute with them.
func (r *runner) startLanes(p *plan, job *pica.Job, need *[2]uint64) bool {
	m, e := &r.lanes, &r.engine
	for k := range rowLiteral {
		m.rows[k] = *e.machine.vec(slotUniform + k)
	}
	m.rows[rowLiteral], m.rows[rowBound] = literals[0], literals[1]
	m.model = e.code.model
	m.n, m.status, m.mask = laneCount, 0, 0
	plain := true
	for _, u := range job.Floats { // uniforms without an upload are zero
		first := min(u.Register, pica.NumFloats)
		for _, row := range m.rows[first : first+min(len(u.Values), pica.NumFloats-first)] {
			for _, v := range row {
				plain = plain && plainNumber(m.model, v)
			}
		}
	}
	var shown [2]uint64
	for k := range pica.NumOutputs {
		if job.OutMask>>k&1 != 0 {
			shown[1] |= 0xF << (4 * k)
		}
	}
	for _, slot := range e.code.written { // an outcome shows all components
		if slot < slotUniform {
			shown[0] |= 0xF << (4 * (slot - slotTemporary))
		} else if slot < slotOther {
			shown[1] |= 0xF << (4 * (slot - slotOutput))
		}
	}
	for bank := range shown {
		shown[bank] = need[bank] | shown[bank]&^p.touched[bank]
	}
	return r.fill(&shown) && plain
}

// fill sets components of r and o to their initial values in all lanes in use. It
// reports whether native arithmetic can compute with them.
func (r *runner) fill(components *[2]uint64) bool {
	plain := true
	m, start := &r.lanes, &r.engine.start
	for bank, slot := range [2]int{slotTemporary, slotOutput} {
		to := [2]int{slotTemporary, laneOutput}[bank]
		for set := components[bank]; set != 0; set &= set - 1 {
			k := bits.TrailingZeros64(set)
			v := start[4*slot+k]
			plain = plain && plainNumber(m.model, v)
			m.file[4*to+k].spread(v)
		}
	}
	return plain
}

// spread sets all lanes to one value, nearly always the initial value of r or o.
func (d *laneVec) spread(v uint32) {
	switch v {
	case 0:
		clear(d[:])
	case one32:
		*d = ones
	default:
		for l := range d {
			d[l] = v
		}
	}
}

var ones = func() (v laneVec) {
	for l := range v {
		v[l] = one32
	}
	return v
}()

// reset prepares the lanes for the next chunk.
func (r *runner) reset(p *plan, each *[2]uint64) {
	m, e := &r.lanes, &r.engine
	r.fill(each)
	e.resetFlags()
	for k := range m.cc {
		m.cc[k] = -uint64(e.machine.cc >> k & 1)
	}
	if p.moves {
		for k := pica.IndexA0X; k <= pica.IndexA0Y; k++ {
			for l := range m.address[k] {
				m.address[k][l] = uint32(e.machine.address[k])
			}
		}
	}
}

// pad copies the last lane in use to the lanes behind it that native code computes with it.
func (m *laneMachine) pad(v *laneVec) {
	if last := v[(m.n-1)&63]; m.n < laneCount {
		for l := m.n; l < int(m.bytes/4); l++ {
			v[l] = last
		}
	}
}
