package vm_test

import (
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"weak"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
	"github.com/picaproof/picaproof/pica/vm"
)

// A run of a batch allocates nothing, on any tier.
func TestBatchAllocatesNothing(t *testing.T) {
	for _, b := range samples.Benchmarks(t) {
		for tier := vm.TierScalar; tier < vm.NumTiers; tier++ {
			code, batch := benchBatch(t, b, &profileF24)
			batch.Tier, batch.Count = tier, 130
			// The pool of machines may be emptied at any time, and under the race detector it is. One run in fifty
			// must find a machine there.
			least := math.Inf(1)
			for range 50 {
				least = min(least, testing.AllocsPerRun(1, func() {
					if _, err := code.Run(batch); err != nil {
						t.Fatal(err)
					}
				}))
			}
			if least != 0 {
				t.Errorf("%s %v: %v allocations a run", b.Name, tier, least)
			}
		}
	}
}

// One compiled program serves several goroutines.
func TestBatchesAtOnce(t *testing.T) {
	for _, b := range samples.Benchmarks(t) {
		code, first := benchBatch(t, b, &profileHW)
		want, ok := b.Checksum["hw"]
		if !ok {
			continue
		}
		var group sync.WaitGroup
		for n := range 4 {
			group.Go(func() {
				batch := *first
				batch.Tier = vm.Tier(n)
				batch.Steps = nil
				batch.OutRows = make([]pica.Vec4, len(first.OutRows))
				if _, err := code.Run(&batch); err != nil {
					t.Error(err)
				} else if got := foldRows(batch.OutRows); got != want {
					t.Errorf("%s %v: got %016x, want %016x", b.Name, batch.Tier, got, want)
				}
			})
		}
		group.Wait()
	}
}

// A batch can be interrupted on every tier: an endless one, one of many vertices that end at once, and
// a huge one.
func TestBatchIsInterrupted(t *testing.T) {
	endless := newBuilder().label("here").flow(decode.Inst{Op: pica.JMPU, Num: 1}, "here", "")
	for _, c := range []struct {
		program *builder
		count   int
	}{{endless, 1 << 16}, {newBuilder().op(decode.Inst{Op: 0x10}), 1 << 20}, {newBuilder().stop(), 1 << 59}} {
		code, err := vm.Compile(c.program.program(t), pica.Vertex, &profileF24)
		if err != nil {
			t.Fatal(err)
		}
		for tier := vm.TierScalar; tier < vm.NumTiers; tier++ {
			calls := 0
			_, err := code.Run(&vm.Batch{Count: c.count, Budget: 1 << 40, Tier: tier, Proceed: func() bool {
				calls++
				return calls < 5
			}})
			if !errors.Is(err, pica.ErrInterrupted) || calls != 5 {
				t.Errorf("%d vertices, %v: %v after %d calls", c.count, tier, err, calls)
			}
		}
	}
}

// Uploads to registers that the console lacks are ignored.
func TestUploadsBeyond(t *testing.T) {
	code, err := vm.Compile(newBuilder().mov(o0, c0+95).stop().program(t), pica.Vertex, &profileF32)
	if err != nil {
		t.Fatal(err)
	}
	values := []pica.Vec4{{1}, {2}, {3}}
	for tier := vm.TierScalar; tier < vm.NumTiers; tier++ {
		b := vm.Batch{Count: 1, Tier: tier, OutMask: 1, OutFormat: pica.Float32, OutRows: make([]pica.Vec4, 1),
			Floats: []pica.Upload{
				{Register: 95, Format: pica.Float32, Values: values},
				{Register: math.MaxInt, Format: pica.Float32, Values: values}}}
		if _, err := code.Run(&b); err != nil || b.OutRows[0] != values[0] {
			t.Errorf("%v: %v, %v, want %v", tier, b.OutRows[0], err, values[0])
		}
	}
}

