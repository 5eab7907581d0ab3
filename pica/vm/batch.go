package vm

import (
	"errors"
	"fmt"
	"math/bits"
	"os"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/picaproof/picaproof/pica"
)

// Tier is a way to execute a program. All of them compute the same bits.
type Tier uint8

// The tiers, from the slowest.
const (
	TierAuto   Tier = iota // the fastest tier of the host
	TierScalar             // one vertex at a time
	TierBatch              // 64 vertices side by side
	TierNative             // 64 vertices side by side, with vector instructions
	NumTiers
)

var tierNames = [NumTiers]string{"auto", "scalar", "batch", "native"}

// String returns "native", say.
func (t Tier) String() string {
	if t < NumTiers {
		return tierNames[t]
	}
	return fmt.Sprintf("Tier(%d)", uint8(t))
}

// TierVariable is the environment variable that names the highest tier to use.
const TierVariable = "PICAPROOF_VM_TIER"

// Native reports whether this host runs the native tier.
func Native() bool { return fastest() == TierNative }

var fastest = sync.OnceValue(func() Tier {
	t := TierBatch
	if haveNative {
		t = TierNative
	}
	if limit, err := HighestTier(); err == nil {
		t = min(t, limit)
	}
	return t
})

// HighestTier returns the tier that [TierVariable] names, or TierNative if it is not
// set. If it names no tier, HighestTier returns an error, and no tier is excluded.
func HighestTier() (Tier, error) {
	name := os.Getenv(TierVariable)
	if name == "" {
		return TierNative, nil
	}
	if k := slices.Index(tierNames[:], name); k > int(TierAuto) {
		return Tier(k), nil
	}
	return 0, fmt.Errorf("%s=%q: want %s", TierVariable, name, strings.Join(tierNames[TierAuto+1:], ", "))
}

// Reason says why vertices were handed to a slower tier.
type Reason uint8

// The reasons. ReasonArithmetic hands vertices from the native to the batch tier,
// every other reason to the scalar tier.
const (
	ReasonNone        Reason = iota
	ReasonGeometry           // a geometry program changes the state of the next vertex
	ReasonBeyond             // the program ran past its last word
	ReasonBudget             // the step budget may run out
	ReasonRemark             // a hazard that ends the run, or a remark that an outcome lists
	ReasonTrap               // an instruction that ends a run, or EMIT
	ReasonInstruction        // an instruction without a lane operation
	ReasonArithmetic         // an infinity, a NaN or a subnormal number as operand or result
	ReasonPause              // lanes lost every vertex of the chunk before
	NumReasons
)

var reasonNames = [NumReasons]string{"none", "geometry", "beyond program", "budget", "remark", "trap",
	"instruction", "arithmetic", "pause"}

// String returns "budget", say.
func (r Reason) String() string {
	if r < NumReasons {
		return reasonNames[r]
	}
	return fmt.Sprintf("Reason(%d)", uint8(r))
}

// Stats counts the vertices that each tier ran to their ends, and by reason the
// vertices that were handed to a slower tier.
type Stats struct {
	Vertices   [NumTiers]int
	HandedDown [NumReasons]int
}

// Add adds the counts of another run.
func (s *Stats) Add(t Stats) {
	for k, n := range t.Vertices {
		s.Vertices[k] += n
	}
	for k, n := range t.HandedDown {
		s.HandedDown[k] += n
	}
}

// Batch is a run of a compiled program over many vertices. The caller owns the memory
// of inputs and outputs. It is organised as rows (all registers of a vertex, then the
// next vertex) or as columns (one component of a register for all vertices).
type Batch struct {
	Count  int // vertices
	Entry  int // word at which vertices start
	Floats []pica.Upload
	Ints   [pica.NumInts][4]uint8
	Bools  uint16
	Budget int // instructions a vertex may execute; 0 means pica.DefaultBudget

	Registers int               // input registers of a vertex, from v0
	Format    pica.NumberFormat // of the inputs
	Rows      []pica.Vec4       // vertex*Registers + register
	Columns   [][]uint32        // 4*register + component, then vertex; instead of Rows; nil counts as zeros

	OutMask    uint16            // output registers to store, ascending
	OutFormat  pica.NumberFormat // of the outputs; Float24 only where registers hold it
	OutRows    []pica.Vec4
	OutColumns [][]uint32 // instead of OutRows; a nil column is not stored

	Traps []pica.Trap // by vertex: how it ended; may be nil
	Steps []int       // by vertex: instructions executed; may be nil

	Tier    Tier        // the highest tier to use
	Proceed func() bool // called at intervals; the run ends when it reports false
}

