package mutants

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/picaproof/picaproof/internal/pool"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// A Visibility says how well the jobs of a kind show faults. A job triggers a mutant if some
// instruction leaves another state under it than on the oracle. The job shows the mutant if
// its outputs differ: output registers, primitives, or why the run ended.
type Visibility struct {
	Programs  string `json:"programs"` // suite, or suite and length
	Jobs      int    `json:"jobs"`
	Steps     int    `json:"instructions"` // executed, over all jobs
	Triggered int    `json:"triggered"`    // pairs of a job and a mutant
	Shown     int    `json:"shown"`        // of these
	// Killed counts the mutants that some job shows. Cost is the number of instructions that
	// the mutants executed until they were shown; a mutant that is not shown executed all jobs.
	Killed int `json:"killed"`
	Cost   int `json:"cost"`
	// Hidden has, by mutant, the number of jobs that trigger and do not show it. Only the
	// Visibility of a whole suite has it.
	Hidden map[string]int `json:"hidden,omitempty"`
}

// Share returns the percentage of triggered mutants that are shown.
func (v *Visibility) Share() float64 { return 100 * float64(v.Shown) / float64(max(v.Triggered, 1)) }

// PerKill returns the number of executed instructions for each killed mutant.
func (v *Visibility) PerKill() int { return v.Cost / max(v.Killed, 1) }

// lengths are the smallest numbers of executed instructions of the jobs that a Visibility
// groups by length.
var lengths = []int{1, 16, 64, 256, 1024}

// MeasureOptions limits a measurement. The zero MeasureOptions is ready to use.
type MeasureOptions struct {
	Seed uint64
	// Steps is the number of instructions that the jobs of a suite execute in all on the oracle;
	// 0 means DefaultSteps.
	Steps   int
	Workers int // 0 means one for each processor
	// Suites selects suites by the beginning of their names, "mixed" or "mixed f24"; empty
	// means all.
	Suites string
	// Progress is called with the number of mutants done, by one goroutine at a time. It may be
	// nil.
	Progress func(done, all int)
}

// DefaultSteps is the number of instructions that the jobs of a suite execute in all.
const DefaultSteps = 10_000

// Measure runs every mutant on the jobs of every suite: a Visibility for each suite, then one
// for each length of its jobs.
func Measure(ctx context.Context, opts MeasureOptions) (list []Visibility, err error) {
	if opts.Steps <= 0 {
		opts.Steps = DefaultSteps
	}
	all, err := suites()
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(s suite) bool { return !strings.HasPrefix(s.name, opts.Suites) })
	executors := Executors()
	done := 0
	for _, s := range all {
		m := measurement{suite: s, opts: opts, hidden: map[string]int{}}
		if err := m.record(); err != nil {
			return list, err
		}
		err := pool.Each(ctx, opts.Workers, len(executors), func(_ context.Context, n int) error {
			err := m.run(executors[n])
			m.mu.Lock()
			defer m.mu.Unlock()
			done++
			if opts.Progress != nil {
				opts.Progress(done, len(all)*len(executors))
			}
			return err
		})
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return list, err
		}
		list = append(list, m.report()...)
	}
	return list, nil
}

// measurement runs the mutants on the jobs of a suite.
type measurement struct {
	suite
	opts  MeasureOptions
	steps []int // by job, on the oracle

	mu        sync.Mutex
	triggered []int // by job, number of mutants that it triggers
	shown     []int // by job, number of mutants that it shows
	kills     []int // by job, number of mutants that it is the first to show
	hidden    map[string]int
}

// record runs the jobs on the oracle until they have executed enough.
func (m *measurement) record() error {
	job, engine := m.jobs(m.opts.Seed), impl.New()
	var out pica.Outcome
	for total := 0; total < m.opts.Steps; {
		n := uint64(len(m.steps))
		if err := engine.Run(job(n), &out); err != nil {
			return fmt.Errorf("%s job %d of seed %d: %w", m.name, n, m.opts.Seed, err)
		}
		steps := 1 // a job without a step counts as one step, so that the loop ends
		for i := range out.Vertices {
			steps += out.Vertices[i].Steps
		}
		m.steps = append(m.steps, steps)
		total += steps
	}
	m.triggered, m.shown, m.kills = make([]int, len(m.steps)), make([]int, len(m.steps)), make([]int, len(m.steps))
	return nil
}

// run runs the jobs on the oracle and on a mutant.
func (m *measurement) run(mutant Mutant) error {
	var (
		want, got pica.Outcome
		way       path
		job       = m.jobs(m.opts.Seed)
		reference = impl.Watched(&way)
		executor  = mutant.Watched((*follower)(&way))
		killed    bool
	)
	for n := range m.steps {
		j := job(uint64(n))
		way.restart()
		if err := reference.Run(j, &want); err != nil {
			return fmt.Errorf("%s job %d of seed %d: %w", m.name, n, m.opts.Seed, err)
		}
		if err := executor.Run(j, &got); err != nil {
			return fmt.Errorf("%s, %s job %d of seed %d: %w", mutant.Name, m.name, n, m.opts.Seed, err)
		}
		shows := !sameOutputs(&want, &got)
		m.mu.Lock()
		if shows || way.parted {
			m.triggered[n]++
		}
		if shows {
			m.shown[n]++
		} else if way.parted {
			m.hidden[mutant.Name]++
		}
		if shows && !killed {
			m.kills[n]++
			killed = true
		}
		m.mu.Unlock()
	}
	return nil
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

// report sums the counts over all jobs and over jobs by length.
func (m *measurement) report() []Visibility {
	list := make([]Visibility, 1+len(lengths))
	list[0].Programs, list[0].Hidden = m.name, m.hidden
	for k, least := range lengths {
		list[1+k].Programs = fmt.Sprintf("%s, %d or more", m.name, least)
		if k+1 < len(lengths) {
			list[1+k].Programs = fmt.Sprintf("%s, %d to %d", m.name, least, lengths[k+1]-1)
		}
	}
	alive := len(Executors())
	for n, steps := range m.steps {
		length, _ := slices.BinarySearch(lengths, steps+1)
		for _, v := range []*Visibility{&list[0], &list[length]} {
			v.Jobs++
			v.Steps += steps
			v.Triggered += m.triggered[n]
			v.Shown += m.shown[n]
			v.Killed += m.kills[n]
			v.Cost += alive * steps
		}
		alive -= m.kills[n]
	}
	return slices.DeleteFunc(list, func(v Visibility) bool { return v.Jobs == 0 })
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
