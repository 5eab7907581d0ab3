package view

import (
	"fmt"
	"iter"
	"slices"

	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/pica"
)

// Relation is the relation of an answer to a prediction.
type Relation uint8

// The relations.
const (
	Same    Relation = iota // as predicted
	Near                    // within the tolerance of an estimate
	Open                    // no prediction, or no valid answer
	Differs                 // not as predicted
)

// Difference is the first place where an answer differs from the prediction.
type Difference struct {
	Class  compare.DifferenceClass
	Vertex int
	Where  string // "o0.x", "aL", "cc.x", "end", "primitive 0 slot 1 o2.w"
	// Want and Got are float32 patterns if Number is true.
	Number    bool
	Want, Got uint32
	// Expected and Observed are the values as text.
	Expected, Observed string
}

// String returns "o0.x of vertex 0: one step: expected 1 (0x3f800000), observed ...".
func (d *Difference) String() string {
	return fmt.Sprintf("%s of vertex %d: %v: expected %s, observed %s", d.Where, d.Vertex, d.Class, d.Expected,
		d.Observed)
}

// Compare compares an answer with a prediction. d, which may be nil, receives the first
// difference.
func Compare(want, got *View, d *Difference) Relation {
	if d == nil {
		d = new(Difference)
	}
	switch {
	case got.End == Missing:
		return Open
	case want.End == Unpredictable:
		if got.End.Refuses() {
			return Same
		}
		return Open
	case want.End == Trapped && got.End == Trapped:
		if want.Cause == got.Cause {
			return Same
		}
	case want.End == Trapped && want.Cause == pica.TrapHang && got.End == Hung:
		return Same
	case want.End == Refused && got.End == Crashed: // a model never predicts a crash of the process
	case want.End.Refuses() && got.End.Refuses():
		return Same
	case want.End == Ended && got.End == Ended:
		return compareStates(want, got, d)
	case want.End == got.End:
		return Same
	}
	*d = Difference{Class: compare.ClassTrap, Where: "end", Expected: want.ending(), Observed: got.ending()}
	return Differs
}

// Refuses reports whether an engine with this end refused to go on.
func (e End) Refuses() bool { return e == Refused || e == Crashed || e == Unpredictable }

func (v *View) ending() string {
	if v.End == Trapped {
		return v.Cause.String()
	}
	return v.End.String()
}

func compareStates(want, got *View, d *Difference) Relation {
	near, unreported := false, want.Unreported|got.Unreported
	if len(want.Vertices) != len(got.Vertices) {
		*d = Difference{Class: compare.ClassShape, Where: "vertices", Expected: fmt.Sprint(len(want.Vertices)),
			Observed: fmt.Sprint(len(got.Vertices))}
		return Differs
	}
	for i := range want.Vertices {
		w, g := &want.Vertices[i], &got.Vertices[i]
		d.Vertex = i
		if !bankEqual("o", &w.O, &g.O, want, d, &near) {
			return Differs
		}
		r := &g.R
		if unreported&pica.RegTemporaries != 0 {
			s := g.State()
			s.Take(unreported, w.State())
			r = &s.R
		}
		if !bankEqual("r", &w.R, r, want, d, &near) {
			return Differs
		}
		if !statesEqual(w, g, unreported, d) {
			return Differs
		}
		if !primitivesEqual(w.Primitives, g.Primitives, want, d, &near) {
			return Differs
		}
	}
	if near {
		return Near
	}
	return Same
}

// Leaning counts the places where two predictions differ and the answer equals one of them. It
// returns 0, 0 if one of the three views did not end.
func Leaning(a, b, got *View) (like, unlike int) {
	for x, z := range places(a, b, got) {
		switch {
		case x[0] == x[1]:
		case z == x[0]:
			like++
		case z == x[1]:
			unlike++
		}
	}
	return like, unlike
}

// Disputed reports whether another prediction differs from the first in a place where the answer
// differs from it, too. If one of the three did not end, any difference of the predictions
// counts.
func Disputed(want, other, got *View) bool {
	if want.End != Ended || other.End != Ended || got.End != Ended {
		return Compare(want, other, nil) == Differs
	}
	for x, z := range places(want, other, got) {
		if x[0] != x[1] && x[0] != z {
			return true
		}
	}
	return false
}

