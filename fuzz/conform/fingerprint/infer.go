package fingerprint

import (
	"cmp"
	"slices"

	"github.com/picaproof/picaproof/fuzz/conform/view"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// An Answer is a job with what the core made of it.
type Answer struct {
	Job *pica.Job
	Got *view.View
}

// Predictor says what a job comes to under a profile. It is not safe for concurrent
// use.
type Predictor struct {
	engine pica.Engine
	out    pica.Outcome
}

// NewPredictor returns a predictor.
func NewPredictor() *Predictor { return &Predictor{engine: impl.New()} }

// View stores the prediction in v. The profile must be one that the oracle knows.
func (p *Predictor) View(job *pica.Job, under *pica.Profile, v *view.View) {
	j := *job
	j.Profile = *under
	if err := p.engine.Run(&j, &p.out); err != nil {
		*v = view.View{End: view.Missing}
		return
	}
	v.Set(&j, &p.out)
}

// The cost of a relation between a prediction and an answer: a definite prediction
// that holds is better than a tolerant one. No prediction is hardly better than a wrong
// one: a model that predicts nothing must not fit everything.
var costs = [...]int{view.Same: 0, view.Near: 1, view.Open: 20, view.Differs: 24}

// inference searches the profile whose predictions fit the answers.
type inference struct {
	answers []Answer
	predict *Predictor
	want    view.View
	profile pica.Profile
	cost    []int // of each answer under profile
	total   int
}

// Infer returns the profile whose predictions fit the answers best, beginning with the
// named sets, and the number of answers that it does not explain.
func Infer(answers []Answer) (best pica.Profile, unexplained int) {
	s := &inference{answers: answers, predict: NewPredictor()}
	type start struct {
		p    pica.Profile
		cost int
	}
	var starts []start
	for _, name := range profile.Names() {
		p, _ := profile.ByName(name)
		starts = append(starts, start{p, s.adopt(p)})
	}
	slices.SortStableFunc(starts, func(a, b start) int { return cmp.Compare(a.cost, b.cost) })
	bestTotal := -1
	for _, from := range starts[:maxStarts] {
		s.adopt(from.p)
		s.descend()
		if bestTotal < 0 || s.total < bestTotal {
			best, bestTotal, unexplained = s.profile, s.total, s.count()
		}
		if bestTotal < costs[view.Open] {
			break
		}
	}
	return best, unexplained
}

// maxStarts is the number of named sets from which the search begins.
const maxStarts = 3

// adopt makes p the profile and returns its cost.
func (s *inference) adopt(p pica.Profile) int {
	s.profile, s.total = p, 0
	s.cost = make([]int, len(s.answers))
	for i := range s.answers {
		s.cost[i] = s.costOf(i, &p)
		s.total += s.cost[i]
	}
	return s.total
}

func (s *inference) costOf(i int, p *pica.Profile) int {
	a := &s.answers[i]
	if a.Got.End == view.Missing {
		return 0
	}
	s.predict.View(a.Job, p, &s.want)
	return costs[view.Compare(&s.want, a.Got, nil)]
}

// count returns how many answers differ from the predictions.
func (s *inference) count() (n int) {
	for _, c := range s.cost {
		if c >= costs[view.Differs] {
			n++
		}
	}
	return n
}

// move is an answer to a question that is not the profile's.
type move struct {
	p    pica.Profile
	gain int // on the answers that do not fit
}

// descend changes one answer at a time while that helps, two where one does not.
func (s *inference) descend() {
	for s.total > 0 {
		singles := s.moves(s.profile)
		if s.take(singles) {
			continue
		}
		var pairs []move
		for _, m := range singles[:min(len(singles), maxPaired)] {
			pairs = append(pairs, s.moves(m.p)...)
		}
		slices.SortStableFunc(pairs, func(a, b move) int { return cmp.Compare(b.gain, a.gain) })
		if !s.take(pairs) {
			return
		}
	}
}

// maxPaired is the number of single moves with which pairs are formed, and maxTaken
// the number of moves that are tried on all answers.
const (
	maxPaired = 12
	maxTaken  = 24
)

// moves lists the profiles that differ from p in one answer, those that fit best what
// does not fit the present profile first.
func (s *inference) moves(p pica.Profile) (list []move) {
	var bad []int
	for i, c := range s.cost {
		if c > 0 {
			bad = append(bad, i)
		}
	}
	for d := range Dimensions {
		dim := &Dimensions[d]
		if !slices.ContainsFunc(bad, func(i int) bool { return dim.concerns(s.answers[i].Job) }) {
			continue
		}
		for v := range dim.Values {
			if v == dim.Get(&p) {
				continue
			}
			q, ok := dim.With(p, v)
			if !ok {
				continue
			}
			gain := 0
			for _, i := range bad {
				gain += s.cost[i] - s.costOf(i, &q)
			}
			if gain >= 0 {
				list = append(list, move{q, gain})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b move) int { return cmp.Compare(b.gain, a.gain) })
	return list
}

// take adopts the first move that lowers the total cost.
func (s *inference) take(list []move) bool {
	before, total := s.profile, s.total
	for _, m := range list[:min(len(list), maxTaken)] {
		if m.gain > 0 && s.adopt(m.p) < total {
			return true
		}
	}
	s.adopt(before)
	return false
}
