package reduce

import (
	"context"
	"errors"
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// Key names the fault that a job shows; "" if it shows none. It must return the same key for
// the same job, and may use the job only until it returns.
type Key func(job *pica.Job) string

// Witness is an instruction at which a job fails: its pc, the registers before it, and its
// operands after indexing, swizzle and negation. It helps to cut out a fault of one instruction
// at once.
type Witness struct {
	Vertex, PC int
	Before     pica.State
	Sources    [3]pica.Vec4
	Storage    pica.NumberFormat // of Before and Sources
}

// Jobs says how jobs are judged.
type Jobs struct {
	// NewKey returns the predicate; it is called once for each worker.
	NewKey func() Key
	// Witness finds the instruction at which a job fails. It may be nil, and may report
	// false; one goroutine calls it.
	Witness func(job *pica.Job) (Witness, bool)
}

// JobResult is a reduced job.
type JobResult struct {
	Job *pica.Job
	Key string
	Report
}

// ErrNothing: the job or file shows no fault to begin with.
var ErrNothing = errors.New("reduce: nothing to keep")

// Job reduces a job while its key stays the same. The job is not changed, and
// the result shares no memory with it.
func Job(ctx context.Context, job *pica.Job, how Jobs, opts Options) (JobResult, error) {
	job = Clone(job)
	key := how.NewKey()(job)
	if key == "" {
		return JobResult{}, ErrNothing
	}
	judge := func() func(*pica.Job) bool {
		keyOf := how.NewKey()
		return func(j *pica.Job) bool { return keyOf(j) == key }
	}
	s := newSearch(job, jobKinds(how.Witness), jobSize, judge, opts)
	s.run(ctx)
	return JobResult{Clone(s.best), key, s.report}, nil
}

// Clone returns a copy of a job that shares no memory with it.
func Clone(job *pica.Job) *pica.Job {
	c := *job
	c.Code, c.Descriptors = slices.Clone(job.Code), slices.Clone(job.Descriptors)
	c.Floats, c.Vertices = slices.Clone(job.Floats), slices.Clone(job.Vertices)
	for k := range c.Floats {
		c.Floats[k].Values = slices.Clone(c.Floats[k].Values)
	}
	for k := range c.Vertices {
		c.Vertices[k] = slices.Clone(c.Vertices[k])
	}
	if job.Initial != nil {
		initial := *job.Initial
		c.Initial = &initial
	}
	return &c
}

// jobKinds lists the kinds of edits of a job, the boldest first.
func jobKinds(witness func(*pica.Job) (Witness, bool)) []kind[*pica.Job] {
	return []kind[*pica.Job]{
		{"budget", budgets},
		{"vertices", vertices},
		{"isolate", isolate(witness)},
		{"blocks", blocks},
		{"instructions", instructions},
		{"entry", entries},
		{"pairs", pairs},
		{"loose scopes", loose},
		{"special values", specials},
		{"switches", switches},
		{"uniforms", uniforms},
		{"inputs", inputs},
		{"nops", nops},
		{"descriptors", descriptors},
		{"operands", operands},
		{"registers", registers},
		{"values", values},
	}
}
