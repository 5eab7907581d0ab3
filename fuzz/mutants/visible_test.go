package mutants_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/hunt"
	"github.com/picaproof/picaproof/fuzz/mutants"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/internal/pool"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// TestLongProgramsShow: the outputs of long programs show nearly every mutant that a program triggers. A
// program triggers a mutant if some instruction leaves another state under it than on the oracle.
func TestLongProgramsShow(t *testing.T) {
	const seed = 1
	steps := long.Few(6_000, 1_500)
	for _, name := range long.Items(t, profiles, 1) {
		p, err := profile.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		jobs := func() func(n uint64) *pica.Job { return hunt.Generated(gen.Long, p)(seed) }
		count := countFor(t, jobs(), steps)
		executors := mutants.Executors()
		var mu sync.Mutex
		triggered, hidden := 0, map[string]int{}
		err = pool.Each(t.Context(), 0, len(executors), func(_ context.Context, k int) error {
			some, hides, err := visibility(&executors[k], jobs(), count)
			mu.Lock()
			defer mu.Unlock()
			if triggered += some; hides > 0 {
				hidden[executors[k].Name] = hides
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		shown := triggered
		for _, n := range hidden {
			shown -= n
		}
		t.Logf("%s: %d jobs, %d of %d shown", name, count, shown, triggered)
		if triggered == 0 || shown*100 < triggered*95 {
			t.Errorf("seed %d: %s: %d of %d triggered mutants are shown, want 95 %%: hidden %v", seed, name, shown,
				triggered, hidden)
		}
	}
}

// countFor returns the number of jobs that execute a number of instructions on the oracle.
func countFor(t *testing.T, job func(n uint64) *pica.Job, steps int) (count uint64) {
	t.Helper()
	engine := impl.New()
	var out pica.Outcome
	for ; steps > 0; count++ {
		if err := engine.Run(job(count), &out); err != nil {
			t.Fatal(err)
		}
		steps--
		for i := range out.Vertices {
			steps -= out.Vertices[i].Steps
		}
	}
	return count
}

// visibility runs jobs on the oracle and on a mutant. It counts the jobs that trigger the mutant, and those of
// them whose outputs do not show it.
func visibility(m *mutants.Mutant, job func(n uint64) *pica.Job, count uint64) (triggered, hidden int, err error) {
	var want, got pica.Outcome
	var way path
	reference, executor := impl.Watched(&way), m.Watched((*follower)(&way))
	for n := range count {
		j := job(n)
		way.restart()
		if err := reference.Run(j, &want); err != nil {
			return triggered, hidden, err
		}
		if err := executor.Run(j, &got); err != nil {
			return triggered, hidden, err
		}
		shows := !sameOutputs(&want, &got)
		if shows || way.parted {
			triggered++
		}
		if way.parted && !shows {
			hidden++
		}
	}
	return triggered, hidden, nil
}

// sameOutputs compares what a core shows without its temporaries.
func sameOutputs(want, got *pica.Outcome) bool {
	for i := range want.Vertices {
		w, g := &want.Vertices[i], &got.Vertices[i]
		if w.O != g.O || w.Trap.Cause != g.Trap.Cause || !slices.Equal(w.Primitives, g.Primitives) {
			return false
		}
	}
	return true
}

// A path is the states of a job, one before each run and one after each step.
type path struct {
	points []point
	next   int
	parted bool // the follower has left the path
}

type point struct {
	pc    int
	cause pica.Cause
	state pica.State
}

func (p *path) restart() { p.points, p.next, p.parted = p.points[:0], 0, false }

// Start adds the state before a run.
func (p *path) Start(_ *pica.Job, _ int, state *pica.State) {
	p.points = append(p.points, point{state: *state})
}

// Step adds the state after an instruction.
func (p *path) Step(s *pica.Step) {
	p.points = append(p.points, point{s.PC, s.Trap.Cause, *s.State})
}

// A follower compares a run with a path.
type follower path

// Start compares the state before a run.
func (f *follower) Start(_ *pica.Job, _ int, state *pica.State) { f.compare(0, pica.TrapNone, state) }

// Step compares the state after an instruction.
func (f *follower) Step(s *pica.Step) { f.compare(s.PC, s.Trap.Cause, s.State) }

func (f *follower) compare(pc int, cause pica.Cause, state *pica.State) {
	if f.parted {
		return
	}
	if f.next == len(f.points) {
		f.parted = true
		return
	}
	p := &f.points[f.next]
	f.next++
	f.parted = p.pc != pc || p.cause != cause || p.state != *state
}
