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

// TestOutcomes names the first difference.
func TestOutcomes(t *testing.T) {
	type change func(o *pica.Outcome, v *pica.VertexOutcome)
	for _, c := range []struct {
		want   string
		change change
	}{
		{"vertex 0: storage: shape: want float24, got float32",
			func(o *pica.Outcome, _ *pica.VertexOutcome) { o.Storage = pica.Float32 }},
		{"vertex 0: vertices: shape: want 2, got 1",
			func(o *pica.Outcome, _ *pica.VertexOutcome) { o.Vertices = o.Vertices[:1] }},
		{"vertex 1: b0-b15: boolean uniform: want 0000, got 8001",
			func(o *pica.Outcome, _ *pica.VertexOutcome) { o.Bools = 0x8001 }},
		{"vertex 1: r15.w: value: want 3f0000, got 410000",
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.R[15][3] = 0x410000 }},
		{"vertex 1: o2.z: value: want 3f0000, got 410000",
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.O[2][2] = 0x410000 }},
		{"vertex 1: a0.x: address register: want 0, got 2",
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.Address[0] = 2 }},
		{"vertex 1: a0.y: address register: want 0, got -1",
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.Address[1] = -1 }},
		{"vertex 1: aL: address register: want 0, got 3",
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.AL = 3 }},
		{"vertex 1: cc.x: condition flag: want false, got true",
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.CC[0] = true }},
		{"vertex 1: cc.y: condition flag: want false, got true",
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.CC[1] = true }},
		{"vertex 1: trap: trap: want none, got hang at 0",
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.Trap.Cause = pica.TrapHang }},
		{"vertex 1: steps: control flow: want 0, got 1",
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.Steps++ }},
		{"vertex 1: pc: control flow: want 0, got 7",
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.Trap.PC = 7 }},
		{"vertex 1: end: control flow: want true, got false",
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.Trap.Cause = pica.TrapBudget }},
		{"vertex 1: call stack depth: control flow: want 0, got 1",
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.Stacks.CallDepth = 1 }},
		{"vertex 1: if stack depth: control flow: want 0, got 1",
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.Stacks.IfDepth = 1 }},
		{"vertex 1: loop stack depth: control flow: want 0, got 1",
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.Stacks.LoopDepth = 1 }},
		{"vertex 1: call stack end: control flow: want 0 in entry 0, got 1",
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.Stacks.Call[0].End = 1 }},
		{"vertex 1: call stack return: control flow: want 0 in entry 3, got 1",
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.Stacks.Call[3].Return = 1 }},
		{"vertex 1: if stack else: control flow: want 0 in entry 7, got 1",
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.Stacks.If[7].Else = 1 }},
		{"vertex 1: if stack end: control flow: want 0 in entry 0, got 1",
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.Stacks.If[0].End = 1 }},
		{"vertex 1: loop stack entry: control flow: want 0 in entry 0, got 1",
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.Stacks.Loop[0].Entry = 1 }},
		{"vertex 1: loop stack end: control flow: want 0 in entry 3, got 1",
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.Stacks.Loop[3].End = 1 }},
		{"vertex 1: loop stack count: control flow: want 0 in entry 0, got 1",
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.Stacks.Loop[0].Count = 1 }},
		{"vertex 1: loop stack step: control flow: want 0 in entry 0, got 1",
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.Stacks.Loop[0].Step = 1 }},
		{"vertex 1: loop stack outer aL: control flow: want 0 in entry 0, got 1",
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.Stacks.Loop[0].OuterAL = 1 }},
		{"vertex 1: primitives: shape: want 1, got 0",
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.Primitives = v.Primitives[:0] }},
		{"vertex 1: primitive 0 winding: control flow: want false, got true",
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.Primitives[0].Inverted = true }},
		{"vertex 1: primitive 0 slot 2 o1.x: value: want 3f0000, got 410000",
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.Primitives[0].Vertices[2][1][0] = 0x410000 }},
		{"vertex 1: skipped opcodes: control flow: want [], got [dst]",
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.Skipped = []pica.Opcode{pica.DST} }},
		{"vertex 1: hazards: control flow: want [], got [hang at 0]",
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.Hazards = []pica.Trap{{Cause: pica.TrapHang}} }},
	} {
		base := func() *pica.Outcome {
			o := &pica.Outcome{Vertices: make([]pica.VertexOutcome, 2)}
			v := &o.Vertices[1]
			v.Primitives = make([]pica.Primitive, 1)
			v.R[15][3], v.O[2][2], v.Primitives[0].Vertices[2][1][0] = 0x3F0000, 0x3F0000, 0x3F0000
			return o
		}
		want, got := base(), base()
		if v, d := compare.Outcomes(want, got); v != compare.Equal || d != (compare.Difference{}) {
			t.Fatalf("equal outcomes: %v %v", v, d)
		}
		c.change(got, &got.Vertices[1])
		if v, d := compare.Outcomes(want, got); v != compare.Differ || d.String() != c.want {
			t.Errorf("got %v, %q, want %q", v, d, c.want)
		}
		want.Vertices[1].Trap.Cause = pica.TrapUnsupported
		v, _ := compare.Outcomes(want, got)
		if undefined := got.Storage == want.Storage && len(got.Vertices) == 2; (v == compare.Undefined) != undefined {
			t.Errorf("%s: the reference makes no prediction: got %v", c.want, v)
		}
	}
}

