package conform

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/report"
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

// refused reduces the jobs of the fingerprint that the core refuses although it executes their opcodes, the
// shortest first: it refuses a form of an opcode.
func (s *session) refused(ctx context.Context) {
	list := slices.Clone(s.print.Refused)
	slices.SortStableFunc(list, func(a, b int) int {
		return cmp.Compare(len(s.answers[a].Job.Code), len(s.answers[b].Job.Code))
	})
	w := newWatcher()
	for _, i := range list {
		job := reduce.Clone(under(s.answers[i].Job, s.model))
		job.Initial = nil
		if s.attributed(job, w, triggersOf(s.causes)) != nil || ctx.Err() != nil {
			continue
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
	}
}
