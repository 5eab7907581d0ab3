package conform

import (
	"context"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/hypothesis"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// Outcomes of a request, as reports count them.
const (
	Equal         = "equal"
	Differ        = "differ"
	Unsupported   = "unsupported"
	Refusal       = "refused" // unsupported although the model says otherwise; it counts as unsupported
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
	lacks    *fingerprint.Lacks // explain refusals
	confirm  bool               // a job that fails is asked for again in a process of its own
	spares   bool               // instead of confirming, it judges nothing but crashes and hangs
	apart    bool               // a program with a proved crash has a process of its own: no other process dies
	// passes: it does not ask for a job that the model refuses.
	passes bool
	// grants predicts runs with results of limited precision; nil before the first.
	grants *compare.Grants
	faults []*hypothesis.Hypothesis // the proved faults of the core, which predict heeds
	out    pica.Outcome
	// deadly makes the core run jobs for which the model predicts a hang, or nothing.
	deadly bool
	// isolating does so for jobs for which it predicts nothing, each in a process of its own.
	isolating bool
	console   *fingerprint.Predictor // predicts what the console does
	// faultless predicts without the proved faults of the core; nil if it has none.
	faultless *fingerprint.Predictor

	want, got view.View
	// foreseen says that the model predicts the crash or the hang.
	foreseen bool
	diff     view.Difference
	answer   adapter.Answer
}

// ask runs a portable job on the core and returns the outcome. Without a prediction the core is
// not asked, unless the judge is a deadly one.
func (j *judge) ask(job *pica.Job, fresh bool) string {
	j.answer, j.foreseen = adapter.Answer{}, false
	j.expect(job, fresh)
	switch {
	case j.want.End == view.Missing || j.want.End == view.Refused && j.passes:
		return NotComparable
	case j.want.End == view.Unpredictable && j.isolating:
		fresh = true
	case j.want.End == view.Crashed && j.apart && j.proved(job):
		fresh = true
	case j.want.End == view.Unpredictable && !j.deadly:
		return NotComparable
	case j.want.End == view.Hung && !j.deadly:
		j.foreseen = j.against == nil && !j.hangsOnConsole(job) && !j.proved(job)
		return NotComparable
	}
	j.answer = answerOf(j.ctx, j.core, job, fresh)
	j.got.SetAnswer(&j.answer)
	if j.answer.Damaged != nil && j.damaged != nil {
		j.damaged(j.answer.Damaged)
	}
	outcome := j.outcome(job)
	dies := outcome == Crash || outcome == Hang
	// A request that took a time limit is not repeated.
	if j.confirm && fails(outcome) && (dies || !j.spares) && j.answer.Fate != adapter.Hung {
		j.answer = j.core.AskFresh(j.ctx, job)
		j.got.SetAnswer(&j.answer)
		outcome = j.outcome(job)
	}
	if dies = outcome == Crash || outcome == Hang; j.spares && !dies {
		return NotComparable // another answer may depend on the earlier requests of the process
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
	if j.answer.Kind == adapter.KindInterrupted {
		return NotComparable
	}
	relation := view.Compare(&j.want, &j.got, &j.diff)
	if end := j.death(job); end != "" {
		if relation != view.Differs && j.proved(job) {
			return Equal
		}
		if relation != view.Differs {
			if end == Hang && j.lacking(job) {
				return Unsupported
			}
			j.foreseen = j.want.End != view.Unpredictable
			view.Compare(j.onConsole(job), &j.got, &j.diff)
		}
		return end
	}
	switch {
	case j.want.End == view.Unpredictable:
		return NotComparable
	case relation == view.Same || relation == view.Near || j.flawless(job):
		return Equal
	case j.against == nil && j.want.End.Refuses() && j.got.End == view.Ended:
		return j.beyond(job)
	case j.answer.Fate == adapter.Garbled:
		j.diff = view.Difference{Class: compare.ClassTrap, Where: "end", Expected: "an answer",
			Observed: "garbled: " + j.answer.Message}
		return Crash
	case j.answer.Fate <= adapter.Refused && j.lacks.Excuses(job, j.got.End):
		return Unsupported
	case j.answer.Fate == adapter.Unsupported && j.want.End == view.Ended && j.against == nil:
		return Refusal
	case j.answer.Fate == adapter.Unsupported:
		return Unsupported
	case j.want.End == view.Trapped || j.want.End == view.Hung || j.got.End == view.Hung:
		return NotComparable // the console's behaviour is unknown, or it hangs, too
	case j.answer.Fate == adapter.Refused:
		return Crash
	case j.answer.Fate == adapter.Answered && !j.want.Skips && j.messages.Excuse(j.answer.Log):
		return NotComparable // the core says that it skipped an instruction
	case j.answer.Fate == adapter.Answered && fingerprint.Vague(job, &j.want) && j.granted(job):
		return Equal
	}
	return Differ
}

// proved reports whether a run ends as it does because of a proved fault of the core.
func (j *judge) proved(job *pica.Job) bool {
	return j.faultless != nil && j.withoutFaults(job).End != j.want.End
}

// flawless reports whether the answer is that of a core without the proved faults. It speaks against what is known of
// the faults, but not against the core.
func (j *judge) flawless(job *pica.Job) bool {
	if j.faultless == nil || j.got.End != view.Ended {
		return false
	}
	want := j.withoutFaults(job)
	return want.End == view.Ended && view.Compare(want, &j.got, nil) <= view.Near
}

// unlikeModel returns the difference between the answer and what the core's model predicts without the proved faults,
// none if either is not the end of the program.
func (j *judge) unlikeModel(job *pica.Job) (d view.Difference) {
	if j.faultless == nil || j.got.End != view.Ended {
		return d
	}
	if want := j.withoutFaults(job); want.End == view.Ended {
		view.Compare(want, &j.got, &d)
	}
	return d
}

// withoutFaults returns what the model predicts without the proved faults.
func (j *judge) withoutFaults(job *pica.Job) *view.View {
	begun := *job
	begun.Initial = j.initial
	v := new(view.View)
	j.faultless.View(&begun, &j.model, v)
	return v
}

// beyond returns the outcome of a program that the core runs although its model refuses it. Then the model is
// wrong, and only the console's rules say whether the answer is right.
func (j *judge) beyond(job *pica.Job) string {
	begun := *job
	begun.Initial = j.initial
	if view.Compare(j.onConsole(&begun), &j.got, nil) <= view.Near {
		return Equal
	}
	return NotComparable
}

// death returns Crash or Hang for an answer that a crash or a hang replaces. A hang of the core where
// the console hangs, too, is none.
func (j *judge) death(job *pica.Job) string {
	switch {
	case j.answer.Fate == adapter.Crashed:
		return Crash
	case j.answer.Kind == adapter.KindInterrupted:
		return ""
	case j.got.End == view.Hung && !j.hangsOnConsole(job):
		return Hang
	}
	return ""
}

// lacking reports whether a run never ends because the core lacks opcodes: with them, the core's model has
// another end. The entries about these opcodes say so already.
func (j *judge) lacking(job *pica.Job) bool {
	if j.model.Support == ([pica.NumOpcodes]pica.Support{}) || j.want.End == view.Unpredictable {
		return false
	}
	whole := j.model
	whole.Support = [pica.NumOpcodes]pica.Support{}
	var v view.View
	j.predict.View(job, &whole, &v)
	return v.End != j.want.End
}

// onConsole returns what the console does with a job.
func (j *judge) onConsole(job *pica.Job) *view.View { return j.onHardware(job, profile.HW()) }

func (j *judge) onHardware(job *pica.Job, hw pica.Profile) *view.View {
	if j.console == nil {
		j.console = fingerprint.NewPredictor()
	}
	v := new(view.View)
	j.console.View(job, &hw, v)
	return v
}

// hangsOnConsole reports whether the console never ends a job. An instruction with an unreliable value ends
// no run: what comes behind it counts.
func (j *judge) hangsOnConsole(job *pica.Job) bool {
	v := j.onConsole(job)
	if v.End == view.Trapped && v.Cause == pica.TrapUnreliableInput {
		on := profile.HW()
		on.Hazards = pica.HazardsWarn
		v = j.onHardware(job, on)
	}
	return hangs(v)
}

// said returns what the core said when it failed: its standard error, or the message of its refusal.
func (j *judge) said() string {
	if j.answer.Stderr != "" || j.answer.Fate > adapter.Refused {
		return j.answer.Stderr
	}
	return strings.TrimSpace(j.answer.Message)
}

// hangs reports whether the console, which ends a run in this way, never ends it.
func hangs(v *view.View) bool {
	return v.End == view.Hung || v.End == view.Trapped && v.Cause == pica.TrapHang
}

// granted reports whether the answer is right if the core's own results of limited precision
// are. If not, the difference is the first one that they do not explain.
func (j *judge) granted(job *pica.Job) bool {
	if j.grants == nil {
		j.grants = compare.NewGrantsOf(asking{j}, func(change func(r *oracle.Rules)) pica.Engine {
			return hypothesis.With(change, j.faults...)
		})
	}
	begun := under(job, j.model)
	begun.Initial = fingerprint.Narrowed(j.initial, j.model.Storage)
	if j.grants.Run(begun, &j.out) != nil {
		return false
	}
	var want view.View // the expected view stays: the job may be asked for again
	want.Set(begun, &j.out)
	j.diff = view.Difference{}
	return view.Compare(&want, &j.got, &j.diff) != view.Differs
}

// asking is the core of a judge as an engine.
type asking struct{ *judge }

func (a asking) Name() string { return a.core.Name() }

func (a asking) Run(job *pica.Job, out *pica.Outcome) error {
	answer := a.core.Ask(a.ctx, job)
	if answer.Fate != adapter.Answered {
		return &adapter.FateError{Core: a.core.Name(), Answer: answer}
	}
	*out = answer.Outcome
	return nil
}

// fails reports whether an outcome speaks against the core.
func fails(outcome string) bool {
	return slices.Contains([]string{Differ, Crash, Hang, Refusal}, outcome)
}