// TestReplies compares the answers of cores in other processes by value.
func TestReplies(t *testing.T) {
	type change func(o *pica.Outcome, v *pica.VertexOutcome)
	none := func(*pica.Outcome, *pica.VertexOutcome) {}
	value := func(_ *pica.Outcome, v *pica.VertexOutcome) { v.R[15][3] = 0x41000000 }
	for _, c := range []struct {
		name, want string
		here       change // of the reference
		change     change
	}{
		{"equal", "equal", none, none},
		{"trap here", "undefined", func(_ *pica.Outcome, v *pica.VertexOutcome) { v.Trap.Cause = pica.TrapHang }, none},
		{"trap there", "differ: vertex 1: trap: trap: want none, got hang at 0", none,
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.Trap = pica.Trap{Cause: pica.TrapHang, PC: 3} }},
		{"vertices", "differ: vertex 0: vertices: shape: want 2, got 1", none,
			func(o *pica.Outcome, _ *pica.VertexOutcome) { o.Vertices = o.Vertices[:1] }},
		{"value", "differ: vertex 1: r15.w: value: want 40000000, got 41000000", none, value},
		{"value of the first vertex", "differ: vertex 0: o3.x: other class: want 00000000, got 41000000", none,
			func(o *pica.Outcome, _ *pica.VertexOutcome) { o.Vertices[0].O[3][0] = 0x41000000 }},
		{"no temporaries", "equal", none, func(o *pica.Outcome, v *pica.VertexOutcome) {
			value(o, v)
			o.Reply.Unreported = pica.RegTemporaries
		}},
		{"logged", "not comparable: vertex 1: r15.w: value: want 40000000, got 41000000", none,
			func(o *pica.Outcome, v *pica.VertexOutcome) {
				value(o, v)
				o.Reply.Log = []string{"skipped"}
			}},
		{"skipped here, too", "differ: vertex 1: r15.w: value: want 40000000, got 41000000",
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.Skipped = []pica.Opcode{pica.EX2} },
			func(o *pica.Outcome, v *pica.VertexOutcome) {
				value(o, v)
				o.Reply.Log = []string{"skipped"}
			}},
		{"NaN", "equal", func(_ *pica.Outcome, v *pica.VertexOutcome) { v.O[0][0] = 0x7F8000 },
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.O[0][0] = 0xFF800001 }},
		{"infinity is no NaN", "differ: vertex 1: o0.x: other class: want 7f800000, got 7fc00000",
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.O[0][0] = 0x7F0000 },
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.O[0][0] = 0x7F800001 }},
		{"aL", "differ: vertex 1: aL: address register: want 0, got 3", none,
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.AL = 3 }},
		{"a0", "differ: vertex 1: a0.x: address register: want 0, got 3", none,
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.Address[0] = 3 }},
		{"cc", "differ: vertex 1: cc.y: condition flag: want false, got true", none,
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.CC[1] = true }},
		{"what an answer does not say", "equal", none, func(o *pica.Outcome, v *pica.VertexOutcome) {
			v.Steps, v.Stacks.IfDepth, v.Hazards, o.Bools = 7, 1, []pica.Trap{{}}, 1
		}},
		{"primitives", "differ: vertex 1: primitives: shape: want 1, got 0", none,
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.Primitives = nil }},
		{"winding", "differ: vertex 1: primitive 0 winding: control flow: want false, got true", none,
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.Primitives[0].Inverted = true }},
		{"primitive", "differ: vertex 1: primitive 0 slot 2 o1.x: value: want 3f800000, got 3f800080", none,
			func(_ *pica.Outcome, v *pica.VertexOutcome) { v.Primitives[0].Vertices[2][1][0] = 0x3F800080 }},
	} {
		want := &pica.Outcome{Vertices: make([]pica.VertexOutcome, 2)}
		w := &want.Vertices[1]
		w.R[15][3], w.Primitives = 0x400000, make([]pica.Primitive, 1)
		w.Primitives[0].Vertices[2][1][0] = 0x3F0000
		got := &pica.Outcome{Storage: pica.Float32, Vertices: make([]pica.VertexOutcome, 2), Reply: &pica.Reply{}}
		g := &got.Vertices[1]
		g.R[15][3], g.Primitives = 0x40000000, make([]pica.Primitive, 1)
		g.Primitives[0].Vertices[2][1][0] = 0x3F800000
		c.here(want, w)
		c.change(got, g)
		v, d := compare.Outcomes(want, got)
		text := v.String()
		if d != (compare.Difference{}) {
			text += ": " + d.String()
		}
		if text != c.want {
			t.Errorf("%s: got %q, want %q", c.name, text, c.want)
		}
	}
}