// A compiled program that runs again with only boolean or integer uniforms changed takes other paths.
func TestUniformsBetweenBatches(t *testing.T) {
	b := newBuilder().loop(0, "end").add(0, 1).label("end").
		flow(decode.Inst{Op: pica.CALLU, Bool: 2}, "sub", "finish").finish().label("sub").add(0, 16).label("finish")
	code, err := vm.Compile(b.program(t), pica.Vertex, &profileF32)
	if err != nil {
		t.Fatal(err)
	}
	c := make([]pica.Vec4, 17)
	for k := range c {
		c[k][0] = pica.Float32.Integer(int64(k))
	}
	for tier := vm.TierScalar; tier < vm.NumTiers; tier++ {
		for _, u := range []struct {
			passes uint8
			bools  uint16
			want   int64
		}{{0, 0, 1}, {0, 1 << 2, 17}, {4, 1 << 2, 21}, {4, 0, 5}, {3, 0, 4}} {
			batch := &vm.Batch{Count: 100, Floats: []pica.Upload{{Format: pica.Float32, Values: c}}, Tier: tier,
				Ints: [pica.NumInts][4]uint8{{u.passes}}, Bools: u.bools,
				OutMask: 1, OutFormat: pica.Float32, OutRows: make([]pica.Vec4, 100)}
			if _, err := code.Run(batch); err != nil {
				t.Fatal(err)
			}
			for k := range batch.OutRows {
				if got, want := batch.OutRows[k][0], pica.Float32.Integer(u.want); got != want {
					t.Fatalf("%v, %d passes, booleans %#x, vertex %d: got %#x, want %#x", tier, u.passes+1,
						u.bools, k, got, want)
				}
			}
		}
	}
}

// A batch runs on the requested tier, and hands no vertex down without need. Without native code, its
// vertices run on the batch tier.
func TestTierOfABatch(t *testing.T) {
	b := newBuilder().op(mova).add(0, 1).op(mova).label("here").finish()
	code, err := vm.Compile(b.program(t), pica.Vertex, &profileHW)
	if err != nil {
		t.Fatal(err)
	}
	const count = 1000
	for tier := vm.TierScalar; tier < vm.NumTiers; tier++ {
		stats, err := code.Run(&vm.Batch{Count: count, Tier: tier, OutFormat: pica.Float32})
		if err != nil {
			t.Fatal(err)
		}
		var want vm.Stats
		switch {
		case tier == vm.TierScalar, tier == vm.TierBatch:
			want.Vertices[tier] = count
		case stats.Vertices[vm.TierNative] > 0:
			want.Vertices[vm.TierNative] = count
		default:
			want.Vertices[vm.TierBatch] = count
		}
		if stats != want {
			t.Errorf("%v: got %v, want %v", tier, stats, want)
		}
	}
}

// Every vertex that is handed down is counted under its own reason.
func TestReasons(t *testing.T) {
	// Vertices with a positive v0.x trap, with a negative one they run past the last word.
	b := newBuilder().op(decode.Inst{Op: pica.CMP, CmpX: pica.CmpLT, CmpY: pica.CmpLT, Src: [3]uint8{v0, r0}}).
		jump("end").op(decode.Inst{Op: 0x10}).label("end").nop()
	code, err := vm.Compile(b.program(t), pica.Vertex, &profileF24)
	if err != nil {
		t.Fatal(err)
	}
	batch := vm.Batch{Count: 64, Registers: 1, Format: pica.Float32, Rows: make([]pica.Vec4, 64), Tier: vm.TierBatch}
	for k := range batch.Rows {
		batch.Rows[k] = pica.Vec4{pica.Float32.Integer(int64(k - 24))}
	}
	stats, err := code.Run(&batch)
	if err != nil {
		t.Fatal(err)
	}
	var want vm.Stats
	want.Vertices[vm.TierScalar], want.HandedDown[vm.ReasonBeyond], want.HandedDown[vm.ReasonTrap] = 64, 24, 40
	if stats != want {
		t.Errorf("got %v, want %v", stats, want)
	}
}

