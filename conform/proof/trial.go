package proof

import (
	"context"
	"slices"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/hypothesis"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/pica"
)

// Numbers of the jobs that test a hypothesis.
const (
	asks = 16
	// asksChanged is the number of systematic changes that are asked for, of a seed whose prediction has the least cost.
	asksChanged = 96
	// asksBehind is the number of jobs just behind each border of a scope.
	asksBehind = 4
	// fewHangs is the number of jobs that may take a time limit because a hypothesis predicts it.
	fewHangs = 2
	// enough is the least number of answers that a hypothesis must predict, for itself and for each condition.
	enough = 3
	// enoughHangs is this number for a hypothesis about hangs, which are dear.
	enoughHangs = 2
)

// A trial tests the best hypotheses with further jobs.
type trial struct {
	*Search
	best []score
	// predictors and views are of the model, and of each of the best.
	predictors []*fingerprint.Predictor
	views      []view.View
	borders    []border
	// outside and odd count, for each of the best, the jobs outside of its scope, and those whose answer is
	// not the model's either; needless those of them that the wider one predicts: the core knows no such
	// condition.
	outside, odd, needless []int
	// also are, for each of the best, further opcodes of which it is true, as [hypothesis.Opcodes] has them.
	also []uint64
	// right and wrong count, for each of the best, the jobs that it changes: systematic changes of the seed, and others.
	right, wrong [2][]int
	// of counts, for each of the best that is about several opcodes, right and wrong answers to programs with one of these.
	of []map[uint64]*[2]int
	// apart counts the jobs that tell the best apart, changed and shown other jobs that they change: systematic changes of
	// the seed and others; near jobs like the seed that none of them changes, and unlike those of which the core's answer is
	// not the model's either; foreseen those that hang under one of the best.
	apart, changed, shown, near, unlike, foreseen int
	// changes is the number of systematic changes that are asked for.
	changes int
	// dead and hung say how the seed ended.
	dead, hung bool
}

// A border is one of the best hypotheses without one of its conditions.
type border struct {
	*hypothesis.Hypothesis
	without hypothesis.Condition
	of      int // index of the hypothesis with it
	predict *fingerprint.Predictor
	view    view.View
	// asked counts the jobs that the condition alone keeps out of the scope, kept those that have the model's answer.
	asked, kept int
}

// newTrial returns a trial of the best hypotheses, whose seed is a differing case.
func (s *Search) newTrial(best []score, seed *Case) *trial {
	t := &trial{Search: s, best: best, dead: dead(seed.Got.End), hung: seed.Got.End == view.Hung,
		also: make([]uint64, len(best)), predictors: []*fingerprint.Predictor{s.predictor()}, views: make([]view.View, 1+len(best)),
		changes: max(asks, asksChanged/max(1, seed.cost))}
	for _, counts := range []*[]int{&t.outside, &t.odd, &t.needless, &t.right[0], &t.right[1], &t.wrong[0], &t.wrong[1]} {
		*counts = make([]int, len(best))
	}
	for i, x := range best {
		t.of = append(t.of, map[uint64]*[2]int{})
		t.predictors = append(t.predictors, s.predictor(x.h))
		for k, wide := range x.h.Outside() {
			t.borders = append(t.borders, border{Hypothesis: wide, without: x.h.Scope[k], of: i, predict: s.predictor(wide)})
		}
	}
	return t
}

// test asks the core for further jobs: those whose predictions under the best hypotheses differ from each other
// or from the model's, and those just outside of a scope. It reports how many it asked for, whether an answer
// speaks against one of the best, and those of the best that are true of further opcodes.
func (s *Search) test(ctx context.Context, best []score, seed *Case, round uint64) (asked int, changed bool,
	grown []*hypothesis.Hypothesis) {
	t := s.newTrial(best, seed)
	changed = t.beside(ctx, seed)
	for d := range s.draws(seed, round) {
		if ctx.Err() != nil || *s.Hung >= s.mayHang || t.done() {
			break
		}
		if d.origin == ofFarChange && (len(best) == 1 || t.apart > 0) { // a border alone may need it
			if t.bordered(1) {
				break
			}
			if !t.mayBeBehind(d.job) {
				continue
			}
		}
		p := t.predict(d.job)
		beyond, wanted := t.wants(d, &p)
		if !wanted {
			continue
		}
		got := s.ask(ctx, d.job)
		if got.End == view.Missing {
			continue
		}
		asked++
		if d.origin != ofChange || !p.shows || p.separates || view.Compare(&t.views[1], got, nil) > view.Near {
			s.add(reduce.Clone(d.job), got.Clone()) // the others are as all of the best predict
		}
		if got.End != view.Ended && !(dead(got.End) && t.dead) {
			continue
		}
		if p.near && view.Compare(&t.views[0], got, nil) == view.Differs && dead(got.End) == t.dead {
			t.unlike++
		}
		if (!p.near || len(beyond) > 0) && t.count(d, got, beyond, p.separates) {
			changed = true
		}
	}
	changed = t.refute() || changed
	return asked, changed, t.grown()
}

