package oracle_test

import (
	"cmp"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/internal/testmain"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

func TestMain(m *testing.M) { testmain.Run(m) }

// run executes a job with one engine and returns the outcome.
func run(t *testing.T, job *pica.Job) *pica.Outcome {
	t.Helper()
	out := new(pica.Outcome)
	check(t, impl.New().Run(job, out))
	return out
}

// words makes a job of words and descriptors, one vertex with v0 = (1, 2, 3, 4).
func words(p pica.Profile, descriptors []uint32, code ...uint32) *pica.Job {
	return &pica.Job{Program: pica.Program{Code: code, Descriptors: descriptors}, Profile: p, InputFormat: pica.Float24,
		Vertices: [][]pica.Vec4{{v1234}}}
}

var plain = []uint32{identity}

// primitives makes a job that emits as many primitives as fit into a run, and
// one more where full is false.
func primitives(full bool) *pica.Job {
	last := nop
	if !full {
		last = emit
	}
	job := words(f24, plain, setemit(0, 1, 0), flow(pica.LOOP, 0, 4, 0), flow(pica.LOOP, 1, 3, 0), emit, nop, last, end)
	job.Ints, job.Budget = [4][4]uint8{{pica.MaxPrimitives/256 - 1}, {255}}, 10_000
	return job
}

func TestTraps(t *testing.T) {
	mov, mova := op1(pica.MOV, outO, regV, 0, 0), op1(pica.MOVA, 0, regV, 0, 0)
	gs := func(j *pica.Job) *pica.Job { j.Stage = pica.Geometry; return j }
	steps := func(budget int, j *pica.Job) *pica.Job { j.Budget = budget; return j }
	for _, c := range []struct {
		name  string
		job   *pica.Job
		want  pica.Trap
		steps int
	}{
		{"end", words(f24, plain, mov, end), pica.Trap{}, 2},
		{"reserved opcode", words(f24, plain, mov, 0x10<<26), pica.Trap{Cause: pica.TrapReserved, PC: 1}, 1},
		{"pc out of range", words(f24, plain, flow(pica.JMPU, 0, 4095, 1)),
			pica.Trap{Cause: pica.TrapPCRange, PC: 4096}, 2},
		{"pc beyond by an else part", words(f24, plain, flow(pica.JMPU, 0, 4094, 1)),
			pica.Trap{Cause: pica.TrapPCRange, PC: 4096}, 3},
		{"END in place of 4095", words(profile.F32(), plain, flow(pica.JMPU, 0, 4094, 1)), pica.Trap{}, 3},
		{"budget", words(f24, plain, flow(pica.JMPU, 0, 0, 1)), pica.Trap{Cause: pica.TrapBudget}, 50},
		{"budget before pc beyond", steps(3, words(f24, plain, flow(pica.JMPU, 0, 4094, 1))),
			pica.Trap{Cause: pica.TrapBudget, PC: 4096}, 3},
		{"break outside", words(f24, plain, mov, flow(pica.BREAK, 0, 0, 0), end),
			pica.Trap{Cause: pica.TrapHang, PC: 1}, 1},
		{"breakc outside, false", words(f24, plain, mov, flow(pica.BREAKC, ifX, 0, 0), end), pica.Trap{}, 3},
		{"breakc outside, true", words(f24, plain, mov, flow(pica.BREAKC, ifNotX, 0, 0), end),
			pica.Trap{Cause: pica.TrapHang, PC: 1}, 1},
		{"break outside, ignored", words(profile.F32(), plain, flow(pica.BREAK, 0, 0, 0), end), pica.Trap{}, 2},
		{"mova twice", words(profile.HW(), plain, mova, mova, end), pica.Trap{Cause: pica.TrapHang, PC: 1}, 1},
		{"mova twice by a jump", words(profile.HW(), plain, mova, flow(pica.JMPU, 0, 0, 1), end),
			pica.Trap{Cause: pica.TrapBudget}, 50},
		{"mova around a loop", words(profile.HW(), plain, flow(pica.LOOP, 0, 1, 0), mova, end), pica.Trap{}, 3},
		{"mova twice, f24", words(f24, plain, mova, mova, end), pica.Trap{}, 3},
		{"two inputs", words(profile.HW(), plain, op1(pica.ADD, outO, regV, regV+1, 0), end),
			pica.Trap{Cause: pica.TrapUnreliableInput}, 0},
		{"two inputs of mad", words(profile.HW(), plain, opMAD(outO, regV, regR, regV+1, 0), end),
			pica.Trap{Cause: pica.TrapUnreliableInput}, 0},
		{"one input twice", words(profile.HW(), plain, op1(pica.ADD, outO, regV+1, regV+1, 0), end), pica.Trap{}, 2},
		{"a field that is no source", words(profile.HW(), plain, op1(pica.MOV, outO, regV, regV+1, 0), end),
			pica.Trap{}, 2},
		{"emit in a vertex program", words(f24, plain, mov, emit, end), pica.Trap{Cause: pica.TrapEmitInVertex, PC: 1},
			1},
		{"setemit in a vertex program", words(f24, plain, setemit(0, 0, 0), end),
			pica.Trap{Cause: pica.TrapEmitInVertex}, 0},
		{"emit in a vertex program, f32", words(profile.F32(), plain, mov, emit, end),
			pica.Trap{Cause: pica.TrapUnsupported, PC: 1, Refusal: pica.RefusalAssert}, 1},
		{"emit to slot 3, f32", gs(words(profile.F32(), plain, setemit(3, 1, 0), emit, end)),
			pica.Trap{Cause: pica.TrapUnsupported, PC: 1, Refusal: pica.RefusalAssert}, 1},
		{"as many primitives as fit", gs(primitives(true)), pica.Trap{}, 2 + 16*(2+256) + 2},
		{"a primitive too many", gs(primitives(false)), pica.Trap{Cause: pica.TrapPrimitives, PC: 5}, 2 + 16*(2+256)},
		{"emit to slot 3", gs(words(f24, plain, setemit(3, 1, 0), emit, end)),
			pica.Trap{Cause: pica.TrapEmitVertexID, PC: 1}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.job.Budget = cmp.Or(c.job.Budget, 50)
			v := &run(t, c.job).Vertices[0]
			if v.Trap != c.want || v.Steps != c.steps {
				t.Errorf("got %v after %d steps, want %v after %d", v.Trap, v.Steps, c.want, c.steps)
			}
		})
	}
}