// The scalar tier runs some vertices behind a chunk that lanes lost wholly, and four times as many behind the next.
func TestPause(t *testing.T) {
	// Vertices trap unless v0.x is negative.
	b := newBuilder().op(decode.Inst{Op: pica.CMP, CmpX: pica.CmpLT, CmpY: pica.CmpLT, Src: [3]uint8{v0, r0}}).
		jump("end").op(decode.Inst{Op: 0x10}).label("end").stop()
	code, err := vm.Compile(b.program(t), pica.Vertex, &profileF24)
	if err != nil {
		t.Fatal(err)
	}
	const count = 50 * 64
	for traps, want := range map[int]vm.Stats{
		// Chunk 0 is lost, 1 to 4 follow it, 5 is lost, 6 to 25 follow it, 26 is lost, 27 to 49 follow it.
		count: {Vertices: [vm.NumTiers]int{vm.TierScalar: count},
			HandedDown: [vm.NumReasons]int{vm.ReasonTrap: 3 * 64, vm.ReasonPause: 47 * 64}},
		// Chunk 0 is lost, 1 to 4 follow it.
		64: {Vertices: [vm.NumTiers]int{vm.TierScalar: 5 * 64, vm.TierBatch: 45 * 64},
			HandedDown: [vm.NumReasons]int{vm.ReasonTrap: 64, vm.ReasonPause: 4 * 64}},
	} {
		batch := vm.Batch{Count: count, Registers: 1, Format: pica.Float32, Rows: make([]pica.Vec4, count),
			Tier: vm.TierBatch}
		for k := traps; k < count; k++ {
			batch.Rows[k] = pica.Vec4{pica.Float32.Integer(-1)}
		}
		stats, err := code.Run(&batch)
		if err != nil {
			t.Fatal(err)
		}
		if stats != want {
			t.Errorf("%d vertices trap: got %v, want %v", traps, stats, want)
		}
	}
}

// A vertex is handed down once, even if the word behind the one that stops it would do so, too.
func TestHandedDownOnce(t *testing.T) {
	traps := with(profileF24, func(k *pica.Knobs) { k.Hazards = pica.HazardsTrap })
	for reason, i := range map[vm.Reason]decode.Inst{
		vm.ReasonTrap:   {Op: pica.BREAK},
		vm.ReasonRemark: {Op: pica.ADD, Dest: o0, Src: [3]uint8{v0, v0 + 1}},
	} {
		code, err := vm.Compile(newBuilder().op(i).op(i).stop().program(t), pica.Vertex, &traps)
		if err != nil {
			t.Fatal(err)
		}
		stats, err := code.Run(&vm.Batch{Count: 64, Tier: vm.TierBatch})
		if err != nil {
			t.Fatal(err)
		}
		var want vm.Stats
		want.Vertices[vm.TierScalar], want.HandedDown[reason] = 64, 64
		if stats != want {
			t.Errorf("got %v, want %v", stats, want)
		}
	}
}

// TestArithmetic: vector instructions do not compute with a NaN, from a vertex or a uniform, nor a result that is
// one; the lanes without them then run the vertices.
func TestArithmetic(t *testing.T) {
	infinity := pica.Float32.Infinity()
	for name, x := range map[string]struct{ a, b, uniform uint32 }{"input": {infinity + 1, 0, 0},
		"result": {infinity, infinity | 1<<31, 0}, "uniform": {0, 0, infinity + 1}} {
		code, err := vm.Compile(newBuilder().op(decode.Inst{Op: pica.ADD, Dest: o0, Src: [3]uint8{v0, v0 + 1}}).
			stop().program(t), pica.Vertex, &profileF32)
		if err != nil {
			t.Fatal(err)
		}
		batch := vm.Batch{Count: 64, Registers: 2, Format: pica.Float32, Rows: make([]pica.Vec4, 128),
			OutFormat: pica.Float32,
			Floats:    []pica.Upload{{Register: 95, Format: pica.Float32, Values: []pica.Vec4{{3: x.uniform}}}}}
		batch.Rows[18], batch.Rows[19] = pica.Vec4{x.a}, pica.Vec4{x.b}
		stats, err := code.Run(&batch)
		if err != nil {
			t.Fatal(err)
		}
		var want vm.Stats
		if want.Vertices[vm.TierBatch] = 64; vm.Native() {
			want.HandedDown[vm.ReasonArithmetic] = 64
		}
		if stats != want {
			t.Errorf("%s: got %v, want %v", name, stats, want)
		}
	}
}

