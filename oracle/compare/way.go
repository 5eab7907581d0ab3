package compare

import (
	"fmt"

	"github.com/picaproof/picaproof/pica"
)

// way compares the ends and the stacks of two runs.
func way(w, g *pica.VertexOutcome) Difference {
	budget := func(t pica.Trap) bool { return t.Cause == pica.TrapBudget }
	switch {
	case w.Trap.Cause == g.Trap.Cause && w.Trap.PC != g.Trap.PC:
		return difference(ClassFlow, "pc", w.Trap.PC, g.Trap.PC)
	case w.Trap == g.Trap:
	case budget(w.Trap) && g.Trap.Cause == pica.TrapNone, budget(g.Trap) && w.Trap.Cause == pica.TrapNone:
		return difference(ClassFlow, "end", !budget(w.Trap), !budget(g.Trap))
	default:
		return difference(ClassTrap, "trap", w.Trap, g.Trap)
	}
	if w.Steps != g.Steps {
		return difference(ClassFlow, "steps", w.Steps, g.Steps)
	}
	if where, want, got := stacks(&w.Stacks, &g.Stacks); where != "" {
		return difference(ClassFlow, where, want, got)
	}
	return Difference{}
}

// stacks names the first difference of two sets of stacks, or returns "". It compares the
// depths, then the entries from the newest, which acts next.
func stacks(w, g *pica.Stacks) (where string, want, got any) {
	for _, s := range []struct {
		name      string
		want, got uint8
	}{{"call", w.CallDepth, g.CallDepth}, {"if", w.IfDepth, g.IfDepth}, {"loop", w.LoopDepth, g.LoopDepth}} {
		if s.want != s.got {
			return s.name + " stack depth", s.want, s.got
		}
	}
	for k := len(w.Call) - 1; k >= 0; k-- {
		a, b := w.Call[k], g.Call[k]
		if where, want, got = entry("call", k,
			[]field{{"end", a.End, b.End}, {"return", a.Return, b.Return}}); where != "" {
			return where, want, got
		}
	}
	for k := len(w.If) - 1; k >= 0; k-- {
		a, b := w.If[k], g.If[k]
		if where, want, got = entry("if", k, []field{{"else", a.Else, b.Else}, {"end", a.End, b.End}}); where != "" {
			return where, want, got
		}
	}
	for k := len(w.Loop) - 1; k >= 0; k-- {
		a, b := w.Loop[k], g.Loop[k]
		if where, want, got = entry("loop", k, []field{{"entry", a.Entry, b.Entry}, {"end", a.End, b.End},
			{"count", a.Count, b.Count}, {"step", a.Step, b.Step}, {"outer aL", a.OuterAL, b.OuterAL}}); where != "" {
			return where, want, got
		}
	}
	return "", nil, nil
}

// field is a field of a stack entry on both sides.
type field struct {
	name      string
	want, got any
}

func entry(stack string, number int, fields []field) (where string, want, got any) {
	for _, f := range fields {
		if f.want != f.got {
			return stack + " stack " + f.name, fmt.Sprintf("%d in entry %d", f.want, number), fmt.Sprint(f.got)
		}
	}
	return "", nil, nil
}