func TestInvalidJobs(t *testing.T) {
	bad := f24
	bad.Knobs.Round = pica.RoundCut
	for name, c := range map[string]struct {
		job  pica.Job
		want error
	}{
		"code":        {pica.Job{Program: pica.Program{Code: make([]uint32, 4097)}}, pica.ErrInvalidJob},
		"descriptors": {pica.Job{Program: pica.Program{Descriptors: make([]uint32, 129)}}, pica.ErrInvalidJob},
		"entry":       {pica.Job{Entry: 4096}, pica.ErrInvalidJob},
		"before":      {pica.Job{Entry: -1}, pica.ErrInvalidJob},
		"stage":       {pica.Job{Stage: 2}, pica.ErrInvalidJob},
		"budget":      {pica.Job{Budget: -1}, pica.ErrInvalidJob},
		"inputs":      {pica.Job{Vertices: [][]pica.Vec4{make([]pica.Vec4, 17)}}, pica.ErrInvalidJob},
		"form":        {pica.Job{InputFormat: 2}, pica.ErrInvalidJob},
		"register":    {pica.Job{Floats: []pica.Upload{{Register: -1}}}, pica.ErrInvalidJob},
		"profile":     {pica.Job{Profile: bad}, pica.ErrUnsupportedProfile},
	} {
		if err := impl.New().Run(&c.job, new(pica.Outcome)); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
	}
	late := pica.Job{Floats: []pica.Upload{{Register: 95, Values: make([]pica.Vec4, 3)},
		{Register: 1<<63 - 1, Values: make([]pica.Vec4, 3)}}}
	if err := impl.New().Run(&late, new(pica.Outcome)); err != nil {
		t.Errorf("uploads beyond the last register: %v", err)
	}
}

