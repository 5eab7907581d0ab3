package conform

import (
	"context"
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/adapter/command"
	"github.com/picaproof/picaproof/pica"
)

// state lists the state that a core keeps between requests, and state that it begins with.
func (s *session) state(ctx context.Context) (list []report.Deviation) {
	defer func() {
		for i := range list {
			list[i].Opcode, list[i].Count = "state", 1
		}
	}()
	add := func(d report.Deviation, job *pica.Job) {
		d.Class = "state"
		s.show(&d, job, &s.model, reduce.Report{})
		list = append(list, d)
	}
	for _, l := range oneCache(s.leaks) {
		list = append(list, l.deviation(s))
	}
	worn, life := s.wear(ctx)
	list = append(list, worn...)
	if s.initial != nil {
		j := s.newJudge(ctx)
		j.initial = nil
		if j.ask(empty(), true) == Differ { // a model may begin with such registers
			add(report.Deviation{Bucket: "initial registers", Verdict: report.Own, Where: j.diff.Where,
				Expected: j.diff.Expected, Observed: j.diff.Observed,
				Note: "registers must be zeros before the first instruction"}, empty())
		}
	}
	if s.setsB15 {
		if d, job := s.lastBoolean(ctx); job != nil {
			add(d, job)
		}
	}
	if s.forgetRandom(); len(s.unstable) > 0 && len(s.leaks) == 0 {
		smallest := slices.MinFunc(s.unstable, func(a, b *pica.Job) int { return len(a.Code) - len(b.Code) })
		add(report.Deviation{Bucket: "answers that are not repeated", Verdict: report.Flaky, Where: "end",
			Expected: "the same answer twice",
			Observed: "another one",
			Note: fmt.Sprintf("%d of %d jobs were answered in two ways: at random, or depending on earlier requests",
				len(s.unstable), len(s.answers))}, smallest)
	}
	if s.damage != nil && (life == 0 || len(s.damage.Sequence) < life) {
		sequence, last := adapter.Culprit(ctx, s.core, s.damage)
		cut := ctx.Err() != nil // the culprit may be another one
		d := report.Deviation{Bucket: "crash by an earlier request", Verdict: report.Crash, Where: "end",
			Expected: "an answer",
			Observed: seen(Crash, last.Kind, last.Message), Stderr: last.Stderr,
			Note: fmt.Sprintf("this request does the damage; the process ends %d requests later", len(sequence)-1)}
		jobs, err := []*pica.Job{empty()}, error(nil)
		switch {
		case cut:
			jobs[0], err = s.damage.Sequence.Job(len(s.damage.Sequence) - 1)
			d.Note = "the request that does the damage was not found in time; the process ended at this one"
			d.Observed, d.Stderr = seen(Crash, s.damage.Kind, s.damage.Message), s.damage.Stderr
		case len(sequence) > 0:
			jobs, err = s.damaging(ctx, sequence)
		default:
			d.Bucket, d.Verdict, d.Note = "crash that is not repeated", report.Flaky,
				"the requests before the crash were answered when they were repeated"
			d.Observed, d.Stderr = seen(Crash, s.damage.Kind, s.damage.Message), s.damage.Stderr
		}
		if err == nil {
			add(d, jobs[0])
			if len(jobs) > 1 {
				list[len(list)-1].Reproduce = command.Lines(s.core.Name(), lines(jobs)...)
			}
		}
	}
	return list
}

// forgetRandom drops unstable answers that are explained by a cause whose program fails only
// sometimes.
func (s *session) forgetRandom() {
	known := triggersOf(s.random())
	w := newWatcher()
	s.unstable = slices.DeleteFunc(s.unstable, func(job *pica.Job) bool {
		job = under(job, s.model)
		return known.hit(job, w.uses(job))
	})
}
