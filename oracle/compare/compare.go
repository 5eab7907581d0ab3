// Package compare serves this module: it compares two outcomes of one job. They are equal, or
// differ from some place on, or one of them is undefined.
package compare

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// Verdict is the judgement on two outcomes.
type Verdict uint8

// The verdicts. Undefined means that the reference makes no prediction: its profile
// describes an engine that refuses the job or is not predictable. NotComparable means
// that a core in another process gave an unexpected result and said that it had skipped
// an instruction.
const (
	Equal Verdict = iota
	Differ
	Undefined
	NotComparable
)

// String returns the verdict in lower case.
func (v Verdict) String() string {
	return [...]string{"equal", "differ", "undefined", "not comparable"}[v]
}

// DifferenceClass says how two outcomes differ.
type DifferenceClass uint8

// The classes, from the run as a whole to the last bit of a component.
const (
	ClassNone     DifferenceClass = iota
	ClassShape                    // number of vertices or primitives, storage format
	ClassTrap                     // only one trapped, or the causes or places differ
	ClassFlow                     // control flow: pc, END, number of steps, stacks, skipped opcodes, hazards
	ClassAddress                  // a0 or aL
	ClassFlag                     // cc.x or cc.y
	ClassUniform                  // boolean uniforms after the run
	ClassNaNBits                  // both NaN, other sign or payload
	ClassZeroSign                 // +0 and -0
	ClassOneStep                  // neighbouring values of the storage format
	ClassValue                    // other finite values
	ClassCategory                 // one is NaN, infinite, zero or finite, the other not
)

var classNames = [...]string{"none", "shape", "trap", "control flow", "address register", "condition flag",
	"boolean uniform", "NaN bits", "sign of zero", "one step", "value", "other class"}

// String names the class.
func (c DifferenceClass) String() string { return classNames[c] }

// Difference is the first difference of two outcomes. The zero Difference means none.
type Difference struct {
	Class     DifferenceClass
	Vertex    int
	Where     string // "r3.x", "aL", "pc", "loop stack count", "primitive 0 slot 1 o2.w"
	Want, Got string
	component component
}

// component is the register component that differs.
type component struct {
	index     int // 0 = x
	want, got uint32
}

// String returns "vertex 0: r3.x: one step: want 3f0000, got 3f0001".
func (d Difference) String() string {
	return fmt.Sprintf("vertex %d: %s: %v: want %s, got %s", d.Vertex, d.Where, d.Class, d.Want, d.Got)
}

// Outcomes compares the outcomes of two engines for one job. Bits must be equal;
// Uninitialised is not compared. The answer of a core in another process is compared by
// value, as far as it goes; all its NaNs are equal.
func Outcomes(want, got *pica.Outcome) (Verdict, Difference) {
	if want.Reply != nil || got.Reply != nil {
		return replies(want, got)
	}
	if want.Storage != got.Storage {
		return Differ, difference(ClassShape, "storage", want.Storage, got.Storage)
	}
	if len(want.Vertices) != len(got.Vertices) {
		return Differ, difference(ClassShape, "vertices", len(want.Vertices), len(got.Vertices))
	}
	for i := range want.Vertices {
		w, g := &want.Vertices[i], &got.Vertices[i]
		if w.Trap.Cause == pica.TrapUnsupported {
			return Undefined, Difference{}
		}
		if d := vertex(want.Storage, w, g); d.Class != ClassNone {
			d.Vertex = i
			return Differ, d
		}
	}
	if want.Bools != got.Bools {
		d := difference(ClassUniform, "b0-b15", fmt.Sprintf("%04x", want.Bools), fmt.Sprintf("%04x", got.Bools))
		d.Vertex = max(len(want.Vertices)-1, 0)
		return Differ, d
	}
	return Equal, Difference{}
}

func difference(class DifferenceClass, where string, want, got any) Difference {
	return Difference{Class: class, Where: where, Want: fmt.Sprint(want), Got: fmt.Sprint(got)}
}

