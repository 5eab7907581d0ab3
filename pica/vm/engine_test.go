package vm_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/picaproof/picaproof/internal/testmain"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
	"github.com/picaproof/picaproof/pica/vm"
)

func TestMain(m *testing.M) { testmain.Run(m) }

func TestName(t *testing.T) {
	if got := vm.New().Name(); got != "vm" {
		t.Errorf("got %q, want vm", got)
	}
}

func TestTraps(t *testing.T) {
	emit := func(b *builder) *builder { return b.op(decode.Inst{Op: pica.EMIT}) }
	geometry := func(j *pica.Job) {
		j.Stage, j.Ints = pica.Geometry, [pica.NumInts][4]uint8{{255}, {254}}
	}
	for _, c := range []struct {
		name    string
		profile pica.Profile
		program *builder
		change  func(*pica.Job)
		want    pica.Trap
		steps   int
	}{
		{"reserved opcode", profileF24, newBuilder().nop().op(decode.Inst{Op: 0x10}), nil,
			pica.Trap{Cause: pica.TrapReserved, PC: 1}, 1},
		{"emit in a vertex program", profileF24, emit(newBuilder()), nil, pica.Trap{Cause: pica.TrapEmitInVertex}, 0},
		{"setemit in a vertex program", profileHW, newBuilder().op(decode.Inst{Op: pica.SETEMIT}), nil,
			pica.Trap{Cause: pica.TrapEmitInVertex}, 0},
		{"emit in a vertex program, f32", profileF32, emit(newBuilder()), nil,
			pica.Trap{Cause: pica.TrapUnsupported}, 0},
		{"emit of vertex 3", profileF24,
			emit(newBuilder().op(decode.Inst{Op: pica.SETEMIT, Vertex: 3})).stop(), geometry,
			pica.Trap{Cause: pica.TrapEmitVertexID, PC: 1}, 1},
		{"primitives", profileF24, primitives(256), geometry, pica.Trap{Cause: pica.TrapPrimitives, PC: 18},
			2 + pica.MaxPrimitives},
		{"primitives just allowed", profileF24, primitives(255), geometry, pica.Trap{}, 4 + pica.MaxPrimitives - 16},
		{"setemit of vertex 3", profileF24, newBuilder().op(decode.Inst{Op: pica.SETEMIT, Vertex: 3}).stop(),
			geometry, pica.Trap{}, 2},
		{"budget", profileF24, newBuilder().nop().nop().stop(),
			func(j *pica.Job) { j.Budget = 2 }, pica.Trap{Cause: pica.TrapBudget, PC: 2}, 2},
		{"budget just enough", profileF24, newBuilder().nop().nop().stop(),
			func(j *pica.Job) { j.Budget = 3 }, pica.Trap{}, 3},
		{"endless", profileF24, newBuilder().label("here").flow(decode.Inst{Op: pica.JMPU, Num: 1}, "here", ""), nil,
			pica.Trap{Cause: pica.TrapBudget}, pica.DefaultBudget},
		{"two movas", profileHW, newBuilder().op(mova).op(mova).stop(), nil,
			pica.Trap{Cause: pica.TrapHang, PC: 1}, 1},
		{"two movas apart", profileHW, newBuilder().op(mova).nop().op(mova).stop(), nil, pica.Trap{}, 4},
		{"two movas in f24", profileF24, newBuilder().op(mova).op(mova).stop(), nil, pica.Trap{}, 3},
		{"two inputs", profileHW, newBuilder().op(twoInputs).stop(), nil,
			pica.Trap{Cause: pica.TrapUnreliableInput}, 0},
		{"one input twice", profileHW,
			newBuilder().op(decode.Inst{Op: pica.ADD, Src: [3]uint8{v0 + 3, v0 + 3}}).stop(), nil, pica.Trap{}, 2},
		{"input fields that mov lacks", profileHW,
			newBuilder().op(decode.Inst{Op: pica.MOV, Src: [3]uint8{v0 + 3}}).stop(), nil, pica.Trap{}, 2},
		{"cmp of two inputs", profileHW,
			newBuilder().op(decode.Inst{Op: pica.CMP, Src: [3]uint8{v0, v0 + 1}}).stop(), nil,
			pica.Trap{Cause: pica.TrapUnreliableInput}, 0},
		{"third source", profileHW,
			newBuilder().op(decode.Inst{Op: pica.MAD, Src: [3]uint8{v0 + 1, r0, v0 + 2}}).stop(), nil,
			pica.Trap{Cause: pica.TrapUnreliableInput}, 0},
		{"no program", profileF24, newBuilder(),
			func(j *pica.Job) { j.Entry = 4095 }, pica.Trap{Cause: pica.TrapPCRange, PC: 4096}, 1},
		{"the last word ends a program",
			with(profileF24, func(k *pica.Knobs) { k.ProgramEnd = pica.ProgramEnd4095 }), newBuilder(),
			func(j *pica.Job) { j.Entry = 4094 }, pica.Trap{}, 2},
		{"the last word ends a program, which the engine refuses", func() pica.Profile {
			p := with(profileF24, func(k *pica.Knobs) { k.ProgramEnd = pica.ProgramEnd4095 })
			p.Support[pica.END] = pica.SupportAbort
			return p
		}(), newBuilder(), func(j *pica.Job) { j.Entry = 4095 }, pica.Trap{Cause: pica.TrapUnsupported, PC: 4095}, 0},
		{"an opcode that the engine refuses", func() pica.Profile {
			p := profileF24
			p.Support[pica.DPH] = pica.SupportAbort
			return p
		}(), newBuilder().nop().op(decode.Inst{Op: pica.DPH}), nil, pica.Trap{Cause: pica.TrapUnsupported, PC: 1}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			change := c.change
			if change == nil {
				change = func(*pica.Job) {}
			}
			out, _ := run(t, c.profile, c.program, change)
			if out.Trap != c.want || out.Steps != c.steps {
				t.Errorf("got %v after %d steps, want %v after %d", out.Trap, out.Steps, c.want, c.steps)
			}
		})
	}
}

