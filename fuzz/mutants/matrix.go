package mutants

import (
	"context"
	"runtime"
	"slices"
	"sync"
)

// Matrix says which suite of generated cases kills which mutant.
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

// Row is what became of one mutant.
type Row struct {
	Name       string `json:"name"`
	Group      string `json:"group"`
	Rule       string `json:"rule"`
	Equivalent string `json:"equivalent,omitempty"` // why nothing can kill it
	// Cases has the number of the case, from 1, with which each suite killed the
	// mutant; it lacks the suites that did not.
	Cases map[string]int `json:"cases"`
}

// Killed returns the smallest number of cases that killed the mutant, and in
// which suite; 0 if none did.
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
	// Cases is how many cases of a suite a mutant is held against; 0 means 400.
	// What no suite kills is held against 50 times as many.
	Cases int
	// Once leaves a mutant alone as soon as one suite has killed it.
	Once    bool
	Workers int // 0 means one for each processor
	// Progress is told how much of the work is done, from several goroutines. It
	// may be nil.
	Progress func(done, all int)
}

const (
	defaultCases = 400
	persistence  = 50
)

// Make holds every mutant against every suite. When the context ends it returns
// what it has.
func Make(ctx context.Context, opts Options) (*Matrix, error) {
	if opts.Cases <= 0 {
		opts.Cases = defaultCases
	}
	executors := Executors()
	m := &Matrix{Seed: opts.Seed, BySuite: map[string]int{}, Survivors: []string{}}
	for _, e := range executors {
		m.Rows = append(m.Rows, Row{Name: e.Name, Group: e.Group, Rule: e.Rule, Equivalent: e.Equivalent, Cases: map[string]int{}})
	}
	fileMutants, suites, err := formatSuites(len(executors))
	if err != nil {
		return nil, err
	}
	for _, f := range fileMutants {
		m.Rows = append(m.Rows, Row{Name: f.Name, Group: f.Group, Rule: f.Rule, Cases: map[string]int{}})
	}
	suites = append(jobSuites(0, executors), suites...)
	for _, s := range suites {
		m.Suites = append(m.Suites, s.name)
	}
	alive := func(r *Row) bool { return len(r.Cases) == 0 && r.Equivalent == "" }
	if opts.Once {
		for _, together := range rounds(suites) {
			if err == nil {
				err = m.hold(ctx, together, opts, opts.Cases, alive)
			}
		}
	} else {
		err = m.hold(ctx, suites, opts, opts.Cases, func(*Row) bool { return true })
	}
	if err == nil {
		err = m.hold(ctx, suites, opts, persistence*opts.Cases, alive)
	}
	m.Interrupted = ctx.Err() != nil
	m.count()
	return m, err
}

// rounds arranges suites so that those of a round are for different mutants.
func rounds(suites []suite) (list [][]suite) {
	seen := map[int]int{} // suites so far, by the row of their first mutant
	for _, s := range suites {
		k := seen[s.first]
		seen[s.first]++
		if k == len(list) {
			list = append(list, nil)
		}
		list[k] = append(list[k], s)
	}
	return list
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
		case !m.Interrupted: // else it may still have died
			m.Survivors = append(m.Survivors, r.Name)
		}
	}
}

// task is one trial: rows of a suite.
type task struct {
	suite *suite
	first int   // number in the suite of its first mutant
	alive []int // from first
}

// hold runs the suites over the rows that wanted selects.
func (m *Matrix) hold(ctx context.Context, suites []suite, opts Options, cases int, wanted func(r *Row) bool) error {
	var tasks []task
	for i := range suites {
		s := &suites[i]
		for first := 0; first < s.count; first += s.chunk {
			t := task{suite: s, first: first}
			for k := range min(s.chunk, s.count-first) {
				if wanted(&m.Rows[s.first+first+k]) {
					t.alive = append(t.alive, k)
				}
			}
			if len(t.alive) > 0 {
				tasks = append(tasks, t)
			}
		}
	}
	var (
		mu      sync.Mutex
		failed  error
		next    int
		done    int
		workers sync.WaitGroup
	)
	if opts.Workers <= 0 {
		opts.Workers = runtime.GOMAXPROCS(0)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	for range opts.Workers {
		workers.Go(func() {
			for {
				mu.Lock()
				n := next
				next++
				mu.Unlock()
				if n >= len(tasks) || ctx.Err() != nil {
					return
				}
				kills, err := tasks[n].run(ctx, opts.Seed, cases)
				mu.Lock()
				for k, number := range kills {
					m.Rows[tasks[n].suite.first+tasks[n].first+k].Cases[tasks[n].suite.name] = number
				}
				if err != nil && failed == nil {
					failed = err
					stop()
				}
				done++
				if opts.Progress != nil {
					opts.Progress(done, len(tasks))
				}
				mu.Unlock()
			}
		})
	}
	workers.Wait()
	return failed
}

// run returns the number of the case, from 1, that killed each mutant.
func (t *task) run(ctx context.Context, seed uint64, cases int) (map[int]int, error) {
	trial, err := t.suite.begin(t.first)
	if err != nil {
		return nil, err
	}
	kills := map[int]int{}
	alive := t.alive
	for n := 0; n < cases && len(alive) > 0 && ctx.Err() == nil; n++ {
		killed, err := trial.run(seed, uint64(n), alive)
		if err != nil {
			return kills, err
		}
		for _, k := range killed {
			kills[k] = n + 1
		}
		if len(killed) > 0 {
			alive = slices.DeleteFunc(alive, func(k int) bool { return slices.Contains(killed, k) })
		}
	}
	return kills, nil
}
