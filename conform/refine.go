package conform

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/proof"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// failing returns the core's answers to the programs of the causes so far: wrong results that are
// the same each time, and refusals.
func (s *session) failing(ctx context.Context) (answers []fingerprint.Answer) {
	for _, b := range s.buckets {
		if b.outcome != Differ && b.outcome != Refusal || b.flaky || b.random != "" {
			continue
		}
		begun := *b.job
		begun.Initial = s.initial
		answers = append(answers, fingerprint.Answer{Job: &begun, Got: view.OfAnswer(s.core.Ask(ctx, b.job))})
	}
	return answers
}

// refine takes the programs of the suites that the core answers otherwise than its model as further
// jobs of the fingerprint: they may separate answers to a question that no earlier job separates.
// It reports whether another of those explains more programs.
func (s *session) refine(ctx context.Context) bool {
	if s.Model != nil || s.Against != nil || ctx.Err() != nil {
		return false
	}
	failing := s.failing(ctx)
	predict := fingerprint.PredictorOf(s.engine())
	var want view.View
	unexplained := func(p *pica.Profile, answers []fingerprint.Answer) (n int) {
		for i := range answers {
			predict.View(answers[i].Job, p, &want)
			if view.Compare(&want, answers[i].Got, nil) == view.Differs {
				n++
			}
		}
		return n
	}
	best, least := s.print.Profile, unexplained(&s.print.Profile, failing)
	known := -1 // answers of the fingerprint that the present model does not explain
	for better := least > 0; better; {
		better = false
		for i := range s.print.Decisions {
			d := &s.print.Decisions[i]
			for _, v := range append(slices.Clone(d.Others), d.Value) {
				q, ok := d.Dimension.With(best, v)
				if !ok || q == best || looser(&q, &best) {
					continue
				}
				n := unexplained(&q, failing)
				if n >= least {
					continue
				}
				if known < 0 {
					known = unexplained(&best, s.answers)
				}
				if unexplained(&q, s.answers) <= known {
					best, least, better = q, n, true
				}
			}
		}
	}
	if known < 0 || best == s.print.Profile {
		return false
	}
	s.Progress("changing the core's model: programs of the suites show more of it")
	s.answers, s.models = append(s.answers, failing...), s.models+1
	s.print = fingerprint.DecideOn(s.answers, best, s.engine)
	s.excuse()
	return true
}

// looser reports whether a profile takes results for estimates that another one knows: it would
// explain wrong results, too.
func looser(p, than *pica.Profile) bool {
	return slices.ContainsFunc(estimated, func(op pica.Opcode) bool {
		t := p.Tolerance(op)
		return t != than.Tolerance(op) && t != pica.Tolerance{} && !t.OneUnit()
	})
}

// ownQuestions are the questions about one special case each. A program that such a case leads to
// a wrong result speaks of this question, whatever the core does.
var ownQuestions = []string{"nan0", "maxinf", "maxzero", "rcp0", "cmp", "fourthcall", "inneral", "breakstep",
	"breakoutside", "reset", "temporaries", "banks", "litp", "flushlitp", "indexedops", "vertex3", "mova", "movarange",
	"loopid", "alwidth", "dp", "mad"}

// disprove finds the questions whose answer a cause contradicts: the core's result differs from the
// model's where other answers do, too. The model then has no answer to them, and the cause is the
// one entry about them. The program of a cause is as small as it can be, so programs with other numbers
// speak of an answer that is not the console's, too.
func (s *session) disprove(ctx context.Context) {
	s.disproved = map[*fingerprint.Dimension]bool{}
	predict := fingerprint.PredictorOf(s.engine())
	own := slices.DeleteFunc(slices.Clone(s.print.Decisions), func(d fingerprint.Decision) bool {
		return !slices.Contains(ownQuestions, d.Dimension.Name)
	})
	failing := s.failing(ctx)
	for i := range failing {
		s.disproveBy(predict, &failing[i], own)
	}
	console := profile.HW()
	own = slices.DeleteFunc(own, func(d fingerprint.Decision) bool {
		return d.Value == d.Dimension.Get(&console) || s.disproved[d.Dimension]
	})
	const drawn, asked = 1024, 32
	r := rand.New(rand.NewPCG(s.Seed, 0))
	for _, a := range failing {
		job := *a.Job
		job.Initial = nil
		of := slices.DeleteFunc(slices.Clone(own), func(d fingerprint.Decision) bool { return !d.Dimension.Concerns(&job) })
		for n, asks := 0, 0; n < drawn && asks < asked && len(of) > 0 && ctx.Err() == nil; n++ {
			varied := proof.Vary(r, &job)
			if !slices.ContainsFunc(of, func(d fingerprint.Decision) bool { return s.separates(predict, &d, varied) }) {
				continue
			}
			asks++
			begun := *varied
			begun.Initial = s.initial
			s.disproveBy(predict, &fingerprint.Answer{Job: &begun, Got: view.OfAnswer(s.core.Ask(ctx, varied))}, of)
		}
	}
}

// separates reports whether the model ends a job, and otherwise than with another answer to a question.
func (s *session) separates(predict *fingerprint.Predictor, d *fingerprint.Decision, job *pica.Job) bool {
	var own, other view.View
	if !d.Dimension.Concerns(job) || s.disproved[d.Dimension] {
		return false
	}
	if predict.View(job, &s.print.Profile, &own); own.End != view.Ended {
		return false
	}
	for v := range d.Dimension.Values {
		if q, ok := d.Dimension.With(s.print.Profile, v); ok && v != d.Value {
			if predict.View(job, &q, &other); fingerprint.Distinct(&own, &other) {
				return true
			}
		}
	}
	return false
}

// disproveBy finds those of some questions whose answer one answer contradicts.
func (s *session) disproveBy(predict *fingerprint.Predictor, a *fingerprint.Answer, list []fingerprint.Decision) {
	var own, other view.View
	if predict.View(a.Job, &s.print.Profile, &own); view.Compare(&own, a.Got, nil) != view.Differs {
		return
	}
	for i := range list {
		d := &list[i]
		if !d.Dimension.Concerns(a.Job) || s.disproved[d.Dimension] {
			continue
		}
		for v := range d.Dimension.Values {
			q, ok := d.Dimension.With(s.print.Profile, v)
			if !ok || v == d.Value {
				continue
			}
			predict.View(a.Job, &q, &other)
			if fingerprint.Distinct(&own, &other) && view.Disputed(&own, &other, a.Got) && !s.disproved[d.Dimension] {
				s.answers = append(s.answers, *a)
				for k := range s.print.Decisions {
					if of := &s.print.Decisions[k]; of.Dimension == d.Dimension {
						of.State, of.DecidedBy = fingerprint.Neither, len(s.answers)-1
					}
				}
				s.disproved[d.Dimension] = true
			}
		}
	}
}
