package conform

import (
	"context"
	"slices"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/view"
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
	"loopid", "alwidth"}

// disprove finds the questions whose answer a cause contradicts: the core's result differs from the
// model's where other answers do, too. The model then has no answer to them, and the cause is the
// one entry about them.
func (s *session) disprove(ctx context.Context) {
	s.disproved = map[*fingerprint.Dimension]bool{}
	predict := fingerprint.PredictorOf(s.engine())
	for _, a := range s.failing(ctx) {
		var own, other view.View
		predict.View(a.Job, &s.print.Profile, &own)
		if view.Compare(&own, a.Got, nil) != view.Differs {
			continue
		}
		for i := range s.print.Decisions {
			d := &s.print.Decisions[i]
			if !slices.Contains(ownQuestions, d.Dimension.Name) || !d.Dimension.Concerns(a.Job) {
				continue
			}
			for v := range d.Dimension.Values {
				q, ok := d.Dimension.With(s.print.Profile, v)
				if !ok || v == d.Value {
					continue
				}
				predict.View(a.Job, &q, &other)
				if fingerprint.Distinct(&own, &other) && view.Disputed(&own, &other, a.Got) {
					if !s.disproved[d.Dimension] {
						s.answers = append(s.answers, a)
						d.State, d.DecidedBy = fingerprint.Neither, len(s.answers)-1
					}
					s.disproved[d.Dimension] = true
				}
			}
		}
	}
}