// primitives emits passes*16 + 1 primitives.
func primitives(passes int) *builder {
	b := newBuilder().op(decode.Inst{Op: pica.SETEMIT, Primitive: true}).loop(uint8(256-passes), "end")
	for range 16 {
		b.op(decode.Inst{Op: pica.EMIT})
	}
	return b.label("end").op(decode.Inst{Op: pica.EMIT}).stop()
}

var (
	mova      = decode.Inst{Op: pica.MOVA, Src: [3]uint8{c0 + 5}}
	twoInputs = decode.Inst{Op: pica.ADD, Dest: r0, Src: [3]uint8{v0, v0 + 1}}
)

// Two MOVA executed one after the other count wherever they are; a trap does not change the state.
func TestHazards(t *testing.T) {
	b := newBuilder().op(twoInputs).loop(0, "end").op(mova).label("end").op(twoInputs).stop()
	warn := with(profileHW, func(k *pica.Knobs) { k.Hazards = pica.HazardsWarn })
	out, _ := run(t, warn, b, ints([4]uint8{3}))
	want := []pica.Trap{{Cause: pica.TrapUnreliableInput}, {Cause: pica.TrapHang, PC: 2},
		{Cause: pica.TrapUnreliableInput, PC: 3}}
	if out.Trap.Cause != pica.TrapNone || !slices.Equal(out.Hazards, want) {
		t.Errorf("trap %v, hazards %v, want %v", out.Trap, out.Hazards, want)
	}
	// Every vertex has its own remarks.
	_, whole := run(t, warn, b, ints([4]uint8{3}), func(j *pica.Job) { j.Vertices = make([][]pica.Vec4, 3) })
	for k := range whole.Vertices {
		if got := whole.Vertices[k].Hazards; !slices.Equal(got, want) {
			t.Errorf("vertex %d: hazards %v, want %v", k, got, want)
		}
	}
	// Every instruction is reported once.
	twice := newBuilder().loop(0, "end").op(twoInputs).op(twoInputs).label("end").stop()
	out, _ = run(t, warn, twice, ints([4]uint8{3}))
	if want := []pica.Trap{{Cause: pica.TrapUnreliableInput, PC: 1},
		{Cause: pica.TrapUnreliableInput, PC: 2}}; !slices.Equal(out.Hazards, want) {
		t.Errorf("two in a loop: hazards %v, want %v", out.Hazards, want)
	}
	off := with(profileHW, func(k *pica.Knobs) { k.Hazards = pica.HazardsOff })
	if out, _ = run(t, off, b, ints([4]uint8{3})); len(out.Hazards) != 0 {
		t.Errorf("hazards %v, want none", out.Hazards)
	}
	b = newBuilder().loop(0, "end").op(mova).label("end").stop()
	out, _ = run(t, profileHW, b, ints([4]uint8{3, 0, 1}))
	if want := (pica.Trap{Cause: pica.TrapHang, PC: 1}); out.Trap != want ||
		out.Address != [2]int32{5, 5} || out.AL != 1 {
		t.Errorf("trap %v, a0 %d, aL %d, want %v, 5, 1", out.Trap, out.Address, out.AL, want)
	}
}

