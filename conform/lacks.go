package conform

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// lacks returns the opcodes that the core refuses or dies of, nil before they are known.
func (s *session) lacks() *fingerprint.Lacks {
	if s.print == nil {
		return nil
	}
	return s.print.Lacks
}

// diesOf reports whether a program has an opcode of which the core dies, or runs into the words behind it,
// which are zero: an ADD.
func (s *session) diesOf(job *pica.Job) bool {
	deadly := s.lacks().Deadly
	if deadly(pica.ADD) {
		var v visitor
		if s.watched(job, &v) && slices.ContainsFunc(v.visits, func(w visit) bool { return w.PC >= len(job.Code) }) {
			return true
		}
	}
	return slices.ContainsFunc(job.Code, func(w uint32) bool { return deadly(pica.OpcodeOf(w)) })
}

// oneCrash: of the programs of which the core dies by a known cause, a suite asks for one in so many. Each costs a start
// of the core. It is one of those behind the core set that avoid nothing.
const oneCrash = 8 * unmasked

// leftOut reports whether a suite does not ask for job number n, of which the core dies by a known cause.
func leftOut(n uint64) bool { return n%oneCrash != 0 }

// panics reports whether most programs of the fingerprint that the model refuses ended a process of the core, as where it
// reports a fatal error and exits, and whether these were enough.
func (s *session) panics() bool {
	const enough = 16
	died, refused := 0, 0
	predict := fingerprint.PredictorOf(s.engine())
	for i := range s.answers {
		var want view.View
		if predict.View(s.answers[i].Job, &s.model, &want); want.End != view.Refused {
			continue
		}
		refused++
		if got := s.answers[i].Got.End; got == view.Refused || got == view.Crashed {
			died++
		}
	}
	return died >= enough && 2*died > refused
}

// kills reports whether the core died, alone, of every program of the fingerprint that brings a trigger about, and whether
// these were enough.
func (s *session) kills(t *trigger) bool {
	const enough = 4
	died, w := 0, newWatcher()
	for i := range s.answers {
		a := &s.answers[i]
		if job := under(a.Job, s.model); !t.hit(job, w.uses(job)) {
			continue
		}
		switch a.Got.End {
		case view.Crashed:
			died++
		case view.Missing, view.Unpredictable:
		default:
			return false
		}
	}
	return died >= enough
}

// dying returns the triggers of the causes that kill.
func (s *session) dying() (list triggers) {
	for i, t := range triggersOf(s.causes) {
		if s.causes[i].kills {
			list = append(list, t)
		}
	}
	return list
}

// refused reduces the jobs of the fingerprint that the core refuses although it executes their opcodes, the
// shortest first: it refuses a form of an opcode. Programs that the model with the proved faults need not end are left
// out, and those that it refuses.
func (s *session) refused(ctx context.Context) {
	list := slices.Clone(s.print.Refused)
	slices.SortStableFunc(list, func(a, b int) int {
		return cmp.Compare(len(s.answers[a].Job.Code), len(s.answers[b].Job.Code))
	})
	w, j := newWatcher(), s.newJudge(ctx)
	for _, i := range list {
		job := reduce.Clone(under(s.answers[i].Job, s.model))
		job.Initial = nil
		if s.attributed(job, w, triggersOf(s.causes)) != nil || ctx.Err() != nil {
			continue
		}
		if j.expect(job, false); j.want.End == view.Hung || view.Compare(&j.want, s.answers[i].Got, nil) != view.Differs {
			continue // with the faults that were proved since, the model has no end there, or refuses the program, too
		}
		if f, ok := s.reduced(ctx, job, "fingerprint", nil); ok {
			s.record(&bucket{Member: report.Member{Key: fmt.Sprintf("fingerprint: %s: job %d", f.outcome, i),
				Suite: "fingerprint", Number: uint64(i), Count: 1}, finding: f})
		}
	}
}

// deadly records the opcodes of which the core dies, with the programs of the fingerprint that show it.
func (s *session) deadly(ctx context.Context) {
	for _, lack := range s.print.Lacks.List {
		if !lack.Deadly {
			continue
		}
		job := reduce.Clone(s.answers[lack.Answer].Job)
		job.Initial = nil
		j := s.newJudge(ctx)
		if j.ask(job, true) != Crash {
			continue
		}
		f := &finding{outcome: Crash, job: job, report: reduce.Report{End: reduce.Minimal}, stderr: j.said()}
		var ops opcodes
		present := lack.Support == pica.SupportPresent
		for _, op := range lack.Dimension.Opcodes() {
			present = present || op.Reserved() // a model need not execute it
			f.opcode, ops[op.Base()] = profile.Spell(op), true
		}
		if f.trigger.all = ops; present {
			f.trigger = trigger{present: ops}
		}
		f.subject = f.opcode + ": " + Crash
		f.show(j)
		s.record(&bucket{Member: report.Member{Key: "fingerprint: " + f.subject, Suite: "fingerprint", Count: 1},
			finding: f})
		c := s.causes[slices.IndexFunc(s.causes, func(c *cause) bool { return c.Key == f.subject })]
		c.kills = s.kills(&c.trigger)
	}
}