func TestGeometry(t *testing.T) {
	// Three vertices of o1 and o3; o3 is written before the first EMIT only.
	code := []uint32{
		op1(pica.MOV, outO+3, regV, 0, 0), op1(pica.MOV, outO+1, regV, 0, 1), setemit(0, 0, 0), emit,
		op1(pica.MOV, outO+1, regV, 0, 2), setemit(1, 0, 0), emit,
		op1(pica.MOV, outO+1, regV, 0, 3), setemit(2, 1, 1), emit,
		setemit(0, 1, 0), emit, end,
	}
	job := words(f24, []uint32{identity, desc("xyzw", "xxxx"), desc("xyzw", "yyyy"), desc("xyzw", "zzzz")}, code...)
	job.Stage, job.OutMask = pica.Geometry, 0b1010
	out := run(t, job)
	v := &out.Vertices[0]
	if v.Trap.Cause != pica.TrapNone || len(v.Primitives) != 2 {
		t.Fatalf("trap %v, %d primitives", v.Trap, len(v.Primitives))
	}
	all := func(x uint32) pica.Vec4 { return pica.Vec4{x, x, x, x} }
	p := v.Primitives[0]
	want := [3][2]pica.Vec4{{all(one24), v1234}, {all(two24), {}}, {all(three), v1234}}
	for slot := range want {
		if got := [2]pica.Vec4(p.Vertices[slot][:2]); got != want[slot] {
			t.Errorf("slot %d: got %06X, want %06X", slot, got, want[slot])
		}
	}
	if !p.Inverted || v.Primitives[1].Inverted {
		t.Errorf("winding: got %v, %v", p.Inverted, v.Primitives[1].Inverted)
	}
	if got := [2]pica.Vec4(v.Primitives[1].Vertices[0][:2]); got != [2]pica.Vec4{all(two24), {}} {
		t.Errorf("reused slots: got %06X", got)
	}
	if out.Bools != 1<<15 {
		t.Errorf("b: got %04X, want 8000", out.Bools)
	}
	// The next run of the same job sees b15.
	again := words(f24, plain, flow(pica.CALLU, 15, 2, 1), end, op1(pica.MOV, outO, regV, 0, 0))
	again.Stage, again.Vertices = pica.Geometry, [][]pica.Vec4{{v1234}, {v1234}}
	o := run(t, again)
	if o.Vertices[0].O[0] != (pica.Vec4{}) || o.Vertices[1].O[0] != v1234 {
		t.Errorf("b15: got %06X, then %06X", o.Vertices[0].O[0], o.Vertices[1].O[0])
	}
}

func TestKeep(t *testing.T) {
	code := []uint32{
		op1(pica.ADD, tmpR, regV, regR, 0), op1(pica.MOVA, 0, regR, 0, 0), opCMP(regV, regV, pica.CmpNE, pica.CmpEQ),
		op1(pica.MOV, outO+1, regR, 0, 0), end}
	job := words(f24, plain, code...)
	job.Vertices = [][]pica.Vec4{{v1234}, {v1234}, {v1234}}
	job.Initial = &pica.State{AL: 7, CC: [2]bool{true, false}}
	job.Initial.R[0] = pica.Vec4{one24 | 0xFF000000, one24, one24, one24}
	job.Initial.O[2] = ones
	for _, keep := range []bool{false, true} {
		job.Keep = keep
		out := run(t, job)
		for i := range out.Vertices {
			v, n := &out.Vertices[i], int32(1)
			if keep {
				n = int32(i) + 1
			}
			if want := [2]int32{1 + n, 1 + 2*n}; v.Address != want || v.AL != 7 || v.O[2] != ones ||
				v.CC != [2]bool{false, true} {
				t.Errorf("keep %v, vertex %d: a0 %v, want %v; aL %d; o2 %06X; cc %v", keep, i, v.Address, want, v.AL,
					v.O[2], v.CC)
			}
		}
	}
}