// DST and LITP in binary32: the named profiles of that format skip them, other profiles need not.
func TestSkippedElsewhere(t *testing.T) {
	p := profileF32
	p.Support[pica.DST], p.Support[pica.LITP] = pica.SupportRun, pica.SupportRun
	b := newBuilder().mov(r0, c0+5).op(decode.Inst{Op: pica.DST, Dest: o0, Src: [3]uint8{c0 + 3, r0}}).
		op(decode.Inst{Op: pica.LITP, Dest: o0 + 1, Src: [3]uint8{c0 + 3}}).stop()
	out, _ := run(t, p, b)
	n := pica.Float32.Integer
	if want := [2]pica.Vec4{{n(1), n(15), n(3), n(5)}, {n(3), n(3), 0, n(3)}}; [2]pica.Vec4(out.O[:2]) != want {
		t.Errorf("got %08x, want %08x", out.O[:2], want)
	}
}

func TestSkipped(t *testing.T) {
	b := newBuilder().true().op(decode.Inst{Op: pica.LITP, Dest: o0, Src: [3]uint8{c0}}).op(decode.Inst{Op: 0x1F}).
		op(decode.Inst{Op: pica.CMP, CmpX: pica.CmpNE, CmpY: 7, Src: [3]uint8{c0, r0}}).
		op(decode.Inst{Op: pica.DST, Dest: o0, Src: [3]uint8{c0 + 4}}).
		op(decode.Inst{Op: pica.CMP, CmpX: 6, CmpY: pica.CmpEQ, Src: [3]uint8{c0, r0}}).
		op(decode.Inst{Op: pica.LITP, Dest: o0, Src: [3]uint8{c0}}).stop()
	out, _ := run(t, profileF32, b)
	if want := []pica.Opcode{pica.LITP, 0x1F, pica.CMP, pica.DST}; !slices.Equal(out.Skipped, want) {
		t.Errorf("skipped %v, want %v", out.Skipped, want)
	}
	if out.CC != [2]bool{false, true} || out.O[0] != (pica.Vec4{}) || out.Steps != 8 {
		t.Errorf("flags %v, o0 %08x, %d steps", out.CC, out.O[0], out.Steps)
	}
}

