// Package view serves this module: it reduces an outcome to the facts that the adapter protocol
// shows, so that predictions of the oracle and answers of a foreign core can be compared. These
// facts are the end of the run and, after each vertex, the registers as float32 patterns, with one
// pattern for all NaNs. Program counters, stacks and counts of instructions are not visible.
package view

import (
	"slices"

	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/pica"
)

// End says how a run ended.
type End uint8

// The ends.
const (
	Ended         End = iota // at END
	Trapped                  // undefined behaviour; the engine names the cause
	Refused                  // the engine refused to go on: assertion, panic, exception
	Crashed                  // the process died
	Hung                     // not within the step budget or the time limit
	Unpredictable            // the oracle predicts nothing; a core answers "unsupported"
	Missing                  // no valid answer
	NumEnds
)

var endNames = [NumEnds]string{"ok", "trap", "refused", "crash", "hang", "unsupported", "no answer"}

// String returns the name of the end in reports.
func (e End) String() string { return endNames[e] }

// View is the visible part of a run. The zero View is ready to use; its memory is reused.
type View struct {
	End      End
	Cause    pica.Cause // if End is Trapped
	Vertices []Vertex   // if End is Ended, one for each vertex of the job
	// Unreported are the registers that an answer does not have. They are compared with nothing.
	Unreported pica.Registers
	// Estimated lists the tolerances of results that are known only within one.
	Estimated []pica.Tolerance
	Skips     bool // in a prediction: the core skips an instruction and may log it
}

// Vertex is the visible state after a vertex.
type Vertex struct {
	O, R       [pica.NumOutputs]pica.Vec4 // float32 patterns
	Address    [2]int32
	AL         int32
	CC         [2]bool
	Primitives []pica.Primitive
}

// NaN is the pattern that stands for every NaN.
const NaN = 0x7FC00000

// Set makes v the view of an outcome.
func (v *View) Set(job *pica.Job, out *pica.Outcome) {
	v.End, v.Cause, v.Unreported = Ended, pica.TrapNone, 0
	v.Estimated, v.Skips = v.Estimated[:0], false
	if job.Stage == pica.Geometry && job.Profile.NoGeometry {
		v.End, v.Vertices = Refused, v.Vertices[:0]
		return
	}
	// A library's results may differ from host to host in any run, an estimate says so itself.
	for _, w := range job.Code {
		if t := job.Profile.Tolerance(pica.OpcodeOf(w)); t.OneUnit() {
			v.estimate(t)
		}
	}
	for i := range out.Vertices {
		x := &out.Vertices[i]
		v.Skips = v.Skips || len(x.Skipped) > 0
		for _, op := range x.Estimated {
			v.estimate(job.Profile.Tolerance(op))
		}
		if v.End == Ended {
			v.End, v.Cause = endOf(x.Trap)
		}
	}
	if v.End != Ended {
		v.Vertices = v.Vertices[:0]
		return
	}
	v.Vertices = resize(v.Vertices, len(out.Vertices))
	for i := range out.Vertices {
		v.Vertices[i].set(out.Storage, &out.Vertices[i])
	}
}

// estimate adds a tolerance.
func (v *View) estimate(t pica.Tolerance) {
	if !slices.Contains(v.Estimated, t) {
		v.Estimated = append(v.Estimated, t)
	}
}

// endOf returns the visible end of a run with a trap.
func endOf(t pica.Trap) (End, pica.Cause) {
	switch {
	case t.Cause == pica.TrapNone:
		return Ended, pica.TrapNone
	case t.Cause == pica.TrapBudget:
		return Hung, pica.TrapNone
	case t.Cause != pica.TrapUnsupported:
		return Trapped, t.Cause
	case t.Refusal == pica.RefusalUnknown:
		return Unpredictable, pica.TrapNone
	case t.Refusal == pica.RefusalCrash:
		return Crashed, pica.TrapNone
	}
	return Refused, pica.TrapNone
}

func (v *Vertex) set(f pica.NumberFormat, x *pica.VertexOutcome) {
	bank(f, &v.O, &x.O)
	bank(f, &v.R, &x.R)
	v.Address, v.AL, v.CC = x.Address, x.AL, x.CC
	v.Primitives = append(v.Primitives[:0], x.Primitives...)
	for k := range v.Primitives {
		for slot := range v.Primitives[k].Vertices {
			b := &v.Primitives[k].Vertices[slot]
			bank(f, b, b)
		}
	}
}

// bank widens the registers of a bank and replaces every NaN by NaN.
func bank(f pica.NumberFormat, to, from *[pica.NumOutputs]pica.Vec4) {
	for n := range from {
		if from[n] == (pica.Vec4{}) {
			to[n] = from[n]
			continue
		}
		f.WidenVector(&to[n], &from[n])
		for c, x := range to[n] {
			if x&0x7FFFFFFF > 0x7F800000 {
				to[n][c] = NaN
			}
		}
	}
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return append(s[:cap(s)], make([]T, n-cap(s))...)
	}
	return s[:n]
}

// Clone returns a copy that shares no memory with v.
func (v *View) Clone() *View {
	c := *v
	c.Vertices, c.Estimated = slices.Clone(v.Vertices), slices.Clone(v.Estimated)
	for i := range c.Vertices {
		c.Vertices[i].Primitives = slices.Clone(c.Vertices[i].Primitives)
	}
	return &c
}

// Portable returns the job in the form for a foreign core: inputs in float32, and b15 set where
// the job would ask who sets it (adapter.AsksB15). The result shares unchanged slices with the job.
func Portable(job *pica.Job) *pica.Job {
	j := *adapter.AsSent(job)
	if adapter.AsksB15(&j) {
		j.Bools |= 1 << 15
	}
	return &j
}

// OfAnswer returns the view of an answer of a core.
func OfAnswer(a adapter.Answer) *View {
	v := new(View)
	v.SetAnswer(&a)
	return v
}

// SetAnswer makes v the view of an answer of a core; it keeps the answer's memory.
func (v *View) SetAnswer(a *adapter.Answer) {
	*v = View{End: fates[a.Fate], Unreported: a.Unreported, Vertices: v.Vertices[:0], Estimated: v.Estimated[:0]}
	switch v.End {
	case Trapped:
		if v.Cause = a.Cause(); v.Cause == pica.TrapBudget {
			v.End = Hung
		}
	case Ended:
		v.Vertices = resize(v.Vertices, len(a.Outcome.Vertices))
		for i := range a.Outcome.Vertices {
			v.Vertices[i].set(a.Outcome.Storage, &a.Outcome.Vertices[i])
		}
	}
}

// Zero reports whether the registers of a set are 0 behind every vertex.
func (v *View) Zero(set pica.Registers) bool {
	return !slices.ContainsFunc(v.Vertices, func(x Vertex) bool {
		state := x.State()
		without := *state
		without.Take(set, new(pica.State))
		return *state != without
	})
}

// State returns the registers as an initial state in float32.
func (v *Vertex) State() *pica.State {
	return &pica.State{O: v.O, R: v.R, Address: v.Address, AL: v.AL, CC: v.CC}
}

// fates are the ends of runs by the fates of requests.
var fates = [adapter.NumFates]End{
	adapter.Answered: Ended, adapter.Trapped: Trapped, adapter.Unsupported: Unpredictable, adapter.Refused: Refused,
	adapter.Crashed: Crashed, adapter.Hung: Hung, adapter.Garbled: Missing,
}
