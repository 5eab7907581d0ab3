package fingerprint

import (
	"slices"

	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// State is the state of the answer to a question.
type State string

// The states.
const (
	Known   State = "known"       // some job rules out every other answer
	Several State = "several"     // no job separates some of the answers
	Idle    State = "no effect"   // no job depends on it under the other answers
	Neither State = "neither"     // no answer predicts the behaviour of the core
	Unknown State = "cannot tell" // the jobs that would decide have no answer
)

// A Decision is the answer to one question.
type Decision struct {
	Dimension *Dimension
	Value     int
	State     State
	// Others are the answers that no job separates from Value.
	Others []int
	// DecidedBy is the number of the answer that decided. In state Neither it is the number of
	// an answer that no value predicts; it is -1 for none.
	DecidedBy int
}

// A Result is a fingerprint.
type Result struct {
	Profile   pica.Profile // its name is the nearest named set with the differences
	Decisions []Decision   // one for each of [Dimensions]
	// Names lists the named sets that no answer separates from the profile.
	Names []string
	// Unexplained lists the numbers of the answers that differ from the predictions of the
	// profile and are no refusals, Refused those that are, and Missing those of answers without
	// information.
	Unexplained, Refused, Missing []int
	Lacks                         *Lacks
}

// Decide decides each question under the assumption that p is the profile that fits best.
func Decide(answers []Answer, p pica.Profile) *Result { return DecideOn(answers, p, impl.New) }

// DecideOn is Decide for a core with known faults: the engine has them under every profile.
func DecideOn(answers []Answer, p pica.Profile, engine func() pica.Engine) *Result {
	p.Name = profile.String(p)
	r := &Result{Profile: p, Lacks: lacksOf(answers)}
	predict := PredictorOf(engine())
	base := make([]*view.View, len(answers))
	relations := make([]view.Relation, len(answers))
	silent := make([]bool, len(answers)) // the answer says nothing about any question
	for i := range answers {
		base[i] = new(view.View)
		predict.View(answers[i].Job, &p, base[i])
		relations[i] = view.Compare(base[i], answers[i].Got, nil)
		silent[i] = answers[i].Got.End == view.Missing
		switch {
		case silent[i]:
			r.Missing = append(r.Missing, i)
		case relations[i] == view.Differs && r.Lacks.Excuses(answers[i].Job, answers[i].Got.End):
			silent[i] = true
		case relations[i] == view.Differs && base[i].End == view.Refused && answers[i].Got.End == view.Ended:
			silent[i] = true // a wrong prediction of a refusal speaks against no core
		case relations[i] == view.Differs && reactions[answers[i].Got.End] == refuses:
			silent[i] = true
			r.Refused = append(r.Refused, i)
		case relations[i] == view.Differs:
			r.Unexplained = append(r.Unexplained, i)
		}
	}
	bySize, extents := sizes(answers), extents(answers)
	for d := range Dimensions {
		r.Decisions = append(r.Decisions, decide(predict, &Dimensions[d], &p, answers, extents, base, relations, silent, bySize))
	}
	for _, name := range profile.Names() {
		q, _ := profile.ByName(name)
		if !slices.ContainsFunc(bySize, func(i int) bool {
			var v view.View
			predict.View(answers[i].Job, &q, &v)
			return Distinct(base[i], &v) && !silent[i]
		}) {
			r.Names = append(r.Names, name)
		}
	}
	return r
}

// sizes lists the numbers of the answers, shortest programs first.
func sizes(answers []Answer) []int {
	order := make([]int, len(answers))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(answers[a].Job.Code) - len(answers[b].Job.Code) })
	return order
}

func decide(predict *Predictor, dim *Dimension, p *pica.Profile, answers []Answer, extents []extent, base []*view.View,
	relations []view.Relation, silent []bool, bySize []int) Decision {
	d := Decision{Dimension: dim, Value: dim.Get(p), State: Known, DecidedBy: -1}
	var other view.View
	alternatives, strange := 0, -1
	var missing []int
	for v := range dim.Values {
		q, ok := dim.With(*p, v)
		if !ok || v == d.Value {
			continue
		}
		alternatives++
		decided, unanswered, odd := -1, false, -1
		for _, i := range bySize {
			if !dim.concerns(&extents[i]) {
				continue
			}
			predict.View(answers[i].Job, &q, &other)
			if !Distinct(base[i], &other) {
				continue
			}
			relation := view.Compare(&other, answers[i].Got, nil)
			switch {
			case silent[i]:
				unanswered = true
				continue
			case relations[i] < relation:
				decided = i
			case relations[i] == view.Differs && relation == view.Differs && odd < 0:
				odd = i
				continue
			default:
				continue
			}
			break
		}
		switch {
		case decided >= 0:
			if d.DecidedBy < 0 || len(answers[decided].Job.Code) < len(answers[d.DecidedBy].Job.Code) {
				d.DecidedBy = decided
			}
		case odd >= 0:
			strange = odd
		case unanswered:
			missing = append(missing, v)
		default:
			d.Others = append(d.Others, v)
		}
	}
	switch {
	case strange >= 0:
		d.State, d.DecidedBy = Neither, strange
	case len(missing) > 0 && d.DecidedBy < 0:
		d.State = Unknown
	case len(d.Others) == alternatives && alternatives > 0:
		d.State = Idle
	case len(d.Others)+len(missing) > 0:
		d.State = Several
		d.Others = append(d.Others, missing...)
		slices.Sort(d.Others)
	}
	return d
}

// Name returns the name of the decided answer.
func (d *Decision) Name() string { return d.Dimension.Values[d.Value].Name }