// TestKeepEmitter: what SETEMIT said and the vertices that EMIT stored carry over
// where a job keeps state, and only there.
func TestKeepEmitter(t *testing.T) {
	// A vertex with v0.x = 2 emits slot 0 and sets slot 1 to complete a primitive;
	// one with v0.x = 1 only emits.
	job := words(f24, plain, op1(pica.MOV, outO, regV, 0, 0), opCMP(regC, regV, pica.CmpEQ, pica.CmpEQ),
		flow(pica.JMPC, ifNotX, 5, 0), emit, setemit(1, 1, 1), emit, end)
	two := pica.Vec4{two24, two24, two24, two24}
	job.Stage, job.OutMask, job.Vertices = pica.Geometry, 1, [][]pica.Vec4{{two}, {ones}}
	job.Floats = []pica.Upload{{Format: pica.Float24, Values: []pica.Vec4{two}}}
	for _, keep := range []bool{false, true} {
		job.Keep = keep
		out := run(t, job)
		if got := len(out.Vertices[0].Primitives); got != 1 {
			t.Fatalf("keep %v: %d primitives of the first vertex", keep, got)
		}
		second := out.Vertices[1].Primitives
		if keep != (len(second) == 1) {
			t.Fatalf("keep %v: %d primitives of the second vertex", keep, len(second))
		}
		if !keep {
			continue
		}
		if p := second[0]; !p.Inverted || p.Vertices[0][0] != two || p.Vertices[1][0] != ones {
			t.Errorf("got %v %06X %06X", p.Inverted, p.Vertices[0][0], p.Vertices[1][0])
		}
	}
}

func TestUninitialised(t *testing.T) {
	r := func(n int) pica.Registers { return 1 << n }
	reads := func(index uint32) uint32 { return indexed(op1(pica.MOV, outO, regC, 0, 1), index) }
	for _, c := range []struct {
		name string
		code []uint32
		desc []uint32
		want pica.Registers
	}{
		{"nothing", []uint32{op1(pica.MOV, tmpR, regV, 0, 0), op1(pica.MOV, outO, regR, 0, 0), end}, plain, 0},
		{"a register", []uint32{op1(pica.MOV, outO, regR+3, 0, 0), end}, plain, r(3)},
		{"another component", []uint32{op1(pica.MOV, tmpR, regV, 0, 0), op1(pica.MOV, outO, regR, 0, 1), end},
			[]uint32{desc("x"), desc("x", "yyyy")}, r(0)},
		{"the same component", []uint32{op1(pica.MOV, tmpR, regV, 0, 0), op1(pica.MOV, outO, regR, 0, 1), end},
			[]uint32{desc("x"), desc("y", "xxxx")}, 0},
		{"an unused lane", []uint32{op1(pica.MOV, tmpR, regV, 0, 0), op1(pica.DP3, outO, regR, regR, 1), end},
			[]uint32{desc("xyz"), identity}, 0},
		{"dst", []uint32{op1(pica.DST, outO, regV, regR, 0), end}, []uint32{desc("xz")}, 0},
		{"an empty mask", []uint32{op1(pica.ADD, outO, regR, regR, 0), end}, []uint32{desc("")}, 0},
		{"address", []uint32{indexed(op1(pica.MOV, outO, regC, 0, 0), pica.IndexA0Y), end}, plain, pica.RegA0Y},
		{"address of an input", []uint32{indexed(op1(pica.MOV, outO, regV, 0, 0), pica.IndexA0Y), end}, plain, 0},
		{"half an address", []uint32{op1(pica.MOVA, 0, regV, 0, 0),
			indexed(op1(pica.MOV, outO, regC, 0, 1), pica.IndexA0X),
			indexed(op1(pica.MOV, outO, regC, 0, 1), pica.IndexAL), end}, []uint32{desc("x"), identity}, pica.RegAL},
		{"conditions", []uint32{flow(pica.IFC, ifX, 1, 0), end}, plain, pica.RegCCX},
		{"both conditions", []uint32{flow(pica.IFC, 0, 1, 0), end}, plain, pica.RegCCX | pica.RegCCY},
		{"both conditions, and", []uint32{flow(pica.IFC, 1, 1, 0), end}, plain, pica.RegCCX | pica.RegCCY},
		{"mova to x", []uint32{op1(pica.MOVA, 0, regV, 0, 0), reads(pica.IndexA0X), reads(pica.IndexA0Y), end},
			[]uint32{desc("x"), identity}, pica.RegA0Y},
		{"mova to y", []uint32{op1(pica.MOVA, 0, regV, 0, 0), reads(pica.IndexA0X), reads(pica.IndexA0Y), end},
			[]uint32{desc("y"), identity}, pica.RegA0X},
		{"mova to both", []uint32{op1(pica.MOVA, 0, regV, 0, 0), reads(pica.IndexA0X), reads(pica.IndexA0Y), end},
			[]uint32{desc("xy"), identity}, 0},
		{"conditions set", []uint32{opCMP(regV, regV, 0, 0), flow(pica.IFC, 0, 2, 0), end}, plain, 0},
		{"loop counter", []uint32{flow(pica.LOOP, 0, 1, 0), indexed(op1(pica.MOV, outO, regC, 0, 0), pica.IndexAL),
			end}, plain, 0},
	} {
		if got := run(t, words(f24, c.desc, c.code...)).Vertices[0].Uninitialised; got != c.want {
			t.Errorf("%s: got %06X, want %06X", c.name, got, c.want)
		}
	}
}