// ErrInvalidBatch: slices that are too short, or a format that does not fit.
var ErrInvalidBatch = errors.New("invalid batch")

// check returns an error for slices and formats that do not fit; the rest is checked as for a job.
func (b *Batch) check(c *Code) error {
	outputs := bits.OnesCount16(b.OutMask)
	holds := func(rows []pica.Vec4, registers int) bool { return registers == 0 || b.Count <= len(rows)/registers }
	switch {
	case b.Count < 0 || b.Registers < 0 || b.Registers > pica.NumInputs:
		return fmt.Errorf("%d vertices of %d registers", b.Count, b.Registers)
	case b.Columns == nil && !holds(b.Rows, b.Registers):
		return fmt.Errorf("%d rows for %d vertices of %d registers", len(b.Rows), b.Count, b.Registers)
	case b.Columns != nil && len(b.Columns) < 4*b.Registers:
		return fmt.Errorf("%d columns for %d registers", len(b.Columns), b.Registers)
	case b.OutColumns == nil && !holds(b.OutRows, outputs):
		return fmt.Errorf("%d rows for %d vertices of %d outputs", len(b.OutRows), b.Count, outputs)
	case b.OutColumns != nil && len(b.OutColumns) < 4*outputs:
		return fmt.Errorf("%d columns for %d outputs", len(b.OutColumns), outputs)
	case b.OutFormat != pica.Float32 && b.OutFormat != c.model.format():
		return fmt.Errorf("outputs in %v of a profile with %v", b.OutFormat, c.model.format())
	case b.Columns == nil && b.OutColumns == nil && overlap(b.Rows, b.OutRows):
		return errors.New("rows of inputs and outputs overlap")
	case b.Traps != nil && len(b.Traps) < b.Count || b.Steps != nil && len(b.Steps) < b.Count:
		return fmt.Errorf("%d traps and %d steps for %d vertices", len(b.Traps), len(b.Steps), b.Count)
	}
	for _, list := range [][][]uint32{b.Columns, b.OutColumns} {
		for k, column := range list {
			if column != nil && len(column) < b.Count {
				return fmt.Errorf("column %d holds %d of %d vertices", k, len(column), b.Count)
			}
		}
	}
	for k, out := range b.OutColumns {
		if n := slices.IndexFunc(b.Columns, func(in []uint32) bool { return overlap(in, out) }); n >= 0 {
			return fmt.Errorf("column %d of the inputs and column %d of the outputs overlap", n, k)
		}
	}
	return nil
}

// overlap reports whether two slices have memory in common.
func overlap[T any](a, b []T) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	size := unsafe.Sizeof(a[0])
	p, q := uintptr(unsafe.Pointer(&a[0])), uintptr(unsafe.Pointer(&b[0]))
	return p < q+size*uintptr(len(b)) && q < p+size*uintptr(len(a))
}

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

// Run executes the program for every vertex of a batch. Several goroutines may run
// batches of one program at once. Memory is reused, so that runs soon allocate
// nothing. If the error wraps ErrInvalidBatch or pica.ErrInvalidJob, nothing was run;
// otherwise it is pica.ErrInterrupted.
func (c *Code) Run(b *Batch) (Stats, error) {
	if err := b.check(c); err != nil {
		return Stats{}, fmt.Errorf("vm: %w: %w", ErrInvalidBatch, err)
	}
	r := runners.Get().(*runner)
	defer runners.Put(r)
	r.job = pica.Job{Entry: b.Entry, OutMask: b.OutMask, Floats: b.Floats, Ints: b.Ints, Bools: b.Bools,
		InputFormat: b.Format, Budget: b.Budget}
	if err := admit(&r.job); err != nil {
		return Stats{}, fmt.Errorf("vm: %w: %w", pica.ErrInvalidJob, err)
	}
	r.watch = watch{proceed: b.Proceed, left: interval}
	r.engine.code = c
	err := r.run(&r.job, b, b.Count, b.Tier, wanted{counts: b.Steps != nil})
	r.job.Floats = nil
	return r.stats, err
}

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

