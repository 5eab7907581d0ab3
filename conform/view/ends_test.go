package view_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/pica"
)

// TestEnds: the relation of every end of a run to every predicted one. No prediction has the end
// "no answer".
func TestEnds(t *testing.T) {
	const table = `
		             ok      trap    refused crash   hang    unsupported no_answer
		ok           Same    Differs Differs Differs Differs Differs     Open
		trap         Differs Same    Differs Differs Differs Differs     Open
		refused      Differs Differs Same    Differs Differs Same        Open
		crash        Differs Differs Same    Same    Differs Same        Open
		hang         Differs Differs Differs Differs Same    Differs     Open
		unsupported  Open    Open    Same    Same    Open    Same        Open`
	rows := strings.Split(strings.TrimSpace(table), "\n")
	names := []string{"Same", "Near", "Open", "Differs"}
	for want, row := range rows[1:] {
		for got, name := range strings.Fields(row)[1:] {
			w, g := &view.View{End: view.End(want)}, &view.View{End: view.End(got)}
			if r := view.Compare(w, g, nil); names[r] != name {
				t.Errorf("%v for %v: %s, want %s", g.End, w.End, names[r], name)
			}
		}
	}
	hang := &view.View{End: view.Trapped, Cause: pica.TrapHang}
	other := &view.View{End: view.Trapped, Cause: pica.TrapPCRange}
	var d view.Difference
	for _, x := range []struct {
		want, got *view.View
		relation  view.Relation
		text      string
	}{
		{hang, &view.View{End: view.Hung}, view.Same, ""},
		{hang, hang, view.Same, ""},
		{other, &view.View{End: view.Hung}, view.Differs, "end of vertex 0: trap: expected " + other.Cause.String() +
			", observed hang"},
		{other, hang, view.Differs, "end of vertex 0: trap: expected " + other.Cause.String() + ", observed " +
			hang.Cause.String()},
		{hang, &view.View{}, view.Differs, "end of vertex 0: trap: expected " + hang.Cause.String() + ", observed ok"},
	} {
		if r := view.Compare(x.want, x.got, &d); r != x.relation || r == view.Differs && d.String() != x.text {
			t.Errorf("got %v, %v; want %v, %s", r, &d, x.relation, x.text)
		}
	}
}

// TestSet: the end of an outcome comes from its first trap, the estimates from the outcome and the
// library, and nothing of an earlier outcome stays.
func TestSet(t *testing.T) {
	const ex2, mov = uint32(pica.EX2) << 26, uint32(pica.MOV) << 26
	job := &pica.Job{Program: pica.Program{Code: []uint32{ex2, mov, ex2}}}
	v := &view.View{}
	full := &pica.Outcome{Storage: pica.Float32, Vertices: make([]pica.VertexOutcome, 2)}
	full.Vertices[1].O[2][3], full.Vertices[1].R[4][1] = 0xFFC00001, 0x7F800000
	full.Vertices[1].CC[1], full.Vertices[1].Address, full.Vertices[1].AL = true, [2]int32{5, -6}, 7
	full.Vertices[1].Skipped, full.Vertices[1].Estimated = []pica.Opcode{pica.DST}, []pica.Opcode{pica.RCP, pica.RCP}
	job.Profile.Storage, job.Profile.Reciprocal = pica.Float32, pica.ReciprocalShort
	v.Set(job, full)
	if v.End != view.Ended || len(v.Vertices) != 2 || !v.Skips ||
		!slices.Equal(v.Estimated, []pica.Tolerance{{Steps: 1}, {Steps: 1 << 13}}) {
		t.Errorf("got %+v", v)
	}
	x := &v.Vertices[1]
	want := &pica.State{Address: [2]int32{5, -6}, AL: 7, CC: [2]bool{false, true}}
	want.O[2][3], want.R[4][1] = view.NaN, 0x7F800000
	if got := x.State(); *got != *want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for _, c := range []struct {
		trap  pica.Trap
		end   view.End
		cause pica.Cause
	}{
		{pica.Trap{Cause: pica.TrapBudget}, view.Hung, pica.TrapNone},
		{pica.Trap{Cause: pica.TrapPCRange}, view.Trapped, pica.TrapPCRange},
		{pica.Trap{Cause: pica.TrapUnsupported}, view.Unpredictable, pica.TrapNone},
		{pica.Trap{Cause: pica.TrapUnsupported, Refusal: pica.RefusalCrash}, view.Crashed, pica.TrapNone},
		{pica.Trap{Cause: pica.TrapUnsupported, Refusal: pica.RefusalAssert}, view.Refused, pica.TrapNone},
	} {
		out := &pica.Outcome{Storage: pica.Float32, Vertices: make([]pica.VertexOutcome, 3)}
		out.Vertices[1].Trap, out.Vertices[2].Trap = c.trap, pica.Trap{Cause: pica.TrapHang}
		job.Profile.Exponential = pica.ExponentialEstimate
		v.Set(job, out)
		if v.End != c.end || v.Cause != c.cause || len(v.Vertices) != 0 || v.Skips || len(v.Estimated) != 0 {
			t.Errorf("%v: got %+v", c.trap, v)
		}
	}
	v.Set(job, full)
	job.Stage, job.Profile.NoGeometry = pica.Geometry, true
	if v.Set(job, full); v.End != view.Refused || len(v.Vertices)+len(v.Estimated) != 0 {
		t.Errorf("a geometry program on a core without geometry: got %+v", v)
	}
}