// An instruction without a lane operation runs on the scalar tier, with its kernel.
func TestNoLaneOperation(t *testing.T) {
	for _, op := range []pica.Opcode{pica.ADD, pica.RCP} {
		program := newBuilder().op(decode.Inst{Op: op, Dest: o0, Src: [3]uint8{v0, v0}}).stop().program(t)
		var out [2][]pica.Vec4
		for k, reason := range []vm.Reason{vm.ReasonNone, vm.ReasonInstruction} {
			code, err := vm.Compile(program, pica.Vertex, &profileF24)
			if err != nil {
				t.Fatal(err)
			}
			if reason != vm.ReasonNone {
				defer vm.ForgetLane(op)()
			}
			out[k] = make([]pica.Vec4, 64)
			batch := vm.Batch{Count: 64, Registers: 1, Format: pica.Float32, Rows: make([]pica.Vec4, 64), OutMask: 1,
				OutFormat: pica.Float32,
				OutRows:   out[k], Tier: vm.TierBatch}
			for n := range batch.Rows {
				batch.Rows[n] = pica.Vec4{pica.Float32.Integer(int64(n + 1))}
			}
			stats, err := code.Run(&batch)
			if err != nil {
				t.Fatal(err)
			}
			if reason != vm.ReasonNone && stats.HandedDown[reason] != 64 {
				t.Errorf("%v: %v, want 64 vertices handed down", op, stats)
			}
		}
		if !slices.Equal(out[0], out[1]) {
			t.Errorf("%v: the tiers differ", op)
		}
	}
}

// An ignored instruction and a hazard that the run survives cost no tier if nobody reads remarks. A
// hazard that ends the run does.
func TestRemarks(t *testing.T) {
	logs := profileF24
	logs.Knobs.Hazards = pica.HazardsWarn
	traps := profileF24
	traps.Knobs.Hazards = pica.HazardsTrap
	for _, c := range []struct {
		name    string
		i       decode.Inst
		profile *pica.Profile
		tier    vm.Tier
	}{
		{"ignored", decode.Inst{Op: pica.LITP, Dest: o0 + 1, Src: [3]uint8{v0}}, &profileF32, vm.TierBatch},
		{"survived", decode.Inst{Op: pica.ADD, Dest: o0 + 1, Src: [3]uint8{v0, v0 + 1}}, &logs, vm.TierBatch},
		{"ending", decode.Inst{Op: pica.ADD, Dest: o0 + 1, Src: [3]uint8{v0, v0 + 1}}, &traps, vm.TierScalar},
	} {
		program := newBuilder().op(c.i).op(decode.Inst{Op: pica.MOV, Dest: o0, Src: [3]uint8{v0}}).finish().program(t)
		code, err := vm.Compile(program, pica.Vertex, c.profile)
		if err != nil {
			t.Fatal(err)
		}
		var out [2][]pica.Vec4
		for k, tier := range []vm.Tier{vm.TierScalar, vm.TierBatch} {
			out[k] = make([]pica.Vec4, 2*64)
			batch := vm.Batch{Count: 64, Registers: 2, Format: pica.Float32, Rows: make([]pica.Vec4, 2*64), OutMask: 3,
				OutFormat: pica.Float32,
				OutRows:   out[k], Tier: tier}
			for n := range batch.Rows {
				batch.Rows[n] = pica.Vec4{pica.Float32.Integer(int64(n + 1))}
			}
			stats, err := code.Run(&batch)
			if err != nil {
				t.Fatal(err)
			}
			if k == 1 && stats.Vertices[c.tier] != 64 {
				t.Errorf("%s: got %v, want 64 vertices on the tier %v", c.name, stats, c.tier)
			}
		}
		if !slices.Equal(out[0], out[1]) {
			t.Errorf("%s: the tiers differ", c.name)
		}
	}
}

