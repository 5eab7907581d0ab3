package proof

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/hypothesis"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/pica"
)

// A score says how well a hypothesis predicts.
type score struct {
	h *hypothesis.Hypothesis
	// fits are the differing answers that it predicts; misses are those that it predicts otherwise than the
	// model and than the core.
	fits, misses int
	// against are cases that the model predicts and the hypothesis does not.
	against []*Case
}

// Limits of the ranking.
const (
	maxNarrowed = 32 // hypotheses that get a condition
	maxMissing  = 12 // those among them that without it predict more answers wrongly than rightly
	// maxHeld is the number of hypotheses that are held against the other answers while none is among the best: many
	// predict a few differing answers.
	maxHeld = 256
	maxBest = 8 // rivals
	// maxConditions limits the conditions beside the opcode: more fit whatever the answers are.
	maxConditions = 2
	maxLong       = pica.MaxCode + 256
	maxAgainst    = 6    // contradictions that are counted
	maxFurther    = 2048 // predictions behind the first contradiction that look for others
	maxStrict     = 48   // cases that contradicted most
)

// ranking is the search for the hypotheses that explain a seed best.
type ranking struct {
	*Search
	evidence, controls []*Case
	survived           []*Case      // the model predicts nothing of them, and the core ended them: it did not die
	base               []*view.View // what the model predicts of the evidence
	best, contradicted []score
	// missing predict the seed, and more answers wrongly than rightly: programs that show a rare fault may have many
	// instructions that it does not touch.
	missing []score
	strict  []*Case // controls that contradicted a hypothesis: they are asked first
}

// rank returns the hypotheses of a list that predict the seed, contradict no answer and predict most, in the
// order of their detail: those that no answer separates. A hypothesis that contradicts answers gets conditions
// that its seed fulfils, unless these cost it more answers than it contradicts.
func (s *Search) rank(list []*hypothesis.Hypothesis, sight *hypothesis.Sight, seed *Case) []score {
	r := &ranking{Search: s}
	r.evidence, r.controls = s.short()
	r.evidence = slices.DeleteFunc(r.evidence, func(c *Case) bool { // of these, no hypothesis about the seed speaks
		return dead(c.Got.End) && c.Got.End != seed.Got.End && c.Got.End != view.Hung
	})
	foreign := func(c *Case) int { return bits.OnesCount64(c.ops &^ seed.ops) } // opcodes that the seed does not have
	slices.SortStableFunc(r.evidence, func(a, b *Case) int { return cmp.Compare(foreign(a), foreign(b)) })
	if len(r.evidence) > maxEvidence { // those most like the seed, and some of the others
		some, rest := slices.Clone(r.evidence[:maxEvidence/2]), r.evidence[maxEvidence/2:]
		for i := range maxEvidence / 2 {
			some = append(some, rest[i*len(rest)/(maxEvidence/2)])
		}
		r.evidence = some
	}
	r.base = s.views(r.evidence)
	if seed.Got.End == view.Crashed {
		r.survived = s.survived()
	}
	r.measure(list)
	wide, missing := slices.Clone(r.contradicted), r.missing
	r.deepen(sight, seed)
	r.measure(r.narrowMissing(missing, sight, seed))
	r.deepen(sight, seed)
	if len(r.best) > 0 {
		r.weigh(wide)
	}
	return r.best[:min(len(r.best), maxBest)]
}

// deepen gives conditions to hypotheses that contradict answers, until none would be better than the best.
func (r *ranking) deepen(sight *hypothesis.Sight, seed *Case) {
	for depth := 0; depth < maxConditions && len(r.contradicted) > 0; depth++ {
		var narrowed []*hypothesis.Hypothesis
		for _, x := range r.contradicted {
			if len(r.best) > 0 && (x.fits < r.best[0].fits ||
				x.fits == r.best[0].fits && !(x.h.Dies && x.h.Detail+1 < r.best[0].h.Detail)) {
				continue // one more condition predicts no more, and says no less: but of a death, less than a pair of opcodes
			}
			if dead(seed.Got.End) && !x.h.Dies && depth > 0 {
				continue // a rule with many conditions that only makes programs hang stands for another cause
			}
			narrowed = append(narrowed, r.narrow(x, sight, seed)...)
		}
		r.measure(narrowed)
	}
}

// weigh replaces the best by contradicted hypotheses that predict more answers even if those that they contradict are
// subtracted. Beside an unknown fault the model predicts some answers by chance, and a condition would follow these.
func (r *ranking) weigh(contradicted []score) {
	var best []score
	most := r.best[0].fits
	for _, x := range contradicted {
		if x.fits <= most {
			break
		}
		switch n := x.fits - len(r.against(x.h, x.fits-most+1, r.Work)); {
		case n > most:
			best, most = []score{x}, n
		case n == most && len(best) > 0:
			best = append(best, x)
		}
	}
	if len(best) > 0 {
		r.best = best
	}
}