func TestGeometry(t *testing.T) {
	vertex := func(b *builder, i decode.Inst, x uint8) *builder {
		i.Op = pica.SETEMIT
		return b.op(i).mov(o0+2, c0+x).op(decode.Inst{Op: pica.EMIT})
	}
	b := newBuilder().mov(o0+5, c0+50)
	vertex(b, decode.Inst{Vertex: 0}, 10)
	vertex(b, decode.Inst{Vertex: 1}, 11)
	vertex(b, decode.Inst{Vertex: 2, Primitive: true, Winding: true}, 12)
	b.op(decode.Inst{Op: pica.EMIT}) // slot 2 again, from the bank of the second vertex
	b.mov(o0+2, c0+20).stop()
	for _, p := range profiles {
		out, whole := run(t, *p, b, func(j *pica.Job) { j.Stage, j.OutMask = pica.Geometry, 1<<2|1<<5 })
		n := func(k int) pica.Vec4 {
			x := number(p, k)
			return pica.Vec4{x, x, x, x}
		}
		slots := [3][16]pica.Vec4{{n(10), n(50)}, {n(11), n(0)}, {n(12), n(50)}}
		again := slots
		again[2] = [16]pica.Vec4{n(11), n(0)}
		want := []pica.Primitive{{Inverted: true, Vertices: slots}, {Inverted: true, Vertices: again}}
		if !slices.Equal(out.Primitives, want) {
			t.Errorf("%s (-want +got):\n%s", p.Name, cmp.Diff(want, out.Primitives))
		}
		// Four EMITs: the first bank is selected again.
		if out.O[2] != n(20) || out.O[5] != n(50) {
			t.Errorf("%s: o2 %06x, o5 %06x", p.Name, out.O[2], out.O[5])
		}
		if whole.Bools != 1<<15 {
			t.Errorf("%s: b registers %04x, want 8000", p.Name, whole.Bools)
		}
	}
}

// An output that was last written two EMITs ago keeps its value.
func TestOutputBanks(t *testing.T) {
	emit := decode.Inst{Op: pica.EMIT}
	b := newBuilder().mov(o0, c0+1).op(emit).mov(o0+1, c0+2).op(emit).op(emit).stop()
	out, _ := run(t, profileF24, b, func(j *pica.Job) { j.Stage = pica.Geometry })
	want := [2]uint32{0, number(&profileF24, 2)}
	if got := [2]uint32{out.O[0][0], out.O[1][0]}; got != want {
		t.Errorf("o0.x, o1.x: got %06x, want %06x", got, want)
	}
	// The initial state is that of the selected bank.
	out, _ = run(t, profileF24, newBuilder().op(emit).stop(), func(j *pica.Job) {
		j.Stage, j.Initial = pica.Geometry, &pica.State{O: [16]pica.Vec4{9: {1, 2, 3, 4}}}
	})
	if out.O[9] != (pica.Vec4{}) {
		t.Errorf("the other bank starts with o9 %06x", out.O[9])
	}
	// Both banks start afresh for the next vertex, unless registers are kept.
	for keep, want := range map[bool][2]uint32{false: want, true: {number(&profileF24, 1), number(&profileF24, 2)}} {
		_, whole := run(t, profileF24, b, func(j *pica.Job) {
			j.Stage, j.Vertices, j.Keep = pica.Geometry, make([][]pica.Vec4, 2), keep
		})
		if got := [2]uint32{whole.Vertices[1].O[0][0], whole.Vertices[1].O[1][0]}; got != want {
			t.Errorf("keep %t, second vertex: o0.x, o1.x: got %06x, want %06x", keep, got, want)
		}
	}
}

// A geometry run sets b15, and the next run reads it.
func TestB15(t *testing.T) {
	b := newBuilder().flow(decode.Inst{Op: pica.JMPU, Bool: 15}, "set", "").mov(o0, c0+1).stop()
	b.label("set").mov(o0, c0+2).stop()
	for stage, want := range map[pica.Stage][2]int{pica.Vertex: {1, 1}, pica.Geometry: {1, 2}} {
		_, out := run(t, profileF24, b, func(j *pica.Job) { j.Stage, j.Vertices = stage, make([][]pica.Vec4, 2) })
		for k, n := range want {
			if got := out.Vertices[k].O[0][0]; got != number(&profileF24, n) {
				t.Errorf("%v, run %d: o0.x 0x%06x, want 0x%06x", stage, k, got, number(&profileF24, n))
			}
		}
	}
}

