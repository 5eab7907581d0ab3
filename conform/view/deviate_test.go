package view_test

import (
	"testing"

	"github.com/picaproof/picaproof/conform/view"
)

// TestDeviates: an answer differs from the console's where a replaced rule has the console's result,
// by another class or by more than two steps of float24.
func TestDeviates(t *testing.T) {
	const one, zero, negative, step = 0x3F800000, 0, 0x80000000, 1 << 7
	at := func(x uint32) *view.View {
		v := &view.View{Vertices: make([]view.Vertex, 1)}
		v.Vertices[0].O[2][1] = x
		return v
	}
	refused := &view.View{End: view.Refused}
	for _, x := range []struct {
		console, other, got *view.View
		least               int64
		where               string
	}{
		{at(one), at(one), at(zero), view.Precise, "o2.y"},
		{at(one), at(one), at(one + 3*step), view.Precise, "o2.y"},
		{at(one), at(one), at(one + 2*step), view.Precise, ""},
		{at(one), at(one), at(one + 2*step), 0, "o2.y"},
		{at(one), at(one + step), at(one + 2*step), 0, "o2.y"},
		{at(one), at(zero), at(negative), view.Precise, ""},     // the rule changes something else
		{at(one), at(negative), at(negative), view.Precise, ""}, // the rule changes nothing
		{at(zero), at(zero), at(negative), view.Precise, "o2.y"},
		{at(1 << 23), at(1 << 23), at(1<<23 + 1<<20), view.Precise, ""}, // below a step of float24
		{at(one), at(one), refused, view.Precise, "end"},
		{at(one), refused, at(zero), view.Precise, ""},
		{refused, at(one), at(zero), view.Precise, ""},
	} {
		var d view.Difference
		if found := view.Deviates(x.console, x.other, x.got, x.least, &d); found != (x.where != "") || d.Where != x.where &&
			found {
			t.Errorf("%+v: got %v at %q", x, found, d.Where)
		}
	}
	console, other, got := at(one), at(one), at(one)
	console.Vertices[0].CC[0], other.Vertices[0].CC[0], other.Vertices[0].AL = true, true, 3
	var d view.Difference
	if !view.Deviates(console, other, got, view.Precise, &d) || d.Where != "cc.x" {
		t.Errorf("a flag: got %+v", d)
	}
}