// narrowMissing gives a condition to those that predict more answers wrongly than rightly, if they predict more than the
// best so far.
func (r *ranking) narrowMissing(missing []score, sight *hypothesis.Sight, seed *Case) (list []*hypothesis.Hypothesis) {
	general := func(x score) int { // what is true of more opcodes is found from one
		if x.h.Opcode() == "" {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(missing, func(a, b score) int { return cmp.Or(cmp.Compare(general(a), general(b)), better(a, b)) })
	if len(r.best) > 0 {
		missing = slices.DeleteFunc(missing, func(x score) bool { return x.fits <= r.best[0].fits })
	}
	for _, x := range missing[:min(len(missing), maxMissing)] {
		if r.stopped() {
			break
		}
		x.against = r.against(x.h, maxAgainst, maxFurther)
		list = append(list, r.narrow(x, sight, seed)...)
	}
	return list
}

// narrow returns a hypothesis with one more condition, for each condition that removes at least half of its
// contradictions.
func (r *ranking) narrow(x score, sight *hypothesis.Sight, seed *Case) (list []*hypothesis.Hypothesis) {
	for _, c := range sight.Conditions {
		n := x.h.Within(c)
		if n == nil || 2*r.remaining(n, x.against) > len(x.against) || !r.predicts(n, seed.Job, seed.Got) {
			continue
		}
		list = append(list, n)
	}
	return list
}

// measure adds the hypotheses of a list that are as good as the best so far to the best, and keeps those that
// would be, but for answers against them.
func (r *ranking) measure(list []*hypothesis.Hypothesis) {
	r.contradicted = r.contradicted[:0]
	scores := make([]score, 0, len(list))
	for _, h := range list {
		if r.stopped() {
			return
		}
		switch x := r.fits(h); {
		case r.refuted[h.String()] || x.fits == 0:
		case x.misses <= x.fits:
			scores = append(scores, x)
		case !h.Dies && !h.Fitted:
			r.missing = append(r.missing, x)
		}
	}
	slices.SortStableFunc(scores, better)
	for i, x := range scores {
		if len(r.best) > 0 && x.fits < r.best[0].fits || i >= maxHeld && len(r.best) == 0 || len(r.best) >= maxBest ||
			r.stopped() {
			break // the others are not better
		}
		if x.against = r.against(x.h, maxAgainst, maxFurther); len(x.against) == 0 {
			r.best = append(r.best, x)
		} else if len(r.contradicted) < maxNarrowed {
			r.contradicted = append(r.contradicted, x)
		}
	}
	slices.SortStableFunc(r.best, better)
	r.best = slices.DeleteFunc(r.best, func(x score) bool {
		return x.fits < r.best[0].fits || x.misses > r.best[0].misses
	})
}

// better orders hypotheses: more fits, fewer misses, less detail.
func better(a, b score) int {
	return cmp.Or(cmp.Compare(b.fits, a.fits), cmp.Compare(a.misses, b.misses), cmp.Compare(a.h.Detail, b.h.Detail))
}

// views returns what the model predicts for cases.
func (s *Search) views(cases []*Case) (list []*view.View) {
	predict := s.predictor()
	for _, c := range cases {
		v := new(view.View)
		if !s.late(c.cost) {
			predict.View(c.Job, &s.Profile, v)
		}
		list = append(list, v)
	}
	return list
}

// view predicts a case with few steps and, if they are not enough for a run that the core ended, with as many as the
// program memory has words: a core need not count steps.
func (s *Search) view(predict *fingerprint.Predictor, c *Case, want *view.View) {
	predict.View(c.short, &s.Profile, want)
	if want.End == view.Hung && c.Got.End == view.Ended && c.short.Budget < maxLong {
		long := *c.Job
		long.Budget = maxLong
		s.work += long.Budget / stepsOfCost
		predict.View(&long, &s.Profile, want)
	}
}

// fits counts what a hypothesis predicts of the evidence.
func (r *ranking) fits(h *hypothesis.Hypothesis) score {
	x := score{h: h}
	predict := r.with(h)
	var want view.View
	for i, c := range r.evidence {
		if x.misses > x.fits+len(r.evidence)-i {
			break // there will be more misses
		}
		if !h.Touches(c.ops) {
			continue
		}
		r.work += c.cost
		r.view(predict, c, &want)
		switch {
		case view.Compare(&want, c.Got, nil) <= nearest(h):
			x.fits++
		case fingerprint.Distinct(&want, r.base[i]):
			x.misses++
		}
	}
	return x
}

// against returns controls that a hypothesis contradicts, up to a limit. Behind the first one it makes so many further
// predictions.
func (r *ranking) against(h *hypothesis.Hypothesis, limit, further int) (list []*Case) {
	predict := r.with(h)
	var want view.View
	contradicts := func(c *Case) bool {
		// The model refuses many programs, for several reasons: beside another fault, that says nothing of a value.
		if !h.Touches(c.ops) || c.Got.End == view.Refused && !h.Dies {
			return false
		}
		r.work += c.cost
		r.view(predict, c, &want)
		return view.Compare(&want, c.Got, nil) == view.Differs
	}
	for _, c := range r.strict {
		if contradicts(c) {
			if list = append(list, c); len(list) == limit {
				return list
			}
		}
	}
	most := r.work + further
	controls := r.controls
	if h.Dies {
		controls = slices.Concat(r.survived, controls)
	}
	for _, c := range controls {
		if len(list) == 0 {
			most = r.work + further
		} else if r.work > most {
			break
		}
		if slices.Contains(r.strict, c) || !contradicts(c) {
			continue
		}
		if len(r.strict) < maxStrict {
			r.strict = append(r.strict, c)
		}
		if list = append(list, c); len(list) == limit {
			break
		}
	}
	return list
}

// remaining counts the cases that a hypothesis contradicts.
func (r *ranking) remaining(h *hypothesis.Hypothesis, cases []*Case) (n int) {
	predict := r.with(h)
	var want view.View
	for _, c := range cases {
		r.work += c.cost
		if r.view(predict, c, &want); view.Compare(&want, c.Got, nil) == view.Differs {
			n++
		}
	}
	return n
}
