package conform

import (
	"context"
	"slices"

	"github.com/picaproof/picaproof/fuzz/conform/fingerprint"
	"github.com/picaproof/picaproof/fuzz/conform/view"
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

// judge holds a core to a model. It is not safe for concurrent use.
type judge struct {
	ctx     context.Context
	core    adapter.Core
	model   pica.Profile
	predict *fingerprint.Predictor
	initial *pica.State             // what registers hold at the start, nil for zeros
	damaged func(d *adapter.Damage) // told of crashes that an earlier job may have caused
	// messages says which messages of the core report a skipped instruction.
	messages *fingerprint.Messages
	fresh    bool // each job has a process of its own
	confirm  bool // a job that fails is judged by a process of its own

	want, got view.View
	diff      view.Difference
	answer    adapter.Answer
}

// ask runs a portable job on the core and returns the outcome. Where the model makes no
// prediction the core is not asked.
func (j *judge) ask(job *pica.Job, fresh bool) string {
	begun := *job
	begun.Initial = j.initial
	j.answer = adapter.Answer{}
	j.predict.View(&begun, &j.model, &j.want)
	switch j.want.End {
	case view.Hung, view.Missing, view.Unpredictable:
		return NotComparable
	}
	if fresh || j.fresh {
		j.answer = j.core.AskFresh(j.ctx, job)
	} else {
		j.answer = j.core.Ask(j.ctx, job)
	}
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

// outcome judges the answer.
func (j *judge) outcome(job *pica.Job) string {
	j.diff = view.Difference{}
	relation := view.Compare(&j.want, &j.got, &j.diff)
	switch {
	case relation == view.Same || relation == view.Near:
		return Equal
	case j.answer.Fate == adapter.Garbled:
		j.diff = view.Difference{Class: compare.ClassTrap, Where: "end", Expected: "an answer", Observed: "garbled: " + j.answer.Message}
		return Crash
	case j.answer.Fate == adapter.Unsupported:
		return Unsupported
	case j.answer.Fate == adapter.Crashed:
		return Crash
	case j.got.End == view.Hung:
		return Hang
	case j.want.End == view.Trapped:
		return NotComparable // nobody knows what the console does
	case j.answer.Fate == adapter.Refused:
		return Crash
	case j.answer.Fate == adapter.Answered && !j.want.Skips && j.messages.Excuse(j.answer.Log):
		return NotComparable // the core says that it skipped an instruction
	case j.answer.Fate == adapter.Answered && fingerprint.Vague(job, &j.want):
		return NotComparable
	}
	return Differ
}

// fails reports whether an outcome speaks against the core.
func fails(outcome string) bool { return slices.Contains([]string{Differ, Crash, Hang}, outcome) }