func (b *Batch) input(k int, scratch *[pica.NumInputs]pica.Vec4) []pica.Vec4 {
	if b.Columns == nil {
		return b.Rows[k*b.Registers:][:b.Registers]
	}
	for n := range b.Registers {
		for j := range 4 {
			scratch[n][j] = 0
			if column := b.Columns[4*n+j]; column != nil {
				scratch[n][j] = column[k]
			}
		}
	}
	return scratch[:b.Registers]
}

func (b *Batch) load(r *runner, first, n int) bool {
	m, c := &r.lanes, r.engine.code
	plain := true
	convert := c.converter(b.Format)
	for k := range pica.NumInputs {
		if c.inputs>>k&1 == 0 {
			continue
		}
		d := (*[4]laneVec)(m.file[4*k:])
		switch {
		case k >= b.Registers:
			*d = [4]laneVec{}
			continue
		case b.Columns == nil:
			from := b.Rows[first*b.Registers+k:]
			loaded, fit := m.loadRowsNative(d, from, b.Registers, n)
			for l := loaded; l < n; l++ {
				v := &from[l*b.Registers]
				for j := range d {
					d[j][l&63] = v[j]
				}
			}
			if loaded == n && fit && b.Format == pica.Float32 {
				for j := range d {
					m.pad(&d[j])
				}
				continue
			}
		default:
			for j := range d {
				if column := b.Columns[4*k+j]; column != nil {
					copy(d[j][:n], column[first:])
				} else {
					d[j] = laneVec{}
				}
			}
		}
		plain = m.finishLoad(d, convert) && plain
	}
	return plain
}

// finishLoad converts loaded lanes, if they need it, and fills the padding.
func (m *laneMachine) finishLoad(d *[4]laneVec, convert converter) bool {
	plain := true
	for j := range d {
		// Plain numbers need no conversion from binary32.
		if convert.format == pica.Float32 && m.regular(&d[j]) {
			m.pad(&d[j])
			continue
		}
		for l := range m.n {
			v := pica.Vec4{d[j][l&63]}
			convert.convert(&v, &v)
			d[j][l&63] = v[0]
		}
		plain = m.regular(&d[j]) && plain
		m.pad(&d[j])
	}
	return plain
}

func (b *Batch) store(r *runner, first, n int, down uint64) {
	m := &r.lanes
	outputs := bits.OnesCount16(b.OutMask)
	at := 0
	for k := range pica.NumOutputs {
		if b.OutMask>>k&1 == 0 {
			continue
		}
		d := (*[4]laneVec)(m.file[4*(laneOutput+k):])
		switch {
		case b.OutColumns != nil:
			for j := range d {
				if column := b.OutColumns[4*at+j]; column != nil {
					column = column[first:][:n]
					copy(column, d[j][:n])
					if b.OutFormat == pica.Float24 {
						for l, v := range column {
							column[l] = pica.Float24.Narrow(v)
						}
					}
				}
			}
		default:
			rows := b.OutRows[first*outputs+at:]
			stored := 0
			if b.OutFormat == pica.Float32 {
				stored = storeRowsNative(rows, d, outputs, n)
			}
			for l := stored; l < n; l++ {
				to := &rows[l*outputs]
				for j := range d {
					to[j] = d[j][l&63]
				}
				if b.OutFormat == pica.Float24 {
					pica.Float24.NarrowVector(to, to)
				}
			}
		}
		at++
	}
	if b.Traps != nil {
		clear(b.Traps[first:][:n])
	}
	if b.Steps != nil {
		for l := range n {
			if down>>l&1 == 0 {
				_, b.Steps[first+l] = m.ended(l)
			}
		}
	}
}

