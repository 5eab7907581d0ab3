package mutants

import (
	"context"
	"slices"
	"sync"

	"github.com/picaproof/picaproof/internal/pool"
)

// Matrix says which suite of generated programs kills which mutant.
type Matrix struct {
	Seed        uint64   `json:"seed"`
	Mutants     int      `json:"mutants"`
	Killed      int      `json:"killed"`
	Equivalent  int      `json:"equivalent"`
	Survivors   []string `json:"survivors"`
	Interrupted bool     `json:"interrupted,omitempty"`
	// BySuite counts the mutants that each suite kills.
	BySuite map[string]int `json:"by_suite"`
	Suites  []string       `json:"suites"`
	Rows    []Row          `json:"rows"`
}

// Row is the result of one mutant.
type Row struct {
	Name       string `json:"name"`
	Group      string `json:"group"`
	Rule       string `json:"rule"`
	Equivalent string `json:"equivalent,omitempty"` // why nothing can kill it
	// Cases has, by suite, the number of the case that killed the mutant, from 1; it lacks
	// suites that did not.
	Cases map[string]int `json:"cases"`
}

// Killed returns the smallest number of cases that killed the mutant, and the suite; 0 if none
// did.
func (r *Row) Killed(suites []string) (cases int, suite string) {
	for _, s := range suites {
		if n := r.Cases[s]; n > 0 && (cases == 0 || n < cases) {
			cases, suite = n, s
		}
	}
	return cases, suite
}

// Options limits the making of a matrix. The zero Options is ready to use.
type Options struct {
	Seed uint64
	// Cases is the number of jobs of a suite that a mutant runs; 0 means DefaultCases. A mutant
	// that no suite kills runs 50 times as many.
	Cases int
	// Once stops a mutant as soon as one suite has killed it.
	Once bool
	// Every selects each n-th mutant from number First on; 0 means 1, all of them.
	First, Every int
	Workers      int // 0 means one for each processor
	// Progress is called with the number of trials done, by one goroutine at a time. It may
	// be nil.
	Progress func(done, all int)
}

// DefaultCases is the number of jobs of a suite that a mutant runs.
const DefaultCases = 400

// persistence multiplies the number of jobs of a mutant that no suite killed.
const persistence = 50

// Make runs every mutant on every suite. If the context ends, it returns the matrix so far.
func Make(ctx context.Context, opts Options) (*Matrix, error) {
	if opts.Cases <= 0 {
		opts.Cases = DefaultCases
	}
	var executors []Mutant
	for i, e := range Executors() {
		if i%max(opts.Every, 1) == opts.First {
			executors = append(executors, e)
		}
	}
	m := &Matrix{Seed: opts.Seed, BySuite: map[string]int{}, Survivors: []string{}}
	for _, e := range executors {
		m.Rows = append(m.Rows,
			Row{Name: e.Name, Group: e.Group, Rule: e.Rule, Equivalent: e.Equivalent, Cases: map[string]int{}})
	}
	list, err := suites()
	if err != nil {
		return nil, err
	}
	for _, s := range list {
		m.Suites = append(m.Suites, s.name)
	}
	alive := func(r *Row) bool { return len(r.Cases) == 0 && r.Equivalent == "" }
	if opts.Once {
		for _, s := range list {
			if err == nil {
				err = m.fill(ctx, executors, []suite{s}, opts, opts.Cases, alive)
			}
		}
	} else {
		err = m.fill(ctx, executors, list, opts, opts.Cases, func(*Row) bool { return true })
	}
	if err == nil {
		err = m.fill(ctx, executors, list, opts, persistence*opts.Cases, alive)
	}
	m.Interrupted = ctx.Err() != nil
	m.count()
	return m, err
}

// count fills the totals.
func (m *Matrix) count() {
	m.Mutants = len(m.Rows)
	for i := range m.Rows {
		r := &m.Rows[i]
		for suite := range r.Cases {
			m.BySuite[suite]++
		}
		switch {
		case len(r.Cases) > 0:
			m.Killed++
		case r.Equivalent != "":
			m.Equivalent++
		case !m.Interrupted: // an interrupted mutant might still be killed
			m.Survivors = append(m.Survivors, r.Name)
		}
	}
}

// fill runs the suites for the rows that wanted selects.
func (m *Matrix) fill(ctx context.Context, executors []Mutant, list []suite, opts Options, cases int,
	wanted func(r *Row) bool) error {
	var rows []int
	for i := range m.Rows {
		if wanted(&m.Rows[i]) {
			rows = append(rows, i)
		}
	}
	var trials []trial
	for _, s := range list {
		for some := range slices.Chunk(rows, maxInTrial) {
			trials = append(trials, trial{s, some})
		}
	}
	var mu sync.Mutex
	done := 0
	return pool.Each(ctx, opts.Workers, len(trials), func(ctx context.Context, k int) error {
		t := &trials[k]
		kills, err := t.run(ctx, executors, opts.Seed, cases)
		mu.Lock()
		defer mu.Unlock()
		for row, n := range kills {
			m.Rows[row].Cases[t.name] = n
		}
		done++
		if opts.Progress != nil {
			opts.Progress(done, len(trials))
		}
		return err
	})
}
