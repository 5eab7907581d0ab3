package proof

import (
	"slices"

	"github.com/picaproof/picaproof/conform/hypothesis"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/pica"
)

// Foretell returns a function that reports whether a core will hang at a job, given its answers to others: under each
// hypothesis that predicts all of its hangs and none of its other answers, the job hangs. A profile tells what else the
// programs do.
func Foretell(p pica.Profile, initial *pica.State, cases []Case) func(job *pica.Job) bool {
	s := &Search{Profile: p, Initial: initial}
	s.begin()
	hangs := func(h *hypothesis.Hypothesis, job *pica.Job) bool {
		var want view.View
		s.with(h).View(job, &s.Profile, &want)
		return want.End == view.Hung
	}
	var hung, ended []*pica.Job
	for _, c := range cases {
		var own view.View
		switch s.plain.View(c.Job, &s.Profile, &own); {
		case own.End != view.Ended:
		case c.Got.End == view.Hung:
			hung = append(hung, c.Job)
		case c.Got.End == view.Ended:
			ended = append(ended, c.Job)
		}
	}
	if len(hung) == 0 {
		return func(*pica.Job) bool { return false }
	}
	smallest := slices.MinFunc(hung, func(a, b *pica.Job) int { return size(a) - size(b) })
	sight := s.sight(smallest)
	list := hypothesis.Deaths(causesOfDeath[view.Hung], sight.Opcodes, opcodes(smallest), nil)
	for _, h := range list {
		for _, condition := range sight.Conditions {
			if narrow := h.Within(condition); narrow != nil {
				list = append(list, narrow)
			}
		}
	}
	list = slices.DeleteFunc(list, func(h *hypothesis.Hypothesis) bool {
		return slices.ContainsFunc(hung, func(job *pica.Job) bool { return !hangs(h, job) }) ||
			slices.ContainsFunc(ended, func(job *pica.Job) bool { return hangs(h, job) })
	})
	return func(job *pica.Job) bool {
		return len(list) > 0 && !slices.ContainsFunc(list, func(h *hypothesis.Hypothesis) bool { return !hangs(h, job) })
	}
}