// TestFirstDifference: the text of the first difference, in the order of the reply.
func TestFirstDifference(t *testing.T) {
	const one = 0x3F800000
	for _, x := range []struct {
		change func(v *view.Vertex)
		want   string
	}{
		{func(v *view.Vertex) { v.O[15][1], v.R[0][0] = one, one },
			"o15.y of vertex 1: other class: expected 0 (0x00000000), observed 1 (0x3f800000)"},
		{func(v *view.Vertex) { v.R[2][3] = 1 << 31 },
			"r2.w of vertex 1: sign of zero: expected 0 (0x00000000), observed -0 (0x80000000)"},
		{func(v *view.Vertex) { v.AL = -3 }, "aL of vertex 1: address register: expected 0, observed -3"},
		{func(v *view.Vertex) { v.CC[1] = true }, "cc.y of vertex 1: condition flag: expected false, observed true"},
		{func(v *view.Vertex) { v.Primitives[1].Inverted = true },
			"primitive 1 winding of vertex 1: control flow: expected false, observed true"},
		{func(v *view.Vertex) { v.Primitives[1].Vertices[2][3][0] = one },
			"primitive 1 slot 2 o3.x of vertex 1: other class: expected 0 (0x00000000), observed 1 (0x3f800000)"},
		{func(v *view.Vertex) { v.Primitives = v.Primitives[:1] },
			"primitives of vertex 1: shape: expected 2, observed 1"},
	} {
		state := func() *view.View {
			v := &view.View{Vertices: make([]view.Vertex, 2)}
			v.Vertices[1].Primitives = make([]pica.Primitive, 2)
			return v
		}
		want, got := state(), state()
		if r := view.Compare(want, got, nil); r != view.Same {
			t.Fatalf("equal states: %v", r)
		}
		x.change(&got.Vertices[1])
		var d view.Difference
		if r := view.Compare(want, got, &d); r != view.Differs || d.String() != x.want {
			t.Errorf("got %v, %v; want %s", r, &d, x.want)
		}
	}
}

// TestShape: answers have as many vertices as predictions.
func TestShape(t *testing.T) {
	var d view.Difference
	want, got := &view.View{Vertices: make([]view.Vertex, 1)}, &view.View{Vertices: make([]view.Vertex, 2)}
	if r := view.Compare(want, got, &d); r != view.Differs ||
		d.String() != "vertices of vertex 0: shape: expected 1, observed 2" {
		t.Errorf("got %v, %v", r, &d)
	}
}

// TestClassify: a step is one of float24.
func TestClassify(t *testing.T) {
	const one = 0x3F800000
	for got, want := range map[uint32]compare.DifferenceClass{one + 1<<7: compare.ClassOneStep,
		one - 1<<7: compare.ClassOneStep, one + 1<<7 + 1: compare.ClassValue, one - 1<<7 - 1: compare.ClassValue,
		one | 1<<31: compare.Classify(pica.Float32, one, one|1<<31)} {
		if c := view.Classify(one, got); c != want {
			t.Errorf("%#x: got %v, want %v", got, c, want)
		}
	}
}

// TestErrors: the wrong bits of a result.
func TestErrors(t *testing.T) {
	const one, two, inf, nan = 0x3F800000, 0x40000000, 0x7F800000, 0x7FC00000
	for _, x := range []struct {
		want, got uint32
		bits      float64
	}{
		{one, one, 0}, {one, one + 1<<11, 12}, {one, two, 24}, {0, one, 24}, {0, 0, 0},
		{0, 1 << 31, 24}, {one, inf, 24}, {inf, nan, 24}, {inf, inf, 0}, {nan, nan, 0},
	} {
		if got := view.ErrorBits(x.want, x.got); got != x.bits {
			t.Errorf("%#x for %#x: got %v, want %v", x.got, x.want, got, x.bits)
		}
	}
}

// TestAnswers: the ends of answers; a core may say itself that it hangs.
func TestAnswers(t *testing.T) {
	trap := func(c pica.Cause) adapter.Answer {
		return adapter.Answer{Fate: adapter.Trapped, Kind: adapter.KindTrap, Message: c.String()}
	}
	v := &view.View{Vertices: make([]view.Vertex, 3), Cause: pica.TrapPCRange}
	for _, x := range []struct {
		answer adapter.Answer
		end    view.End
		cause  pica.Cause
	}{
		{trap(pica.TrapHang), view.Trapped, pica.TrapHang},
		{trap(pica.TrapBudget), view.Hung, pica.TrapBudget},
		{adapter.Answer{Fate: adapter.Crashed}, view.Crashed, pica.TrapNone},
		{adapter.Answer{Fate: adapter.Garbled}, view.Missing, pica.TrapNone},
	} {
		if v.SetAnswer(&x.answer); v.End != x.end || v.Cause != x.cause || len(v.Vertices) != 0 {
			t.Errorf("%+v: got %+v", x.answer, v)
		}
	}
}

// TestPortable: b15 is set for a geometry program that runs more than once.
func TestPortable(t *testing.T) {
	for _, x := range []struct {
		stage    pica.Stage
		vertices int
		want     uint16
	}{{pica.Geometry, 2, 0x8001}, {pica.Geometry, 1, 1}, {pica.Vertex, 2, 1}} {
		job := &pica.Job{Program: pica.Program{Code: []uint32{0x88000000}}, Stage: x.stage, Bools: 1,
			Vertices: make([][]pica.Vec4, x.vertices)}
		if got := view.Portable(job).Bools; got != x.want || job.Bools != 1 {
			t.Errorf("%v, %d vertices: got %#x, want %#x", x.stage, x.vertices, got, x.want)
		}
	}
}