func (b *Batch) outcome(r *runner, _ int) *pica.VertexOutcome { return &r.one }

func (b *Batch) scalar(r *runner, k int, v *pica.VertexOutcome) {
	outputs, at := bits.OnesCount16(b.OutMask), 0
	for n := range pica.NumOutputs {
		if b.OutMask>>n&1 == 0 {
			continue
		}
		o := v.O[n]
		if b.OutFormat == pica.Float32 {
			r.engine.code.model.load(&o, &v.O[n])
		}
		if b.OutColumns == nil {
			b.OutRows[k*outputs+at] = o
		} else {
			for j := range o {
				if column := b.OutColumns[4*at+j]; column != nil {
					column[k] = o[j]
				}
			}
		}
		at++
	}
	if b.Traps != nil {
		b.Traps[k] = v.Trap
	}
	if b.Steps != nil {
		b.Steps[k] = v.Steps
	}
}

// outcomes are the vertices of a job.
type outcomes struct {
	job *pica.Job
	out *pica.Outcome
}

func (o *outcomes) input(k int, _ *[pica.NumInputs]pica.Vec4) []pica.Vec4 { return o.job.Vertices[k] }

func (o *outcomes) load(r *runner, first, n int) bool {
	m, c := &r.lanes, r.engine.code
	plain := true
	convert := c.converter(o.job.InputFormat)
	for k := range pica.NumInputs {
		if c.inputs>>k&1 == 0 {
			continue
		}
		d := (*[4]laneVec)(m.file[4*k:])
		for l := range n {
			var v pica.Vec4
			if from := o.job.Vertices[first+l]; k < len(from) {
				v = from[k]
			}
			for j := range d {
				d[j][l&63] = v[j]
			}
		}
		plain = m.finishLoad(d, convert) && plain
	}
	return plain
}

func (o *outcomes) store(r *runner, first, n int, down uint64) {
	m, e := &r.lanes, &r.engine
	for l := range n {
		if down>>l&1 != 0 {
			continue
		}
		v := &o.out.Vertices[first+l]
		v.State = e.initial
		for _, slot := range e.code.written {
			from := int(slot)
			if from >= slotOutput {
				from += laneOutput - slotOutput
			}
			var bits pica.Vec4
			for j := range bits {
				bits[j] = m.file[4*from+j][l]
			}
			e.code.model.store(register(&v.State, int(slot)), &bits)
		}
		end, steps := m.ended(l)
		v.Address = [2]int32{e.initial.Address[0], e.initial.Address[1]}
		if e.code.planOf().moves {
			v.Address = [2]int32{int32(m.address[pica.IndexA0X][l]), int32(m.address[pica.IndexA0Y][l])}
		}
		v.AL = end.address[pica.IndexAL]
		v.CC = [2]bool{m.cc[0]>>l&1 != 0, m.cc[1]>>l&1 != 0}
		v.Stacks = end.stacks
		v.Steps, v.Trap, v.Uninitialised = steps, pica.Trap{}, 0
		v.Primitives, v.Skipped, v.Hazards = v.Primitives[:0], v.Skipped[:0], v.Hazards[:0]
	}
}

func (o *outcomes) outcome(_ *runner, k int) *pica.VertexOutcome { return &o.out.Vertices[k] }

func (o *outcomes) scalar(*runner, int, *pica.VertexOutcome) {}

// minLanes is the smallest number of vertices for which the lanes are faster.
const minLanes = 8

// runJob runs a job on some tier. The vertices of the job must be independent of each
// other.
func (r *runner) runJob(job *pica.Job, out *pica.Outcome, tier Tier) error {
	out.Vertices = slices.Grow(out.Vertices[:0], len(job.Vertices))[:len(job.Vertices)]
	out.Bools = job.Bools
	r.outcomes = outcomes{job, out}
	defer func() { r.outcomes = outcomes{} }()
	return r.run(job, &r.outcomes, len(job.Vertices), tier, wanted{counts: true, remarks: true})
}