// vertex compares registers first, then control flow: a wrong value is the usual cause of
// wrong control flow.
func vertex(storage pica.NumberFormat, w, g *pica.VertexOutcome) Difference {
	if w.R == g.R && w.O == g.O && w.Trap == g.Trap && w.Steps == g.Steps && w.Stacks == g.Stacks &&
		w.Address == g.Address && w.AL == g.AL && w.CC == g.CC &&
		slices.Equal(w.Primitives, g.Primitives) &&
		slices.Equal(w.Skipped, g.Skipped) && slices.Equal(w.Hazards, g.Hazards) {
		return Difference{}
	}
	for k := range w.R {
		if d := register(storage, 'r', k, &w.R[k], &g.R[k]); d.Class != ClassNone {
			return d
		}
	}
	for k := range w.O {
		if d := register(storage, 'o', k, &w.O[k], &g.O[k]); d.Class != ClassNone {
			return d
		}
	}
	if d := Scalars(&w.State, &g.State); d.Class != ClassNone {
		return d
	}
	if d := way(w, g); d.Class != ClassNone {
		return d
	}
	if len(w.Primitives) != len(g.Primitives) {
		return difference(ClassShape, "primitives", len(w.Primitives), len(g.Primitives))
	}
	for k := range w.Primitives {
		if d := primitive(storage, &w.Primitives[k], &g.Primitives[k]); d.Class != ClassNone {
			d.Where = fmt.Sprintf("primitive %d %s", k, d.Where)
			return d
		}
	}
	if !slices.Equal(w.Skipped, g.Skipped) {
		return difference(ClassFlow, "skipped opcodes", w.Skipped, g.Skipped)
	}
	return difference(ClassFlow, "hazards", w.Hazards, g.Hazards)
}

// Scalars compares the address registers, aL and the condition flags of two states.
func Scalars(w, g *pica.State) Difference {
	for _, part := range []struct {
		class     DifferenceClass
		where     string
		want, got any
	}{
		{ClassAddress, "a0.x", w.Address[0], g.Address[0]},
		{ClassAddress, "a0.y", w.Address[1], g.Address[1]},
		{ClassAddress, "aL", w.AL, g.AL},
		{ClassFlag, "cc.x", w.CC[0], g.CC[0]},
		{ClassFlag, "cc.y", w.CC[1], g.CC[1]},
	} {
		if part.want != part.got {
			return difference(part.class, part.where, part.want, part.got)
		}
	}
	return Difference{}
}

func primitive(storage pica.NumberFormat, w, g *pica.Primitive) Difference {
	if w.Inverted != g.Inverted {
		return difference(ClassFlow, "winding", w.Inverted, g.Inverted)
	}
	for slot := range w.Vertices {
		for k := range w.Vertices[slot] {
			if d := vector(storage, &w.Vertices[slot][k], &g.Vertices[slot][k]); d.Class != ClassNone {
				d.Where = fmt.Sprintf("slot %d o%d%s", slot, k, d.Where)
				return d
			}
		}
	}
	return Difference{}
}

// register compares one register of a file.
func register(storage pica.NumberFormat, file byte, n int, w, g *pica.Vec4) Difference {
	d := vector(storage, w, g)
	if d.Class != ClassNone {
		d.Where = fmt.Sprintf("%c%d%s", file, n, d.Where)
	}
	return d
}

func vector(storage pica.NumberFormat, w, g *pica.Vec4) Difference {
	for k := range w {
		if w[k] != g[k] {
			return Difference{
				Class: Classify(storage, w[k], g[k]),
				Where: "." + "xyzw"[k:k+1],
				Want:  storage.Hex(w[k]),
				Got:   storage.Hex(g[k]),

				component: component{index: k, want: w[k], got: g[k]},
			}
		}
	}
	return Difference{}
}
