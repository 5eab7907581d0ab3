package conform

import (
	"context"
	"slices"

	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
)

// quiet returns a job without the bits that no reader uses; ok is false if it has none.
func quiet(job *pica.Job) (c *pica.Job, ok bool) {
	if !slices.ContainsFunc(job.Code, func(w uint32) bool { return w&decode.Ignored(w) != 0 }) {
		return job, false
	}
	c = reduce.Clone(job)
	for k, w := range c.Code {
		c.Code[k] = w &^ decode.Ignored(w)
	}
	return c, true
}

// quietly returns the job without the bits that no reader uses if the core answers it alike, else the job.
func (s *session) quietly(ctx context.Context, job *pica.Job, answer *view.View) *pica.Job {
	c, ok := quiet(job)
	if !ok || ctx.Err() != nil {
		return job
	}
	a := s.core.Ask(ctx, c)
	if got := view.OfAnswer(a); view.Compare(answer, got, nil) != view.Same {
		return job
	}
	return c
}