// Tracing a vertex runs those before it: in geometry programs they set b15, also without keep.
func TestLoadRunsEarlierGeometryVertices(t *testing.T) {
	for _, stage := range []pica.Stage{pica.Vertex, pica.Geometry} {
		job := words(f24, plain, flow(pica.IFU, 15, 2, 0), op1(pica.MOV, outO, regV, 0, 0), end)
		job.Stage, job.Vertices = stage, [][]pica.Vec4{{ones}, {ones}}
		m := impl.NewMachine()
		check(t, m.Load(job, 1))
		n := 0
		for m.Step() != nil {
			n++
		}
		if want := map[pica.Stage]int{pica.Vertex: 2, pica.Geometry: 3}[stage]; n != want {
			t.Errorf("%v: %d instructions, want %d", stage, n, want)
		}
	}
	if err := impl.NewMachine().Load(words(f24, plain, end), 1); !errors.Is(err, pica.ErrInvalidJob) {
		t.Errorf("a vertex that is not there: %v", err)
	}
}

// A machine that loads a later vertex starts from the state that an engine passes on, here
// inputs and temporaries of a vertex program, also without keep.
func TestLoadPassesOnWhatRulesKeep(t *testing.T) {
	resolve := func(p *pica.Profile) (*oracle.Rules, error) {
		r, err := impl.Rules(p)
		r.Carry.Inputs = func(*[pica.NumInputs]pica.Vec4, int) {}
		begin := r.Carry.Begin
		r.Carry.Begin = func(regs *oracle.RegisterFile, initial *pica.State, vertex int, _ bool) {
			begin(regs, initial, vertex, true)
		}
		return r, err
	}
	job := words(f24, plain, op1(pica.ADD, tmpR, regV, regR, 0), op1(pica.MOV, outO, regR, 0, 0), end)
	job.Vertices = [][]pica.Vec4{{v1234}, {}}
	out := new(pica.Outcome)
	check(t, oracle.NewEngine(resolve, nil).Run(job, out))
	m := oracle.NewMachine(resolve)
	check(t, m.Load(job, 1))
	for m.Step() != nil {
	}
	if got, want := m.State().O[0], out.Vertices[1].O[0]; got != want || want == (pica.Vec4{}) {
		t.Errorf("got %06X, want %06X", got, want)
	}
}

// TestTracesExecuteOnce holds that the traces of a job execute each instruction once, also if
// the caller leaves a trace early, and start a vertex from the state that an engine passes on.
func TestTracesExecuteOnce(t *testing.T) {
	job := words(f24, plain, op1(pica.ADD, tmpR, regV, regR, 0), op1(pica.MOV, outO, regR, 0, 0), end)
	job.Keep, job.Vertices = true, slices.Repeat([][]pica.Vec4{{v1234}}, 50)
	want := run(t, job)
	fetched := 0
	runs, err := oracle.Traces(func(p *pica.Profile) (*oracle.Rules, error) {
		r, err := impl.Rules(p)
		fetch := r.Flow.Fetch
		r.Flow.Fetch = func(c *oracle.Control, memory *[pica.MaxCode]uint32) uint32 {
			fetched++
			return fetch(c, memory)
		}
		return r, err
	}, job)
	check(t, err)
	for i, steps := range runs {
		for s := range steps {
			if i%2 == 0 {
				break
			}
			if s.Ended && *s.State != want.Vertices[i].State {
				t.Errorf("vertex %d: got %06X, want %06X", i, s.State.O[0], want.Vertices[i].O[0])
			}
		}
	}
	if n := 3 * len(job.Vertices); fetched != n {
		t.Errorf("got %d executed instructions, want %d", fetched, n)
	}
}

