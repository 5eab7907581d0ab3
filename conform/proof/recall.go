package proof

import (
	"errors"
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/conform/hypothesis"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/pica"
)

// A Told cause is one that an earlier search has proved, as a report has it.
type Told struct {
	Name  string
	Scope []string
	Job   *pica.Job // shows it
	Got   *view.View
}

// ErrTold means that a hypothesis is not known by its name, or does not predict the answer of the core.
var ErrTold = errors.New("proof: a cause of the report does not hold")

// Recall returns the causes that a report tells, in their order. Each must predict the answer to its job.
func (s *Search) Recall(list []Told) (causes []Cause, err error) {
	s.begin()
	for _, told := range list {
		h := s.recalled(told)
		if h == nil {
			return nil, fmt.Errorf("%w: %s %q", ErrTold, told.Name, told.Scope)
		}
		if !s.predicts(h, told.Job, told.Got) {
			return nil, fmt.Errorf("%w: %s: the core answers otherwise", ErrTold, h)
		}
		s.model = append(s.model, h)
		causes = append(causes, Cause{Hypothesis: h, Job: told.Job, Got: told.Got})
	}
	return causes, nil
}

// recalled returns the hypothesis of a name and a scope that may change a job, nil if there is none.
func (s *Search) recalled(told Told) *hypothesis.Hypothesis {
	sight := s.sight(told.Job)
	conditions := slices.Clone(sight.Conditions)
	for _, op := range opcodes(told.Job) {
		one := (&hypothesis.Hypothesis{}).Within(hypothesis.OfOpcode(op))
		for _, h := range append(one.Wider(), one) {
			conditions = append(conditions, h.Scope...)
		}
	}
	var scope hypothesis.Scope
	for _, text := range told.Scope {
		i := slices.IndexFunc(conditions, func(c hypothesis.Condition) bool { return c.Text == text })
		if i < 0 {
			return nil
		}
		scope = append(scope, conditions[i])
	}
	var own view.View
	s.predictor().View(told.Job, &s.Profile, &own)
	candidates := s.candidates(sight, told.Job, told.Got)
	for _, lane := range differing(&own, told.Got) { // any of them may have been the one
		candidates = append(candidates, sight.Spoils(lane)...)
	}
	for _, h := range candidates {
		for _, h := range append(h.Lanes(), h) {
			if h.Name == told.Name {
				n := *h
				n.Scope = scope
				return &n
			}
		}
	}
	return nil
}