// places yields the values of two predictions and an answer in each place that all three have.
func places(a, b, got *View) iter.Seq2[[2]uint32, uint32] {
	return func(yield func([2]uint32, uint32) bool) {
		if a.End != Ended || b.End != Ended || got.End != Ended || len(a.Vertices) != len(b.Vertices) ||
			len(a.Vertices) != len(got.Vertices) {
			return
		}
		for i := range a.Vertices {
			x, y, z := a.Vertices[i].words(got.Unreported), b.Vertices[i].words(got.Unreported),
				got.Vertices[i].words(got.Unreported)
			for n := range min(len(x), len(y), len(z)) {
				if !yield([2]uint32{x[n], y[n]}, z[n]) {
					return
				}
			}
		}
	}
}

// words lists the values of the places of a vertex, the primitives last. Registers of a set count as zeros.
func (v *Vertex) words(unreported pica.Registers) (list []uint32) {
	s := v.State()
	s.Take(unreported, new(pica.State))
	bank := func(b *[pica.NumOutputs]pica.Vec4) {
		for n := range b {
			list = append(list, b[n][:]...)
		}
	}
	truth := func(b bool) {
		list = append(list, 0)
		if b {
			list[len(list)-1] = 1
		}
	}
	bank(&s.O)
	bank(&s.R)
	list = append(list, uint32(s.Address[0]), uint32(s.Address[1]), uint32(s.AL), uint32(len(v.Primitives)))
	truth(s.CC[0])
	truth(s.CC[1])
	for k := range v.Primitives {
		p := &v.Primitives[k]
		truth(p.Inverted)
		for slot := range p.Vertices {
			bank(&p.Vertices[slot])
		}
	}
	return list
}

// statesEqual compares what is no vector, without the registers of a set.
func statesEqual(w, g *Vertex, unreported pica.Registers, d *Difference) bool {
	if w.Address == g.Address && w.AL == g.AL && w.CC == g.CC {
		return true
	}
	want, got := w.State(), g.State()
	got.Take(unreported, want)
	found := compare.Scalars(want, got)
	if found.Class == compare.ClassNone {
		return true
	}
	d.set(found.Class, found.Where, found.Want, found.Got)
	return false
}

// set makes d a difference of values that are not numbers.
func (d *Difference) set(class compare.DifferenceClass, where string, want, got any) {
	d.Class, d.Where, d.Number = class, where, false
	d.Expected, d.Observed = fmt.Sprint(want), fmt.Sprint(got)
}

func primitivesEqual(w, g []pica.Primitive, want *View, d *Difference, near *bool) bool {
	if len(w) != len(g) {
		d.set(compare.ClassShape, "primitives", len(w), len(g))
		return false
	}
	for k := range w {
		if w[k].Inverted != g[k].Inverted {
			d.set(compare.ClassFlow, fmt.Sprintf("primitive %d winding", k), w[k].Inverted, g[k].Inverted)
			return false
		}
		for slot := range w[k].Vertices {
			if !bankEqual(fmt.Sprintf("primitive %d slot %d o", k, slot), &w[k].Vertices[slot], &g[k].Vertices[slot],
				want, d, near) {
				return false
			}
		}
	}
	return true
}

func bankEqual(file string, w, g *[pica.NumOutputs]pica.Vec4, want *View, d *Difference, near *bool) bool {
	if *w == *g {
		return true
	}
	for n := range w {
		for c, x := range w[n] {
			y := g[n][c]
			if x == y {
				continue
			}
			if slices.ContainsFunc(want.Estimated, func(t pica.Tolerance) bool { return t.Allows(x, y) }) {
				*near = true
				continue
			}
			f := pica.Float32
			d.Class, d.Number, d.Want, d.Got = Classify(x, y), true, x, y
			d.Where = fmt.Sprintf("%s%d.%c", file, n, "xyzw"[c])
			d.Expected, d.Observed = f.Show(x), f.Show(y)
			return false
		}
	}
	return true
}

// Classify returns the class of the difference of two float32 patterns. A step is a step of
// float24.
func Classify(want, got uint32) compare.DifferenceClass {
	class := compare.Classify(pica.Float32, want, got)
	if class == compare.ClassValue {
		if steps := pica.Float32.Ordinal(want) - pica.Float32.Ordinal(got); -stepOfFloat24 <= steps &&
			steps <= stepOfFloat24 {
			return compare.ClassOneStep
		}
	}
	return class
}

// stepOfFloat24 is a step of a float24 in steps of a float32.
const stepOfFloat24 = 1 << 7