func TestKeepAndInitial(t *testing.T) {
	b := newBuilder().op(decode.Inst{Op: pica.ADD, Dest: o0, Src: [3]uint8{c0 + 1, r0 + 4}}).add(4, 1).
		op(decode.Inst{Op: pica.MOVA, Src: [3]uint8{r0 + 4}}).equal(c0+9, r0+4).loop(0,
		"end").nop().label("end").stop()
	for _, p := range profiles {
		n := func(k int) pica.Vec4 {
			x := number(p, k)
			return pica.Vec4{x, x, x, x}
		}
		initial := &pica.State{AL: 77, Address: [2]int32{1, 2}, CC: [2]bool{true, true},
			Stacks: pica.Stacks{IfDepth: 3}}
		initial.R[4], initial.R[5], initial.O[7] = n(7), n(8), n(9)
		saved := *initial
		for _, keep := range []bool{false, true} {
			_, out := run(t, *p, b, ints([4]uint8{0, 3, 2}), func(j *pica.Job) {
				j.Initial, j.Keep, j.Vertices = initial, keep, make([][]pica.Vec4, 3)
			})
			for k := range out.Vertices {
				v := &out.Vertices[k]
				sum := 8
				if keep {
					sum += k
				}
				want := *initial
				want.Stacks = pica.Stacks{}
				want.R[4], want.O[0] = n(sum), n(sum)
				want.Address, want.AL, want.CC = [2]int32{int32(sum), int32(sum)}, 5, [2]bool{sum == 9, sum == 9}
				if v.State != want {
					t.Errorf("%s, keep %t, vertex %d (-want +got):\n%s", p.Name, keep, k, cmp.Diff(want, v.State))
				}
			}
			if *initial != saved {
				t.Fatal("the job was changed")
			}
		}
	}
}

// Input registers that a vertex does not give are +0, whatever the vertex before gave.
func TestMissingInputs(t *testing.T) {
	b := newBuilder().mov(o0, v0).mov(o0+1, v0+1).mov(o0+2, v0+15).stop()
	one := pica.Vec4{0x3F0000, 0x3F0000, 0x3F0000, 0x3F0000}
	_, out := run(t, profileF24, b, func(j *pica.Job) {
		j.InputFormat = pica.Float24
		j.Vertices = [][]pica.Vec4{slices.Repeat([]pica.Vec4{one}, 16), {one}, nil}
	})
	for k, want := range [][3]pica.Vec4{{one, one, one}, {one}, {}} {
		if got := [3]pica.Vec4(out.Vertices[k].O[:3]); got != want {
			t.Errorf("vertex %d: got %06x, want %06x", k, got, want)
		}
	}
}

