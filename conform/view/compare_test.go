package view_test

import (
	"testing"

	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/pica"
)

// TestDisputed: another prediction matters only in the places where the answer is wrong.
func TestDisputed(t *testing.T) {
	const right, wrong, alternative = 1, 2, 3
	state := func(change func(v *view.Vertex)) *view.View {
		v := view.Vertex{Primitives: make([]pica.Primitive, 2)}
		change(&v)
		return &view.View{Vertices: []view.Vertex{v}, Temporaries: true}
	}
	want := state(func(*view.Vertex) {})
	for _, x := range []struct {
		name       string
		other, got *view.View
		disputed   bool
	}{
		{"same place", state(func(v *view.Vertex) { v.O[0][3] = alternative }),
			state(func(v *view.Vertex) { v.O[0][3] = wrong }), true},
		{"another component", state(func(v *view.Vertex) { v.O[0][0] = alternative }),
			state(func(v *view.Vertex) { v.O[0][3] = wrong }), false},
		{"temporaries", state(func(v *view.Vertex) { v.R[15][3] = alternative }),
			state(func(v *view.Vertex) { v.R[15][3] = wrong }), true},
		{"flags", state(func(v *view.Vertex) { v.CC[1] = true }), state(func(v *view.Vertex) { v.CC[1] = true }), true},
		{"aL and a0", state(func(v *view.Vertex) { v.AL = right }),
			state(func(v *view.Vertex) { v.Address[0] = wrong }), false},
		{"last primitive", state(func(v *view.Vertex) { v.Primitives[1].Vertices[2][15][3] = alternative }),
			state(func(v *view.Vertex) { v.Primitives[1].Vertices[2][15][3] = wrong }), true},
		{"number of primitives", state(func(v *view.Vertex) { v.Primitives = nil }),
			state(func(v *view.Vertex) { v.Primitives = v.Primitives[:1] }), true},
		{"end", &view.View{End: view.Trapped}, state(func(v *view.Vertex) { v.O[0][0] = wrong }), true},
	} {
		if got := view.Disputed(want, x.other, x.got); got != x.disputed {
			t.Errorf("%s: disputed %v, want %v", x.name, got, x.disputed)
		}
	}
}

// TestConcede: only the named places are taken from the answer.
func TestConcede(t *testing.T) {
	vertex := func(x uint32) view.View {
		v := view.View{Temporaries: true, Vertices: make([]view.Vertex, 1)}
		p := &v.Vertices[0]
		p.O[3], p.R[15] = pica.Vec4{x, x, x, x}, pica.Vec4{x, x, x, x}
		p.Address, p.CC = [2]int32{int32(x), int32(x)}, [2]bool{x == 1, x == 1}
		p.Primitives = make([]pica.Primitive, x)
		return v
	}
	places := view.Places{Address: [2]bool{false, true}, CC: [2]bool{true, false}, Primitives: true}
	places.O[3], places.R[15] = 0b1001, 0b0110
	want, got := vertex(0), vertex(1)
	if !want.Concede([]view.Places{places}, &got) {
		t.Fatal("nothing was conceded")
	}
	p := &want.Vertices[0]
	if p.O[3] != (pica.Vec4{1, 0, 0, 1}) || p.R[15] != (pica.Vec4{0, 1, 1, 0}) || p.Address != [2]int32{0, 1} ||
		p.CC != [2]bool{true, false} || len(p.Primitives) != 1 {
		t.Errorf("conceded: %+v", p)
	}
	for _, other := range []view.View{{End: view.Crashed, Vertices: got.Vertices}, {}} {
		if want.Concede([]view.Places{places}, &other) {
			t.Errorf("conceded to %v with %d vertices", other.End, len(other.Vertices))
		}
	}
}

// TestTolerance: a result of an estimate, or of a library, may differ by the tolerance and no
// more.
func TestTolerance(t *testing.T) {
	const one, inf, largest, nan = 0x3F800000, 0x7F800000, 0x7F7FFFFF, 0x7FC00000
	for _, x := range []struct {
		op        pica.Opcode
		library   bool
		want, got uint32
		near      bool
	}{
		{pica.EX2, true, one, one + 1, true},
		{pica.EX2, true, one, one - 1, true},
		{pica.EX2, true, one, one + 2, false},
		{pica.LG2, true, one, one + 1, true},
		{pica.LG2, true, one, one + 2, false},
		{pica.EX2, true, inf, largest, false},
		{pica.LG2, true, 0, 0x80000000, false},
		{pica.EX2, true, nan, one, false},
		{pica.RCP, true, one, one + 1<<13, true},
		{pica.RCP, true, one, one + 1<<13 + 1, false},
		{pica.EX2, false, one, one + 1<<15, true},
		{pica.EX2, false, one, one + 1<<15 + 1, false},
		{pica.LG2, false, 0x37000000, 0xB7000000, true},
		{pica.LG2, false, one, one + 1<<15 + 1, false},
		{pica.RSQ, false, one, one + 1<<13 + 1, false},
	} {
		answer := func(bits uint32) view.View {
			v := view.View{Vertices: make([]view.Vertex, 1), Estimated: []pica.Opcode{x.op}, Library: x.library}
			v.Vertices[0].O[0][0] = bits
			return v
		}
		want, got := answer(x.want), answer(x.got)
		expected := view.Differs
		if x.near {
			expected = view.Near
		}
		if relation := view.Compare(&want, &got, nil); relation != expected {
			t.Errorf("%v, library %t: %#x for %#x: %v, want %v", x.op, x.library, x.got, x.want, relation, expected)
		}
	}
}