// TestRefusedScalar: RCP that a rule refuses writes no register.
func TestRefusedScalar(t *testing.T) {
	refuse := func(r *oracle.Rules) {
		scalar := r.Unit.Ops.Scalar
		r.Unit.Ops.Scalar = func(c *oracle.Control, f func(u *oracle.Unit, a uint32) uint32, a *pica.Vec4) pica.Vec4 {
			c.Refuse(pica.RefusalAssert)
			return scalar(c, f, a)
		}
	}
	out := new(pica.Outcome)
	check(t, impl.NewWith(refuse, nil).Run(words(f24, plain, op1(pica.RCP, outO, regV, 0, 0), end), out))
	if v := &out.Vertices[0]; v.Trap.Cause != pica.TrapUnsupported || v.O[0] != (pica.Vec4{}) {
		t.Errorf("got %v, o0 = %06X", v.Trap, v.O[0])
	}
}

// A raw float24 has 24 bits; those above are ignored.
func TestRawBitsAbove(t *testing.T) {
	job := words(f24, plain, op1(pica.MOV, outO, regC, 0, 0), end)
	job.Floats = []pica.Upload{{Format: pica.Float24, Values: []pica.Vec4{{1<<24 | one24, 1 << 31, two24}}}}
	if got, want := run(t, job).Vertices[0].O[0], (pica.Vec4{one24, 0, two24}); got != want {
		t.Errorf("got %06X, want %06X", got, want)
	}
}

// i4 to i7, which a wide id of LOOP names, are zero: one pass, and aL is zero.
func TestWideLoopID(t *testing.T) {
	wide, err := profile.Parse("f24,loopid=three")
	check(t, err)
	for id := range 8 {
		job := words(wide, plain, flow(pica.LOOP, id, 1, 0), op1(pica.MOV, outO, regV, 0, 0), end)
		for i := range job.Ints {
			job.Ints[i] = [4]uint8{2, 7, 1}
		}
		want := [2]int32{5, 10} // instructions, aL afterwards
		if id >= 4 {
			want = [2]int32{3, 0}
		}
		v := &run(t, job).Vertices[0]
		if got := [2]int32{int32(v.Steps), v.AL}; got != want {
			t.Errorf("i%d: %d instructions, aL %d, want %d", id, got[0], got[1], want)
		}
	}
}

// Whether RCP is an estimate depends on its operand, which is x alone.
func TestEstimated(t *testing.T) {
	x64, err := profile.Parse("azahar-x64")
	check(t, err)
	const one, infinity = 0x3F800000, 0x7F800000
	for _, c := range []struct {
		operand pica.Vec4
		want    []pica.Opcode
	}{
		{pica.Vec4{one, infinity, infinity, infinity}, []pica.Opcode{pica.RCP}},
		{pica.Vec4{infinity, one, one, one}, nil},
	} {
		job := words(x64, plain, op1(pica.RCP, outO, regV, 0, 0), end)
		job.InputFormat, job.Vertices = pica.Float32, [][]pica.Vec4{{c.operand}}
		if got := run(t, job).Vertices[0].Estimated; !slices.Equal(got, c.want) {
			t.Errorf("%08X: estimated %v, want %v", c.operand, got, c.want)
		}
	}
}

func TestSkippedAndHazards(t *testing.T) {
	two := op1(pica.ADD, outO, regV, regV+1, 0)
	dst, cmp := op1(pica.DST, outO, regV, regV, 0), opCMP(regV, regV, 6, 0)
	v := &run(t, words(profile.F32(), plain, dst, cmp, two, dst, 0x1F<<26, end)).Vertices[0]
	if want := []pica.Opcode{pica.DST, pica.CMP, 0x1F}; !slices.Equal(v.Skipped, want) {
		t.Errorf("skipped: got %v, want %v", v.Skipped, want)
	}
	warn, err := profile.Parse("hw,hazards=warn")
	check(t, err)
	mova := op1(pica.MOVA, 0, regV, 0, 0)
	job := words(warn, plain, flow(pica.LOOP, 0, 2, 0), two, mova, mova, two, end)
	job.Ints[0][0] = 3
	v = &run(t, job).Vertices[0]
	if want := []pica.Trap{{Cause: pica.TrapUnreliableInput, PC: 1}, {Cause: pica.TrapHang, PC: 3},
		{Cause: pica.TrapUnreliableInput, PC: 4}}; !slices.Equal(v.Hazards, want) {
		t.Errorf("hazards: got %v, want %v", v.Hazards, want)
	}
}

