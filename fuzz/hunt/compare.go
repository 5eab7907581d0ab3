package hunt

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/pica"
)

// Report is the result of a comparison, also in JSON.
type Report struct {
	Jobs      int `json:"jobs"`
	Undefined int `json:"undefined,omitempty"`
	// Outcomes counts further outcomes of jobs of a core in another process: "unsupported", "not
	// comparable".
	Outcomes      map[string]uint64 `json:"outcomes,omitempty"`
	Differences   int               `json:"differences"`
	JobsPerSecond float64           `json:"jobs_per_second"`
	Interrupted   bool              `json:"interrupted,omitempty"`
	Buckets       []Difference      `json:"buckets"` // the largest first
}

// Difference is a bucket of differences with one cause, shown by its reduced first job.
type Difference struct {
	Key    string `json:"key"`
	Count  int    `json:"count"`
	Number uint64 `json:"number"` // of the first job
	*JobCase
}

// Run runs the jobs of a comparison, of which there may be none, until they are done or the
// context ends, and reports the number of finished jobs now and then. It stores nothing.
func (c Comparison) Run(ctx context.Context, seed uint64, progress func(jobs int)) (*Report, error) {
	if c.Cases == 0 {
		return &Report{Buckets: []Difference{}}, nil
	}
	s, err := Open("", seed)
	if err != nil {
		return nil, err
	}
	var last Status
	_, err = Run(ctx, s, []Target{c.Target()}, Options{Progress: func(s Status) {
		last = s
		progress(int(s.Cases))
	}})
	if err != nil {
		return nil, err
	}
	r := &Report{
		Jobs: int(s.Cases()), Undefined: int(s.Progress(c.Name).Outcomes[compare.Undefined.String()]),
		JobsPerSecond: last.PerSecond, Interrupted: ctx.Err() != nil, Buckets: []Difference{},
	}
	r.Outcomes = maps.Clone(s.Progress(c.Name).Outcomes)
	delete(r.Outcomes, compare.Undefined.String())
	for _, b := range s.Buckets {
		r.Differences += b.Count
		r.Buckets = append(r.Buckets,
			Difference{b.Key, b.Count, b.Number, cmp.Or(b.Reduced.Job, &JobCase{Text: b.Reduced.Text})})
	}
	slices.SortFunc(r.Buckets, func(a, b Difference) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Key, b.Key))
	})
	return r, nil
}

// ShaderJobs returns the number and the source of the jobs that run each shader over generated
// vertices, one a job, so that a difference names its vertex.
func ShaderJobs(shaders []pica.Shader, p pica.Profile,
	vertices int) (cases uint64, source func(seed uint64) func(n uint64) *pica.Job) {
	jobs := make([]pica.Job, len(shaders))
	for i := range shaders {
		jobs[i] = shaders[i].Job(p)
		jobs[i].InputFormat = pica.Float24
	}
	return uint64(len(jobs)) * uint64(vertices), func(seed uint64) func(n uint64) *pica.Job {
		var g gen.Generator
		return func(n uint64) *pica.Job {
			job := jobs[n/uint64(vertices)]
			job.Vertices = g.Vertex(gen.Seed(seed, n))
			return &job
		}
	}
}
