package compare_test

import (
	"testing"

	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/pica"
)

func TestClassify(t *testing.T) {
	const f24, f32 = pica.Float24, pica.Float32
	for _, c := range []struct {
		storage   pica.NumberFormat
		want, got uint32
		class     compare.DifferenceClass
	}{
		{f24, 0x3F0000, 0x3F0000, compare.ClassNone},
		{f24, 0x7F8000, 0xFF0001, compare.ClassNaNBits},
		{f24, 0x000000, 0x800000, compare.ClassZeroSign},
		{f24, 0x3F0000, 0x3F0001, compare.ClassOneStep},
		{f24, 0x800000, 0x000001, compare.ClassOneStep},
		{f24, 0x7EFFFF, 0x7F0000, compare.ClassOneStep},
		{f24, 0x3F0000, 0xBF0000, compare.ClassValue},
		{f24, 0x3F0000, 0x3F0002, compare.ClassValue},
		{f24, 0x7F0000, 0xFF0000, compare.ClassCategory},
		{f24, 0x3F0000, 0x7F8000, compare.ClassCategory},
		{f24, 0x000000, 0x3F0000, compare.ClassCategory},
		{f24, 0x3F0000, 0x13F0000, compare.ClassCategory},
		{f32, 0x7FC00000, 0x7F800001, compare.ClassNaNBits},
		{f32, 0x00000000, 0x80000000, compare.ClassZeroSign},
		{f32, 0x3F800000, 0x3F7FFFFF, compare.ClassOneStep},
		{f32, 0x3F800000, 0x40000000, compare.ClassValue},
	} {
		if got := compare.Classify(c.storage, c.want, c.got); got != c.class {
			t.Errorf("Classify(%d, %06x, %06x): got %v, want %v", c.storage, c.want, c.got, got, c.class)
		}
	}
}

// counter is an engine whose r0.x counts executed instructions, with a wrong count at one of
// them.
type counter struct{ length, wrongAt int }

func (counter) Name() string { return "counter" }

func (c counter) Run(job *pica.Job, out *pica.Outcome) error {
	out.Vertices = make([]pica.VertexOutcome, len(job.Vertices))
	for i := range out.Vertices {
		v := &out.Vertices[i]
		v.Steps = c.length
		if job.Budget > 0 && job.Budget < c.length {
			v.Steps = job.Budget
			v.Trap = pica.Trap{Cause: pica.TrapBudget, PC: job.Budget}
		}
		v.R[0][0] = uint32(v.Steps)
		if c.wrongAt < v.Steps {
			v.R[3][1] = 0x3F0000
		}
	}
	return nil
}

func TestLocateFindsTheFirstDivergingInstruction(t *testing.T) {
	const length = 100
	job := &pica.Job{Vertices: make([][]pica.Vec4, 1)}
	for n := range uint32(length) {
		job.Code = append(job.Code, n)
	}
	for wrongAt := range length {
		j := compare.Pair{Want: counter{length, length}, Got: counter{length, wrongAt}}
		v, d, err := j.Run(job)
		if err != nil || v != compare.Differ || d.Where != "r3.y" {
			t.Fatalf("wrong at %d: got %v, %v, %v", wrongAt, v, d, err)
		}
		at, err := j.Locate(job, d)
		if err != nil || at.Step != wrongAt || at.PC != wrongAt || at.Word != uint32(wrongAt) {
			t.Fatalf("wrong at %d: got step %d, pc %d, word %x, %v", wrongAt, at.Step, at.PC, at.Word, err)
		}
	}
}

func TestOutcomesNamesThePlace(t *testing.T) {
	type change func(v *pica.VertexOutcome)
	for _, c := range []struct {
		name   string
		class  compare.DifferenceClass
		change change
	}{
		{"r15.w", compare.ClassValue, func(v *pica.VertexOutcome) { v.R[15][3] = 0x410000 }},
		{"o2.z", compare.ClassValue, func(v *pica.VertexOutcome) { v.O[2][2] = 0x410000 }},
		{"a0.y", compare.ClassAddress, func(v *pica.VertexOutcome) { v.Address[1] = -1 }},
		{"aL", compare.ClassAddress, func(v *pica.VertexOutcome) { v.AL = 3 }},
		{"cc.x", compare.ClassFlag, func(v *pica.VertexOutcome) { v.CC[0] = true }},
		{"trap", compare.ClassTrap, func(v *pica.VertexOutcome) { v.Trap.Cause = pica.TrapHang }},
		{"steps", compare.ClassFlow, func(v *pica.VertexOutcome) { v.Steps++ }},
		{"pc", compare.ClassFlow, func(v *pica.VertexOutcome) { v.Trap.PC = 7 }},
		{"end", compare.ClassFlow, func(v *pica.VertexOutcome) { v.Trap.Cause = pica.TrapBudget }},
		{"loop stack count", compare.ClassFlow, func(v *pica.VertexOutcome) { v.Stacks.Loop[0].Count = 1 }},
		{"if stack depth", compare.ClassFlow, func(v *pica.VertexOutcome) { v.Stacks.IfDepth = 1 }},
		{"call stack return", compare.ClassFlow, func(v *pica.VertexOutcome) { v.Stacks.Call[3].Return = 1 }},
		{"primitives", compare.ClassShape, func(v *pica.VertexOutcome) { v.Primitives = v.Primitives[:0] }},
		{"primitive 0 winding", compare.ClassFlow, func(v *pica.VertexOutcome) { v.Primitives[0].Inverted = true }},
		{"primitive 0 slot 2 o1.x", compare.ClassValue,
			func(v *pica.VertexOutcome) { v.Primitives[0].Vertices[2][1][0] = 0x410000 }},
		{"skipped opcodes", compare.ClassFlow, func(v *pica.VertexOutcome) { v.Skipped = []pica.Opcode{pica.DST} }},
		{"hazards", compare.ClassFlow,
			func(v *pica.VertexOutcome) { v.Hazards = []pica.Trap{{Cause: pica.TrapHang}} }},
	} {
		base := func() *pica.Outcome {
			o := &pica.Outcome{Vertices: make([]pica.VertexOutcome, 2)}
			v := &o.Vertices[1]
			v.Primitives = make([]pica.Primitive, 1)
			v.R[15][3], v.O[2][2], v.Primitives[0].Vertices[2][1][0] = 0x3F0000, 0x3F0000, 0x3F0000
			return o
		}
		want, got := base(), base()
		if v, d := compare.Outcomes(want, got); v != compare.Equal {
			t.Fatalf("%s: equal outcomes: %v %v", c.name, v, d)
		}
		c.change(&got.Vertices[1])
		v, d := compare.Outcomes(want, got)
		if v != compare.Differ || d.Where != c.name || d.Class != c.class || d.Vertex != 1 {
			t.Errorf("%s: got %v %v", c.name, v, d)
		}
		want.Vertices[1].Trap.Cause = pica.TrapUnsupported
		if v, _ := compare.Outcomes(want, got); v != compare.Undefined {
			t.Errorf("%s: reference makes no prediction: got %v", c.name, v)
		}
	}
}