// TestBudget holds that a budget of k returns the state after k instructions,
// which is what stepping and tracing give.
func TestBudget(t *testing.T) {
	for _, b := range benchJobs(t) {
		job := b.job
		job.Profile, job.Vertices = profile.F24(), job.Vertices[:2]
		steps, err := impl.Trace(&job, 1)
		check(t, err)
		n := 0
		for s := range steps {
			n++
			if s.Index != n-1 {
				t.Fatalf("%s: step %d has index %d", b.Name, n-1, s.Index)
			}
			job.Budget = n
			v := &run(t, &job).Vertices[1]
			if v.State != *s.State || v.Steps != n {
				t.Fatalf("%s: the states after %d steps differ", b.Name, n)
			}
			if want := (pica.Trap{Cause: pica.TrapBudget, PC: s.Next}); !s.Ended && v.Trap != want || s.Ended &&
				v.Trap != s.Trap {
				t.Fatalf("%s: trap %v, want %v", b.Name, v.Trap, want)
			}
		}
	}
}

func TestStepRecord(t *testing.T) {
	job := words(f24, []uint32{desc("xz", "-yyyy", "xxxx")}, op1(pica.MUL, tmpR+2, regV, regV, 0),
		flow(pica.CALL, 0, 3, 1), end, nop)
	m := impl.NewMachine()
	check(t, m.Load(job, 0))
	two := pica.Vec4{two24 | sign24, two24 | sign24, two24 | sign24, two24 | sign24}
	want := []pica.Step{
		{Index: 0, PC: 0, Word: job.Code[0], Descriptor: job.Descriptors[0], Sources: [3]pica.Vec4{two, ones},
			Needed: [3]uint8{10, 10}, Result: two, Written: 10, Next: 1},
		{Index: 1, PC: 1, Word: job.Code[1], Next: 3},
		{Index: 2, PC: 3, Word: nop, Next: 2},
		{Index: 3, PC: 2, Word: end, Next: 3, Ended: true},
	}
	for i, w := range want {
		s := m.Step()
		if s == nil {
			t.Fatalf("no step %d", i)
		}
		if s.State != m.State() {
			t.Errorf("step %d: another state", i)
		}
		got := *s
		got.State = nil
		if got != w {
			t.Errorf("step %d: got %+v, want %+v", i, got, w)
		}
	}
	if m.Step() != nil {
		t.Error("a step after the end")
	}
	if err := m.Load(job, 1); !errors.Is(err, pica.ErrInvalidJob) {
		t.Errorf("no such vertex: got %v", err)
	}
}

// TestScopes: engines whose scopes have no place in the state name them, and a
// skipped instruction is marked and has no operands.
func TestScopes(t *testing.T) {
	code := []uint32{flow(pica.CALL, 0, 3, 3), op1(pica.DST, outO, regV, regV, 0), end, flow(pica.LOOP, 0, 4, 0), nop,
		nop}
	for _, c := range []struct{ profile, inside string }{
		{"hw", ""},
		{"citra-2021", "scope(end 6, leave 1, entry 0, 0 left, step 0) scope(end 5, leave 5, entry 4, 3 left, step 2)"},
		{"azahar-x64", "call(end 6, return 1)"},
		{"panda-x64,op.dst=skip", "call(end 6, return 1) loop(4 left, step 2)"},
	} {
		p, err := profile.Parse(c.profile)
		check(t, err)
		job := words(p, plain, code...)
		job.Ints[0] = [4]uint8{3, 0, 2, 0}
		steps, err := impl.Trace(job, 0)
		check(t, err)
		for s := range steps {
			if s.PC == 3 && s.Scopes() != c.inside {
				t.Errorf("%s: got %q, want %q", c.profile, s.Scopes(), c.inside)
			}
			if want := s.PC == 1 && c.profile != "hw"; s.Skipped != want || want && s.Sources != [3]pica.Vec4{} {
				t.Errorf("%s, word %d: skipped %v, operands %x", c.profile, s.PC, s.Skipped, s.Sources)
			}
		}
	}
}

