package conform

import (
	"context"
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/hypothesis"
	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/show"
)

// stepsBefore is the number of instructions that a trace shows before the differing one.
const stepsBefore = 2

// trace finds the first instruction of a cause's program after which the core's answer differs from the
// prediction, and shows both.
func (s *session) trace(ctx context.Context, b *bucket) *report.Trace {
	missing := func(text string) *report.Trace { return &report.Trace{Missing: text} }
	switch {
	case s.Against != nil || b.opcode == "upload" || b.outcome == Flaky:
		return nil // no instruction is at fault, or no prediction is
	case ctx.Err() != nil:
		return missing("the run was interrupted")
	case b.random != "":
		return missing("the answers change")
	case b.outcome == Hang:
		return missing("each try costs the time limit")
	case b.trigger.present[pica.END]:
		return missing("END is all that the program has")
	case b.trigger.present != opcodes{}:
		return missing("a word makes the program fail, executed or not")
	case len(b.job.Vertices) != 1:
		return missing("the difference depends on other vertices")
	}
	one := under(b.job, s.model)
	one.Initial = s.initial
	j := s.newJudge(ctx)
	if b.known != nil {
		j.predict = fingerprint.PredictorOf(hypothesis.Engine(b.known...))
	}
	observed := b.observed
	if b.where != "end" {
		observed = b.where + " " + b.observed
	}
	step, err := compare.FirstStep(one, func(short *pica.Job) (bool, error) {
		c := *short
		c.Initial = nil
		outcome := j.ask(&c, false)
		if outcome == b.outcome && outcome == Differ {
			observed = strings.TrimPrefix(j.diff.Where+" ", "end ") + j.diff.Observed
		}
		return outcome == b.outcome, ctx.Err()
	})
	if err != nil || step < 0 {
		return missing("it is in a loop, or nothing before the end shows it")
	}
	steps, at := upTo(one, step)
	if at < 0 {
		return missing("the program ends before it")
	}
	last := steps[at]
	steps[at].Whose = "expected"
	last.Whose, last.Effect = "observed", observed
	return &report.Trace{Steps: append(steps, last)}
}

// upTo lists the last instructions of a job's run on the oracle up to a step. at is the place of the step,
// -1 if the run ends before it.
func upTo(job *pica.Job, step int) (list []report.Step, at int) {
	run, err := impl.Trace(job, 0)
	if err != nil {
		return nil, -1
	}
	var before pica.State
	if job.Initial != nil {
		before = *job.Initial
	}
	for s := range run {
		if s.Index >= step-stepsBefore {
			list = append(list, stepOf(job, s, &before))
		}
		if s.Index == step {
			return list, len(list) - 1
		}
		before = *s.State
	}
	return list, -1
}

// stepOf shows a step of a job.
func stepOf(job *pica.Job, s *pica.Step, before *pica.State) report.Step {
	instruction, operands, effect := show.StepParts(job, s, before)
	return report.Step{Number: s.Index, PC: s.PC, Instruction: instruction, Operands: operands, Effect: effect}
}

// parting shows the first instruction that a job runs differently under the core's model and under the
// console's rule.
func parting(job *pica.Job, own, console *pica.Profile) *report.Trace {
	one := *job
	one.Initial = nil
	left, right := under(&one, *own), under(&one, *console)
	parted, err := compare.Parting(left, right)
	if err != nil {
		return &report.Trace{Missing: "the oracle does not run the program under both rules"}
	}
	if parted == nil {
		return &report.Trace{Missing: "both rules run the same instructions; the difference is in what goes in or comes out"}
	}
	one.Vertices = job.Vertices[parted.Vertex : parted.Vertex+1]
	left = under(&one, *own)
	steps, at := upTo(left, parted.Left.Index)
	if at < 0 || parted.Vertex > 0 && job.Keep {
		return &report.Trace{Missing: fmt.Sprintf("the difference shows in vertex %d", parted.Vertex)}
	}
	var before pica.State
	steps[at].Whose = "core"
	other := stepOf(right, &parted.Right, &before)
	other.Whose = "console"
	return &report.Trace{Steps: append(steps, other)}
}