// done reports whether enough jobs of each kind were asked for.
func (t *trial) done() bool {
	return t.apart >= asks && t.near >= asks && t.bordered(asksBehind)
}

// bordered reports whether so many jobs behind each border were asked for.
func (t *trial) bordered(jobs int) bool {
	return !slices.ContainsFunc(t.borders, func(b border) bool { return b.asked < jobs && !b.without.OfOpcodes() })
}

// mayBeBehind reports whether a job lies behind a border that has none yet, if none of the best changes it.
func (t *trial) mayBeBehind(job *pica.Job) bool {
	t.predictors[0].View(job, &t.Profile, &t.views[0])
	return t.views[0].End == view.Ended &&
		slices.ContainsFunc(t.beyond(job), func(b *border) bool { return b.asked == 0 && !b.without.OfOpcodes() })
}

// wants reports whether a job is to be asked for, and returns the borders that it lies just behind.
func (t *trial) wants(d draw, p *prediction) (beyond []*border, wanted bool) {
	few := func(count *int, most int) bool {
		*count++
		return *count <= most
	}
	switch {
	case !p.ok || p.hangs && t.foreseen == fewHangs:
	case p.separates:
		wanted = few(&t.apart, asks)
	case d.origin == ofFarChange:
		if !p.shows {
			beyond = t.beyond(d.job)
		}
		wanted = len(beyond) > 0
	case p.shows && (d.origin == ofChange || d.origin == ofRepetition):
		wanted = few(&t.changed, t.changes)
	case p.shows:
		wanted = few(&t.shown, asks)
	case d.origin == ofRepetition || d.origin == ofCaller:
	default:
		beyond = t.beyond(d.job)
		if p.near = d.origin != ofVariedChange && t.near < asks; p.near {
			t.near++
		}
		wanted = p.near || len(beyond) > 0
	}
	if wanted && p.hangs {
		t.foreseen++
	}
	return beyond, wanted
}

// prediction says what a job tells about hypotheses.
type prediction struct {
	ok               bool // the job has one predicted answer
	shows, separates bool // it differs from the model's, or between the best
	hangs            bool // under one of the best
	near             bool // it is like the seed, and none of the best changes it
}

// predict predicts a job under the model and each of the best.
func (t *trial) predict(job *pica.Job) (x prediction) {
	for i, p := range t.predictors {
		p.View(job, &t.Profile, &t.views[i])
		end := t.views[i].End
		if end != view.Ended && (i == 0 || !dead(end) || !t.dead) || !t.dead && fingerprint.Vague(job, &t.views[i]) {
			return x
		}
		x.hangs = x.hangs || end == view.Hung
		x.shows = x.shows || i > 0 && t.distinct(&t.views[0], &t.views[i])
		x.separates = x.separates || i > 1 && t.distinct(&t.views[1], &t.views[i])
	}
	x.ok = true
	return x
}

// refute refutes the best against which the answers speak, and reports whether there are any.
func (t *trial) refute() (any bool) {
	refute := func(x score) { t.refuted[x.h.String()], any = true, true }
	if t.unlike*8 > t.near { // something else is wrong
		for _, x := range t.best {
			if !t.lenient || t.dead || x.h.Fitted {
				refute(x)
			}
		}
	}
	for _, b := range t.borders {
		speaks := b.asked > 0
		if b.without.OfOpcodes() {
			speaks = !t.best[b.of].h.Grown || b.kept > 0
		}
		if !speaks && !t.contradicted(b.Hypothesis) { // nothing speaks for the condition
			refute(t.best[b.of])
		}
	}
	least, limit := enough, 6
	if t.hung {
		least = enoughHangs
	}
	if t.lenient {
		limit = 2
	}
	for i, x := range t.best {
		limit := limit
		if x.h.Fitted { // it fits the answer that its number is taken from
			limit = 16
		}
		right, wrong := t.right[0][i]+t.right[1][i], t.wrong[0][i]+t.wrong[1][i]
		for _, n := range t.of[i] {
			if n[1]*limit > n[0] {
				refute(x)
			}
		}
		if t.odd[i]*limit > t.outside[i] || t.needless[i] > 0 || wrong*limit > right ||
			x.h.Fitted && t.wrong[1][i]*limit > t.right[1][i] ||
			right+x.fits < least*(1+len(x.h.Scope)) {
			refute(x)
		}
	}
	return any
}