func TestUploads(t *testing.T) {
	b := newBuilder().mov(o0, c0+95).mov(o0+1, c0).mov(o0+2, v0).stop()
	values := pica.Vec4{0x3F8000C0, 0xFFC12345, 0x18800000, 0x5F7FFFC0}
	for _, c := range []struct {
		profile *pica.Profile
		form    pica.NumberFormat
		want    pica.Vec4
	}{
		{&profileF24, pica.Float32, pica.Vec4{0x3F0002, 0xFF8000, 0x000001, 0x7F0000}},
		{&profileHW, pica.Float32, pica.Vec4{0x3F0001, 0xFF8000, 0x000001, 0x7EFFFF}},
		{&profileF32, pica.Float32, values},
		{&profileF24, pica.Float24, pica.Vec4{0x8000C0, 0xC12345, 0x800000, 0x7FFFC0}},
		{&profileF32, pica.Float24, pica.Vec4{0x9C400000, 0xC091A280, 0x80000000, 0x7FFFE000}},
	} {
		out, _ := run(t, *c.profile, b, func(j *pica.Job) {
			other := pica.Vec4{1, 2, 3, 4}
			j.Floats = []pica.Upload{
				{Register: 95, Format: pica.Float32, Values: []pica.Vec4{other}},
				{Register: 95, Format: c.form, Values: []pica.Vec4{values, other}},
				{Register: 1 << 40, Values: []pica.Vec4{other}},
				{Register: 0, Format: c.form, Values: []pica.Vec4{values}},
			}
			j.Vertices, j.InputFormat = [][]pica.Vec4{{values}}, c.form
		})
		for k := range 3 {
			if out.O[k] != c.want {
				t.Errorf("%s, form %d: o%d is %08x, want %08x", c.profile.Name, c.form, k, out.O[k], c.want)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		job  pica.Job
		want error
	}{
		{"4097 words", pica.Job{Program: pica.Program{Code: make([]uint32, 4097)}}, pica.ErrInvalidJob},
		{"129 descriptors", pica.Job{Program: pica.Program{Descriptors: make([]uint32, 129)}}, pica.ErrInvalidJob},
		{"entry 4096", pica.Job{Entry: 4096}, pica.ErrInvalidJob},
		{"entry -1", pica.Job{Entry: -1}, pica.ErrInvalidJob},
		{"17 inputs", pica.Job{Vertices: [][]pica.Vec4{nil, make([]pica.Vec4, 17)}}, pica.ErrInvalidJob},
		{"stage 2", pica.Job{Stage: 2}, pica.ErrInvalidJob},
		{"fused", pica.Job{Profile: with(profileF24, func(k *pica.Knobs) { k.MAD = pica.MADFused })},
			pica.ErrUnsupportedProfile},
		{"flow of another core", pica.Job{Profile: with(profileF24, func(k *pica.Knobs) { k.Flow = pica.FlowPanda })},
			pica.ErrUnsupportedProfile},
		{"unflushed truncation", pica.Job{Profile: with(profileF24, func(k *pica.Knobs) { k.Round = pica.RoundRZ })},
			pica.ErrUnsupportedProfile},
		{"exact upload into float24",
			pica.Job{Profile: with(profileF24, func(k *pica.Knobs) { k.Upload = pica.UploadExact })},
			pica.ErrUnsupportedProfile},
		{"f24 storage, f32 dot", pica.Job{Profile: with(profileF32, func(k *pica.Knobs) { k.Storage = pica.Float24 })},
			pica.ErrUnsupportedProfile},
		{"hazards 3", pica.Job{Profile: with(profileF24, func(k *pica.Knobs) { k.Hazards = 3 })},
			pica.ErrUnsupportedProfile},
	} {
		engine := vm.New()
		if err := engine.Run(&c.job, new(pica.Outcome)); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, err, c.want)
		}
		if _, err := vm.Compile(c.job.Program, c.job.Stage, &c.job.Profile); err == nil &&
			errors.Is(c.want, pica.ErrUnsupportedProfile) {
			t.Errorf("%s: compiled", c.name)
		}
		// The engine can be used afterwards.
		if err := engine.Run(&pica.Job{Profile: profileF24}, new(pica.Outcome)); err != nil {
			t.Errorf("%s: next job: %v", c.name, err)
		}
	}
}

// One engine runs different programs, stages and profiles in turn.
func TestEngineIsReusable(t *testing.T) {
	engine, out := vm.New(), new(pica.Outcome)
	one, two := newBuilder().mov(o0, c0+1).stop().program(t), newBuilder().mov(o0, c0+2).stop().program(t)
	u := pica.Upload{Format: pica.Float32,
		Values: []pica.Vec4{{}, {pica.Float32.Integer(1)}, {pica.Float32.Integer(2)}}}
	for k := range 12 {
		p := profiles[k%3]
		program, want := one, 1
		if k%2 != 0 {
			program, want = two, 2
		}
		job := &pica.Job{Program: program, Floats: []pica.Upload{u}, Profile: *p, Vertices: make([][]pica.Vec4, 1+k%4)}
		if err := engine.Run(job, out); err != nil {
			t.Fatal(err)
		}
		if len(out.Vertices) != 1+k%4 {
			t.Fatalf("run %d: %d vertices", k, len(out.Vertices))
		}
		for n := range out.Vertices {
			if got := out.Vertices[n].O[0][0]; got != number(p, want) {
				t.Errorf("run %d, vertex %d: o0.x 0x%06x, want 0x%06x", k, n, got, number(p, want))
			}
		}
	}
}

// TestEveryInstructionHasAKernel: the VM calls kernels without a check.
func TestEveryInstructionHasAKernel(t *testing.T) {
	for op := range pica.Opcode(pica.NumOpcodes) {
		if pica.Opcodes[op].Sources > 0 && !vm.HasKernel(op) {
			t.Errorf("%v has no kernel in some model", op)
		}
	}
}
