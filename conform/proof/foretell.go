package proof

import (
	"context"
	"slices"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/hypothesis"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/pica"
)

// A Foreteller tells which jobs will hang a core, given its answers to others.
type Foreteller struct {
	s      *Search
	ended  []*pica.Job
	groups []*hangGroup
}

// A hangGroup is a number of hangs that may have one cause: each hypothesis of the list predicts all of them, and no
// hang of a job that ended.
type hangGroup struct {
	hung  []*pica.Job
	list  []*hypothesis.Hypothesis
	tried map[*hypothesis.Hypothesis]bool // by Isolate
}

// NewForeteller returns a Foreteller without answers. A profile tells what else the programs do; reduce is the Reduce
// of a [Search].
func NewForeteller(p pica.Profile, initial *pica.State,
	reduce func(ctx context.Context, job *pica.Job, tries int, fails func(job *pica.Job) bool) *pica.Job) *Foreteller {
	s := &Search{Profile: p, Initial: initial, Reduce: reduce}
	s.begin()
	return &Foreteller{s: s}
}

// hangs reports whether one of some jobs hangs under a hypothesis.
func (f *Foreteller) hangs(h *hypothesis.Hypothesis, jobs ...*pica.Job) bool {
	var predict *fingerprint.Predictor
	var want view.View
	return slices.ContainsFunc(jobs, func(job *pica.Job) bool {
		if !h.Touches(hypothesis.Opcodes(job.Code) | 1<<pica.ADD) { // control that leaves the program finds zeros, ADD
			return false
		}
		if predict == nil {
			predict = f.s.with(h)
		}
		predict.View(job, &f.s.Profile, &want)
		return want.End == view.Hung
	})
}

// ends reports whether a job ends under the profile.
func (f *Foreteller) ends(job *pica.Job) bool {
	var own view.View
	f.s.plain.View(job, &f.s.Profile, &own)
	return own.End == view.Ended
}

// Learn takes further answers.
func (f *Foreteller) Learn(cases []Case) {
	var ended, hung []*pica.Job
	for _, c := range cases {
		switch {
		case c.Got.End == view.Ended && f.ends(c.Job):
			ended = append(ended, c.Job)
		case c.Got.End == view.Hung && len(c.Job.Code) <= maxDeadly && f.ends(c.Job):
			hung = append(hung, c.Job)
		}
	}
	f.ended = append(f.ended, ended...)
	for _, g := range f.groups {
		g.list = slices.DeleteFunc(g.list, func(h *hypothesis.Hypothesis) bool { return f.hangs(h, ended...) })
	}
	for _, job := range hung {
		f.join(job)
	}
}

// join adds a job that hung to the first group that has a hypothesis for it, or to a new one.
func (f *Foreteller) join(job *pica.Job) {
	for _, g := range f.groups {
		both := slices.DeleteFunc(slices.Clone(g.list), func(h *hypothesis.Hypothesis) bool { return !f.hangs(h, job) })
		if len(both) > 0 {
			g.hung, g.list = append(g.hung, job), both
			return
		}
	}
	const most = 8 // a core with more causes of hangs is asked for all jobs
	if len(f.groups) == most {
		return
	}
	sight := f.s.sight(job)
	list := hypothesis.Deaths(causesOfDeath[view.Hung], sight.Opcodes, opcodes(job), nil)
	for _, h := range list {
		for _, condition := range sight.Conditions {
			if narrow := h.Within(condition); narrow != nil {
				list = append(list, narrow)
			}
		}
	}
	list = slices.DeleteFunc(list, func(h *hypothesis.Hypothesis) bool {
		return !f.hangs(h, job) || f.hangs(h, f.ended...)
	})
	f.groups = append(f.groups, &hangGroup{[]*pica.Job{job}, list, map[*hypothesis.Hypothesis]bool{}})
}

// Isolate asks for smaller jobs that hang under one of the hypotheses about the hangs so far. Those that end after all
// cost nothing, and refute hypotheses.
func (f *Foreteller) Isolate(ctx context.Context, ask func(job *pica.Job) *view.View) {
	const most, mostHung = 64, 2
	for i := 0; i < len(f.groups); i++ {
		g := f.groups[i]
		job := slices.MinFunc(g.hung, func(a, b *pica.Job) int { return size(a) - size(b) })
		for hung := 0; hung < mostHung && len(g.tried) < most && ctx.Err() == nil; {
			n := slices.IndexFunc(g.list, func(h *hypothesis.Hypothesis) bool { return !g.tried[h] })
			if n < 0 {
				break
			}
			h := g.list[n]
			g.tried[h] = true
			small := f.s.smaller(ctx, job, func(j *pica.Job) bool { return f.ends(j) && f.hangs(h, j) })
			if size(small) == size(job) {
				continue
			}
			got := ask(small)
			if f.Learn([]Case{{Job: small, Got: got}}); got.End == view.Hung {
				job, hung = small, hung+1
			}
		}
	}
}

// Forget drops the hangs that a function explains, and those that may have the same cause.
func (f *Foreteller) Forget(explains func(job *pica.Job) bool) {
	f.groups = slices.DeleteFunc(f.groups, func(g *hangGroup) bool { return slices.ContainsFunc(g.hung, explains) })
}

// Foretell reports whether a job may hang, and whether it surely does: under each hypothesis about some hangs.
func (f *Foreteller) Foretell(job *pica.Job) (may, surely bool) {
	if len(f.groups) == 0 || !f.ends(job) {
		return false, false
	}
	for _, g := range f.groups {
		n := 0
		for _, h := range g.list {
			if f.hangs(h, job) {
				n++
			}
		}
		may, surely = may || n > 0, surely || n > 0 && n == len(g.list)
	}
	return may, surely
}