// contradicted reports whether the model predicts an answer and a hypothesis does not. The predictions are none of the
// search.
func (t *trial) contradicted(h *hypothesis.Hypothesis) bool {
	work, r := t.work, &ranking{Search: t.Search}
	defer func() { t.work = work }()
	_, r.controls = t.short()
	return len(r.against(h, 1, 0)) > 0
}

// distinct reports whether two predictions differ. A predicted hang counts only if the core hung.
func (t *trial) distinct(a, b *view.View) bool {
	if t.hung && (a.End == view.Hung) != (b.End == view.Hung) {
		return true
	}
	return fingerprint.Distinct(a, b)
}

// beyond returns the borders that a job, which none of the best changes, lies just behind.
func (t *trial) beyond(job *pica.Job) (list []*border) {
	for k := range t.borders {
		b := &t.borders[k]
		if b.asked == asksBehind {
			continue
		}
		b.predict.View(job, &t.Profile, &b.view)
		if (b.view.End == view.Ended || dead(b.view.End) && t.dead) && t.distinct(&t.views[0], &b.view) {
			list = append(list, b)
		}
	}
	return list
}

// beside refutes the best that predict the end of a marked seed that the core does not reach, and those that predict
// nothing of the seed with other registers, twice, while the core's answers are not the model's.
func (t *trial) beside(ctx context.Context, seed *Case) (changed bool) {
	ask := func(j *pica.Job) *view.View {
		if p := t.predict(j); t.dead || !p.ok || p.hangs {
			return nil
		}
		got := t.ask(ctx, j)
		if got.End != view.Ended || view.Compare(&t.views[0], got, nil) != view.Differs {
			return nil
		}
		t.add(j, got.Clone())
		return got
	}
	untrue := make([]int, len(t.best))
	others := renumbered(seed.Job)
	for _, j := range others {
		got := ask(j)
		for i := range t.best {
			if got != nil && !t.distinct(&t.views[0], &t.views[i+1]) {
				untrue[i]++
			}
		}
	}
	if j, output := marked(seed.Job); j != nil {
		unmarked := func(v *view.View) bool {
			for i := range v.Vertices {
				if v.Vertices[i].O[output] != seed.Got.Vertices[i].O[output] {
					return false
				}
			}
			return true
		}
		if got := ask(j); got != nil && unmarked(got) {
			for i := range t.best {
				if !unmarked(&t.views[i+1]) {
					untrue[i] = len(others)
				}
			}
		}
	}
	for i, x := range t.best {
		if untrue[i] == len(others) {
			t.refuted[x.h.String()], changed = true, true
		}
	}
	return changed
}

// count counts an answer for and against the best hypotheses, and reports whether it contradicts one of them:
// it is the model's answer, or that of another.
func (t *trial) count(d draw, got *view.View, beyond []*border, separates bool) (contradicted bool) {
	kind := 0
	if d.origin != ofChange {
		kind = 1
	}
	base := view.Compare(&t.views[0], got, nil) <= view.Near
	for _, b := range beyond {
		b.asked++
		t.outside[b.of]++
		switch {
		case base:
			b.kept++
		case view.Compare(&b.view, got, nil) <= view.Near:
			t.needless[b.of]++
			t.join(b, d.job, got)
			fallthrough
		default:
			t.odd[b.of]++
		}
	}
	if len(beyond) > 0 {
		return false
	}
	agrees := make([]bool, len(t.best))
	for i := range t.best {
		agrees[i] = view.Compare(&t.views[i+1], got, nil) <= view.Near
	}
	for i := range t.best {
		switch {
		case !t.distinct(&t.views[0], &t.views[i+1]):
		case agrees[i]:
			t.right[kind][i]++
			t.countOf(i, d.job, 0)
		default:
			t.wrong[kind][i]++
			t.countOf(i, d.job, 1)
		}
		if !agrees[i] && (base || separates && slices.Contains(agrees, true)) {
			contradicted = true
		}
	}
	return contradicted
}
