package adapter_test

import (
	"context"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// TestInProcess: the answer that passed through the encoding of the protocol equals the engine's
// outcome of the job as sent, for generated programs of every mode.
func TestInProcess(t *testing.T) {
	for _, name := range []string{"f24", "hw", "f32", "azahar-x64"} {
		p, err := profile.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		core := adapter.InProcess("oracle", p, impl.New)
		oracle := impl.New()
		var g gen.Generator
		var want pica.Outcome
		for n := range uint64(500) {
			mode := gen.Modes[n%uint64(len(gen.Modes))]
			sent := *adapter.AsSent(g.Job(gen.Seed(1, n), mode))
			sent.Budget = 1000
			ask := core.Ask
			if n%2 == 1 {
				ask = core.AskFresh
			}
			a := ask(context.Background(), &sent)
			sent.Profile = p
			if err := oracle.Run(&sent, &want); err != nil {
				t.Fatal(err)
			}
			checkAnswer(t, n, &a, &want)
		}
		if s := core.Stats(); s.Requests != 500 {
			t.Errorf("got %+v", s)
		}
	}
}

// checkAnswer compares an answer with the outcome of an engine of this process.
func checkAnswer(t *testing.T, n uint64, a *adapter.Answer, want *pica.Outcome) {
	t.Helper()
	trap := pica.Trap{}
	if i := slices.IndexFunc(want.Vertices,
		func(v pica.VertexOutcome) bool { return v.Trap.Cause != pica.TrapNone }); i >= 0 {
		trap = want.Vertices[i].Trap
	}
	fate := adapter.Answered
	switch {
	case trap.Cause == pica.TrapNone:
	case trap.Cause != pica.TrapUnsupported:
		fate = adapter.Trapped
	case trap.Refusal == pica.RefusalUnknown:
		fate = adapter.Unsupported
	case trap.Refusal == pica.RefusalCrash:
		fate = adapter.Crashed
	default:
		fate = adapter.Refused
	}
	if a.Fate != fate || fate == adapter.Trapped && a.Cause() != trap.Cause {
		t.Fatalf("job %d: got %v, want %v, %v", n, a, fate, trap)
	}
	if fate > adapter.Trapped {
		return
	}
	if len(a.Outcome.Vertices) != len(want.Vertices) || a.Unreported != 0 {
		t.Fatalf("job %d: %d vertices, want %d", n, len(a.Outcome.Vertices), len(want.Vertices))
	}
	for i := range want.Vertices {
		w, g := &want.Vertices[i], &a.Outcome.Vertices[i]
		if w.Address != g.Address || w.AL != g.AL || w.CC != g.CC || len(w.Primitives) != len(g.Primitives) {
			t.Fatalf("job %d, vertex %d: got %v %d %v, want %v %d %v", n, i, g.Address, g.AL, g.CC,
				w.Address, w.AL, w.CC)
		}
		equalBanks(t, n, want.Storage, &w.O, &g.O)
		equalBanks(t, n, want.Storage, &w.R, &g.R)
		for k := range w.Primitives {
			if w.Primitives[k].Inverted != g.Primitives[k].Inverted {
				t.Fatalf("job %d: primitive %d: winding", n, k)
			}
			for slot := range 3 {
				equalBanks(t, n, want.Storage, &w.Primitives[k].Vertices[slot], &g.Primitives[k].Vertices[slot])
			}
		}
	}
}

func equalBanks(t *testing.T, n uint64, storage pica.NumberFormat, want, got *[16]pica.Vec4) {
	t.Helper()
	for k := range want {
		for c := range want[k] {
			if w := storage.Widen(want[k][c]); w != got[k][c] {
				t.Fatalf("job %d: register %d component %d: got %08x, want %08x", n, k, c, got[k][c], w)
			}
		}
	}
}
