package conform

import (
	"context"
	"slices"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/pica"
)

// Outcomes of a request, as reports count them.
const (
	Equal         = "equal"
	Differ        = "differ"
	Unsupported   = "unsupported"
	NotComparable = "not_comparable"
	Crash         = "crash"
	Hang          = "hang"
	Flaky         = "flaky"
)

// judge compares a core with a model, or with another core. It is not safe for concurrent use.
type judge struct {
	ctx     context.Context
	core    adapter.Core
	against adapter.Core // its answers replace the predictions; nil for none
	model   pica.Profile
	predict *fingerprint.Predictor
	initial *pica.State             // the initial values of registers, nil for zeros
	damaged func(d *adapter.Damage) // called with crashes that an earlier job may have caused
	// messages says which messages of the core report a skipped instruction.
	messages *fingerprint.Messages
	fresh    bool // each job has a process of its own
	confirm  bool // a job that fails is asked for again in a process of its own
	// grants predicts runs with results of limited precision; nil before the first.
	grants *compare.Grants
	out    pica.Outcome

	want, got view.View
	diff      view.Difference
	answer    adapter.Answer
}

// ask runs a portable job on the core and returns the outcome. Without a prediction the core is
// not asked.
func (j *judge) ask(job *pica.Job, fresh bool) string {
	j.answer = adapter.Answer{}
	fresh = fresh || j.fresh
	j.expect(job, fresh)
	switch j.want.End {
	case view.Hung, view.Missing, view.Unpredictable:
		return NotComparable
	}
	j.answer = answerOf(j.ctx, j.core, job, fresh)
	j.got.SetAnswer(&j.answer)
	if j.answer.Damaged != nil && j.damaged != nil {
		j.damaged(j.answer.Damaged)
	}
	outcome := j.outcome(job)
	if j.confirm && fails(outcome) {
		j.answer = j.core.AskFresh(j.ctx, job)
		j.got.SetAnswer(&j.answer)
		return j.outcome(job)
	}
	return outcome
}

// expect sets the expected view of the job.
func (j *judge) expect(job *pica.Job, fresh bool) {
	begun := *job
	begun.Initial = j.initial
	j.predict.View(&begun, &j.model, &j.want)
	if j.against == nil || j.want.End == view.Hung { // no core has to end where the console does not
		return
	}
	a := answerOf(j.ctx, j.against, job, fresh)
	j.want.SetAnswer(&a)
}

// answerOf asks a core for a job, in a process of its own if fresh is set.
func answerOf(ctx context.Context, core adapter.Core, job *pica.Job, fresh bool) adapter.Answer {
	if fresh {
		return core.AskFresh(ctx, job)
	}
	return core.Ask(ctx, job)
}

// outcome compares the answer with the expected view.
func (j *judge) outcome(job *pica.Job) string {
	j.diff = view.Difference{}
	relation := view.Compare(&j.want, &j.got, &j.diff)
	switch {
	case relation == view.Same || relation == view.Near:
		return Equal
	case j.answer.Fate == adapter.Garbled:
		j.diff = view.Difference{Class: compare.ClassTrap, Where: "end", Expected: "an answer",
			Observed: "garbled: " + j.answer.Message}
		return Crash
	case j.answer.Fate == adapter.Unsupported:
		return Unsupported
	case j.answer.Fate == adapter.Crashed:
		return Crash
	case j.got.End == view.Hung:
		return Hang
	case j.want.End == view.Trapped:
		return NotComparable // the console's behaviour is unknown
	case j.answer.Fate == adapter.Refused:
		return Crash
	case j.answer.Fate == adapter.Answered && !j.want.Skips && j.messages.Excuse(j.answer.Log):
		return NotComparable // the core says that it skipped an instruction
	case j.answer.Fate == adapter.Answered && fingerprint.Vague(job, &j.want) && j.granted(job):
		return Equal
	}
	return Differ
}

// granted reports whether the answer is right if the core's own results of limited precision
// are. If not, the difference is the first one that they do not explain.
func (j *judge) granted(job *pica.Job) bool {
	if j.grants == nil {
		j.grants = compare.NewGrants(asking{j})
	}
	begun := under(job, j.model)
	begun.Initial = fingerprint.Narrowed(j.initial, j.model.Storage)
	if j.grants.Run(begun, &j.out) != nil {
		return false
	}
	j.want.Set(begun, &j.out)
	j.diff = view.Difference{}
	return view.Compare(&j.want, &j.got, &j.diff) != view.Differs
}

// asking is the core of a judge as an engine.
type asking struct{ *judge }

func (a asking) Name() string { return a.core.Name() }

func (a asking) Run(job *pica.Job, out *pica.Outcome) error {
	answer := answerOf(a.ctx, a.core, job, a.fresh)
	if answer.Fate != adapter.Answered {
		return &adapter.FateError{Core: a.core.Name(), Answer: answer}
	}
	*out = answer.Outcome
	return nil
}

// fails reports whether an outcome speaks against the core.
func fails(outcome string) bool { return slices.Contains([]string{Differ, Crash, Hang}, outcome) }