// The vertices of a geometry program depend on each other and run one by one.
func TestGeometryBatch(t *testing.T) {
	code, err := vm.Compile(newBuilder().finish().program(t), pica.Geometry, &profileHW)
	if err != nil {
		t.Fatal(err)
	}
	for _, tier := range []vm.Tier{vm.TierBatch, vm.TierNative} {
		stats, err := code.Run(&vm.Batch{Count: 70, Tier: tier, OutFormat: pica.Float32})
		if err != nil {
			t.Fatal(err)
		}
		var want vm.Stats
		want.Vertices[vm.TierScalar], want.HandedDown[vm.ReasonGeometry] = 70, 70
		if stats != want {
			t.Errorf("%v: got %v, want %v", tier, stats, want)
		}
	}
}

// Inputs in binary32 with more bits than float24 has are converted, in whole groups of lanes and in the
// remaining lanes, from rows and from columns.
func TestInputsAreConverted(t *testing.T) {
	program := newBuilder().mov(o0, v0).stop().program(t)
	for _, profile := range []*pica.Profile{&profileHW, &profileF24} {
		code, err := vm.Compile(program, pica.Vertex, profile)
		if err != nil {
			t.Fatal(err)
		}
		for _, count := range []int{1, 7, 8, 13, 64, 65} {
			rows, columns := make([]pica.Vec4, count), make([][]uint32, 4)
			for k := range rows {
				for j := range rows[k] {
					rows[k][j] = 0x3F800000 + uint32(33*k+j) // some have no more bits than float24
					columns[j] = append(columns[j], rows[k][j])
				}
			}
			run := func(tier vm.Tier, b vm.Batch) []pica.Vec4 {
				b.Tier, b.Count, b.Registers, b.Format = tier, count, 1, pica.Float32
				b.OutMask, b.OutFormat, b.OutRows = 1, pica.Float32, make([]pica.Vec4, count)
				if _, err := code.Run(&b); err != nil {
					t.Fatal(err)
				}
				return b.OutRows
			}
			want := run(vm.TierScalar, vm.Batch{Rows: rows})
			for tier := vm.TierScalar; tier < vm.NumTiers; tier++ {
				for _, inputs := range []vm.Batch{{Rows: rows}, {Columns: columns}} {
					if diff := cmp.Diff(want, run(tier, inputs)); diff != "" {
						t.Errorf("%v, %d vertices, columns %v:\n%s", tier, count, inputs.Columns != nil, diff)
					}
				}
			}
		}
	}
}

// A reused outcome has no data of the run before.
func TestOutcomeIsReused(t *testing.T) {
	job := &pica.Job{Program: newBuilder().finish().program(t), Profile: profileHW, Vertices: make([][]pica.Vec4, 100)}
	var fresh pica.Outcome
	if err := vm.NewTier(vm.TierScalar).Run(job, &fresh); err != nil {
		t.Fatal(err)
	}
	for tier := vm.TierScalar; tier < vm.NumTiers; tier++ {
		var used pica.Outcome
		used.Vertices = make([]pica.VertexOutcome, len(job.Vertices))
		for k := range used.Vertices {
			v := &used.Vertices[k]
			v.Steps, v.Trap.Cause, v.Uninitialised = 77, pica.TrapHang, math.MaxUint16
			v.Skipped, v.Hazards = []pica.Opcode{pica.ADD}, []pica.Trap{{PC: 5}}
			v.AL, v.CC, v.Address = 3, [2]bool{true, true}, [2]int32{4, 5}
		}
		if err := vm.NewTier(tier).Run(job, &used); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(fresh, used, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%v: fresh and used differ:\n%s", tier, diff)
		}
	}
}