// TestAnyWords runs random words under every profile: no panic, and the same
// outcome from a fresh engine and from one that ran other things.
func TestAnyWords(t *testing.T) {
	const seed = 7
	used, fresh := impl.New(), new(pica.Outcome)
	out := new(pica.Outcome)
	for i := range long.Numbers(t, 3000, long.Few(600, 200)) {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		name := profile.Names()[i%len(profile.Names())]
		p, _ := profile.ByName(name)
		job := pica.Job{Profile: p, Stage: pica.Stage(i / 7 % 2), OutMask: uint16(rng.Uint32()), Budget: 300,
			Keep:  i%3 == 0,
			Bools: uint16(rng.Uint32()), InputFormat: pica.NumberFormat(i / 3 % 2),
			Vertices: [][]pica.Vec4{{v1234, ones}, {v1234}}}
		for range rng.IntN(60) {
			w := rng.Uint32()
			if rng.IntN(2) == 0 { // a target within the program
				w = w&^(0xFFF<<10) | uint32(rng.IntN(70))<<10
			}
			job.Code = append(job.Code, w)
		}
		for range rng.IntN(128) {
			job.Descriptors = append(job.Descriptors, rng.Uint32())
		}
		for k := range job.Ints {
			job.Ints[k] = [4]uint8{uint8(rng.IntN(4)), uint8(rng.Uint32()), uint8(rng.Uint32()), 0}
		}
		var values []pica.Vec4
		for range rng.IntN(97) {
			values = append(values, pica.Vec4{rng.Uint32(), rng.Uint32(), rng.Uint32(), rng.Uint32()})
		}
		job.Floats = []pica.Upload{{Register: rng.IntN(8), Values: values, Format: pica.NumberFormat(i / 5 % 2)}}
		if rng.IntN(20) == 0 {
			job.Entry = 4095 - rng.IntN(4)
		}
		*fresh = pica.Outcome{}
		check(t, used.Run(&job, out))
		check(t, impl.New().Run(&job, fresh))
		for k := range out.Vertices {
			a, b := out.Vertices[k], fresh.Vertices[k]
			if !slices.Equal(a.Skipped, b.Skipped) || !slices.Equal(a.Estimated, b.Estimated) ||
				!slices.Equal(a.Hazards, b.Hazards) || !slices.Equal(a.Primitives, b.Primitives) {
				t.Fatalf("seed %d, job %d (%s): lists differ", seed, i, name)
			}
			a.Skipped, a.Estimated, a.Hazards, a.Primitives = nil, nil, nil, nil
			b.Skipped, b.Estimated, b.Hazards, b.Primitives = nil, nil, nil, nil
			if !reflect.DeepEqual(a, b) {
				t.Fatalf("seed %d, job %d (%s): vertex %d differs between engines", seed, i, name, k)
			}
		}
		if out.Bools != fresh.Bools || out.Storage != fresh.Storage {
			t.Fatalf("seed %d, job %d (%s): b differs", seed, i, name)
		}
	}
}

// TestAllocations holds that a warm engine does not allocate.
func TestAllocations(t *testing.T) {
	for _, name := range profile.Names() {
		p, _ := profile.ByName(name)
		job := words(p, plain, flow(pica.LOOP, 0, 4, 0), op1(pica.MUL, tmpR, regV, regV, 0),
			op1(pica.RCP, tmpR, regR, 0, 0),
			indexed(op1(pica.ADD, outO, regC+90, regR, 0), pica.IndexAL), setemit(0, 1, 0), emit, end)
		job.Ints[0] = [4]uint8{9, 0, 1, 0}
		job.Stage, job.Floats = pica.Geometry, []pica.Upload{{Format: pica.Float32, Values: numbers()}}
		engine, out := impl.New(), new(pica.Outcome)
		if got := testing.AllocsPerRun(10, func() { check(t, engine.Run(job, out)) }); got != 0 {
			t.Errorf("%s: %v allocations a run", name, got)
		}
	}
}
