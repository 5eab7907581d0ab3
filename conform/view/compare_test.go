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
		return &view.View{Vertices: []view.Vertex{v}}
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

// TestUnreported: a register that the answer does not have is compared with nothing, its neighbours are.
func TestUnreported(t *testing.T) {
	for _, x := range []struct {
		unreported pica.Registers
		change     func(v *view.Vertex)
		want       view.Relation
	}{
		{pica.RegTemporaries, func(v *view.Vertex) { v.R[15][0] = 1 }, view.Same},
		{1 << 15, func(v *view.Vertex) { v.R[14][3] = 1 }, view.Differs},
		{pica.RegA0X, func(v *view.Vertex) { v.Address[0] = 1 }, view.Same},
		{pica.RegA0X, func(v *view.Vertex) { v.Address[1] = 1 }, view.Differs},
		{pica.RegAL, func(v *view.Vertex) { v.AL = 1 }, view.Same},
		{pica.RegCCX | pica.RegCCY, func(v *view.Vertex) { v.CC = [2]bool{true, true} }, view.Same},
		{pica.RegCCY, func(v *view.Vertex) { v.CC = [2]bool{true, true} }, view.Differs},
		{pica.RegTemporaries, func(v *view.Vertex) { v.O[0][0] = 1 }, view.Differs},
	} {
		want, got := &view.View{Vertices: make([]view.Vertex, 1)}, &view.View{Vertices: make([]view.Vertex, 1)}
		got.Unreported = x.unreported
		x.change(&want.Vertices[0])
		if r := view.Compare(want, got, nil); r != x.want {
			t.Errorf("without %v: %v, want %v", x.unreported.Names(), r, x.want)
		}
		other := &view.View{Vertices: make([]view.Vertex, 1)}
		if disputed := view.Disputed(want, other, got); disputed != (x.want == view.Differs) {
			t.Errorf("without %v: disputed %v", x.unreported.Names(), disputed)
		}
	}
}

// TestTolerance: a result within one of the tolerances is near, any other differs.
func TestTolerance(t *testing.T) {
	const one = 0x3F800000
	for steps, expected := range map[uint32]view.Relation{0: view.Same, 2: view.Near, 3: view.Differs} {
		answer := func(bits uint32) view.View {
			v := view.View{Vertices: make([]view.Vertex, 1), Estimated: []pica.Tolerance{{Steps: 1}, {Steps: 2}}}
			v.Vertices[0].O[0][0] = bits
			return v
		}
		want, got := answer(one), answer(one+steps)
		if relation := view.Compare(&want, &got, nil); relation != expected {
			t.Errorf("%d steps: %v, want %v", steps, relation, expected)
		}
	}
}