// After a run an engine keeps neither the job nor the outcome.
func TestEngineHoldsNothing(t *testing.T) {
	for tier := vm.TierScalar; tier < vm.NumTiers; tier++ {
		engine := vm.NewTier(tier)
		out, job := func() (weak.Pointer[pica.Outcome], weak.Pointer[pica.Job]) {
			job := &pica.Job{Program: newBuilder().finish().program(t), Profile: profileHW,
				Vertices: make([][]pica.Vec4, 100)}
			out := new(pica.Outcome)
			if err := engine.Run(job, out); err != nil {
				t.Fatal(err)
			}
			return weak.Make(out), weak.Make(job)
		}()
		runtime.GC()
		if out.Value() != nil || job.Value() != nil {
			t.Errorf("%v: kept job %v, outcome %v", tier, job.Value() != nil, out.Value() != nil)
		}
		runtime.KeepAlive(engine)
	}
}

// A batch that does not fit its slices is refused.
func TestBatchIsChecked(t *testing.T) {
	code, err := vm.Compile(newBuilder().stop().program(t), pica.Vertex, &profileF32)
	if err != nil {
		t.Fatal(err)
	}
	shared, column := make([]pica.Vec4, 3), make([]uint32, 3)
	for want, b := range map[string]*vm.Batch{
		"1 rows for 2 vertices of 1 registers": {
			Count: 2, Registers: 1, Rows: make([]pica.Vec4, 1)},
		"0 rows for 1152921504606846976 vertices of 16 registers": {Count: 1 << 60, Registers: 16},
		"0 rows for 1152921504606846976 vertices of 1 outputs":    {Count: 1 << 60, OutMask: 1},
		"rows of inputs and outputs overlap": {
			Count: 2, Registers: 1, OutMask: 1, Rows: shared[:2], OutRows: shared[1:]},
		"column 4 of the inputs and column 1 of the outputs overlap": {Count: 2, Registers: 2, OutMask: 1,
			Columns:    [][]uint32{nil, nil, nil, nil, column, nil, nil, nil},
			OutColumns: [][]uint32{nil, column[1:], nil, nil}},
		"-1 vertices of 0 registers":         {Count: -1},
		"0 vertices of -1 registers":         {Registers: -1},
		"0 vertices of 17 registers":         {Registers: 17},
		"3 columns for 1 registers":          {Count: 1, Registers: 1, Columns: make([][]uint32, 3)},
		"column 0 holds 1 of 2 vertices":     {Count: 2, Registers: 1, Columns: [][]uint32{{1}, nil, nil, nil}},
		"3 rows for 2 vertices of 2 outputs": {Count: 2, OutMask: 3, OutRows: make([]pica.Vec4, 3)},
		"3 columns for 1 outputs":            {Count: 1, OutMask: 1, OutColumns: make([][]uint32, 3)},
		"0 traps and 0 steps for 1 vertices": {Count: 1, Traps: []pica.Trap{}},
	} {
		b.OutFormat = pica.Float32
		if _, err := code.Run(b); !errors.Is(err, vm.ErrInvalidBatch) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if _, err := code.Run(&vm.Batch{OutFormat: pica.Float24}); !errors.Is(err, vm.ErrInvalidBatch) {
		t.Errorf("format: %v", err)
	}
	if _, err := code.Run(&vm.Batch{Entry: -1, OutFormat: pica.Float32}); !errors.Is(err, pica.ErrInvalidJob) {
		t.Errorf("entry: %v", err)
	}
	// Rows are not used beside columns, so they may overlap.
	for name, b := range map[string]*vm.Batch{
		"in":  {Columns: make([][]uint32, 4)},
		"out": {OutColumns: make([][]uint32, 4)},
	} {
		b.Count, b.Registers, b.OutMask, b.OutFormat, b.Rows, b.OutRows = 2, 1, 1, pica.Float32, shared[:2], shared[1:]
		if _, err := code.Run(b); err != nil {
			t.Errorf("columns %s: %v", name, err)
		}
	}
}

func TestTierNames(t *testing.T) {
	for tier, want := range map[vm.Tier]string{vm.TierAuto: "auto", vm.TierScalar: "scalar", vm.TierBatch: "batch",
		vm.TierNative: "native", vm.NumTiers: "Tier(4)"} {
		if got := tier.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
