package conform

import (
	"context"

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
		f := &finding{outcome: Crash, job: job, report: reduce.Report{End: reduce.Minimal}, stderr: j.answer.Stderr,
			trigger: trigger{Present: lack.Support == pica.SupportPresent}}
		for _, op := range lack.Dimension.Opcodes() {
			f.trigger.Present = f.trigger.Present || op.Reserved() // a model need not execute it
			if f.opcode = profile.Spell(op); op == op.Base() {
				f.trigger.Opcodes = append(f.trigger.Opcodes, op.String())
			}
		}
		f.subject = f.opcode + ": " + Crash
		f.show(j)
		s.record(&bucket{Member: report.Member{Key: "fingerprint: " + f.subject, Suite: "fingerprint", Count: 1},
			finding: f})
	}
}
