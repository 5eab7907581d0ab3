package fingerprint

import (
	"cmp"
	"context"
	"reflect"
	"slices"

	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// An Answer is the answer of a core to a job.
type Answer struct {
	Job *pica.Job
	Got *view.View
	Log []string // the log of the core
}

// Predictor predicts the view of a job under a profile. It is not safe for concurrent use.
type Predictor struct {
	// Initial is the initial state of jobs without one, in float32; it may be nil.
	Initial *pica.State

	engine pica.Engine
	out    pica.Outcome
}

// NewPredictor returns a predictor.
func NewPredictor() *Predictor { return &Predictor{engine: impl.New()} }

// PredictorOf returns a predictor that runs jobs on an engine: the oracle with a change.
func PredictorOf(engine pica.Engine) *Predictor { return &Predictor{engine: engine} }

// View stores the prediction in v. The oracle must know the profile. An initial state of the job
// is in float32.
func (p *Predictor) View(job *pica.Job, under *pica.Profile, v *view.View) {
	j := *job
	j.Profile = *under
	j.Initial = Narrowed(cmp.Or(job.Initial, p.Initial), under.Storage)
	if err := p.engine.Run(&j, &p.out); err != nil {
		*v = view.View{End: view.Missing}
		return
	}
	v.Set(&j, &p.out)
}

// Steps returns the number of instructions of the longest run of the newest prediction.
func (p *Predictor) Steps() (most int) {
	for i := range p.out.Vertices {
		most = max(most, p.out.Vertices[i].Steps)
	}
	return most
}

// Narrowed returns a state in float32, nil for none, in the format of the registers.
func Narrowed(state *pica.State, storage pica.NumberFormat) *pica.State {
	if state == nil || storage == pica.Float32 {
		return state
	}
	s := *state
	for n := range s.R {
		storage.NarrowVector(&s.R[n], &state.R[n])
		storage.NarrowVector(&s.O[n], &state.O[n])
	}
	return &s
}

// The cost of a relation between a prediction and an answer. The search minimises the sum over
// all answers, so only the ratios count:
//   - An answer within a tolerance (Near) costs something, so that the search prefers definite
//     predictions among models that explain the answers. It costs little: a model with estimates
//     stays below one contradiction even if up to 23 answers are within the tolerance.
//   - No prediction (Open) costs nearly as much as a wrong prediction. Otherwise the model that
//     predicts nothing would fit every core. It costs less, so that a core with unpredictable
//     behaviour does not look like a core that contradicts its model.
//   - The search from further named sets ends early once the sum is below Open: no
//     answer then contradicts the model or lacks a prediction.
var costs = [...]int{view.Same: 0, view.Near: 1, view.Open: 20, view.Differs: 24}

// A fit is a profile with its costs.
type fit struct {
	profile pica.Profile
	cost    []int // of each answer
	total   int
}

// inference is the search for the profile whose predictions fit the answers.
type inference struct {
	answers []Answer
	extents []extent // of the answers' jobs
	lacks   *Lacks
	excused []bool // by answer: the lacks explain it
	lives   []bool // by answer: the core crashes, and no known fault touches the job
	lenient bool   // a refusal costs nothing
	costs   *Costs
	known   []relations // of each answer
	key     []byte      // the buffer for a key of known
	predict *Predictor
	want    view.View
	start   pica.Profile        // the profile at the start of the search
	fit                         // of the present profile
	spare   []int               // becomes the costs of the next profile
	order   []int               // the numbers of the answers; answers that recently rejected a change come first
	fixed   map[*Dimension]bool // questions with a settled answer
	faulty  []*Dimension        // opcodes whose jobs are ignored
	ctx     context.Context
	asked   int // the number of predictions since the search began
}

// Infer returns the profile whose predictions fit the answers best, as far as the search goes,
// and the number of answers that it does not explain.
//
// The search starts from the named sets that fit best, and ends with the first profile that
// explains every answer. From each start it descends: improve changes the profile's answer to
// one question while that lowers the total cost, and repair changes several answers that depend
// on each other. In the resulting profile
//   - no other answer to one question lowers the total, unless settle restored that answer;
//   - no chain of changes lowers it either, in which each change explains an answer that the
//     changes before left or made unexplained, within the limits of repair.
//
// A search that reaches its limit of predictions, or the end of the context, returns the best
// profile so far: a core that is like none of the models would take minutes.
//
// Other profiles may fit as well: [Decide] lists the answers that no job separates.
//
// Jobs with a faulty opcode say nothing about other questions: a second search ignores them. A refusal may
// have a reason that no model has: if some stay unexplained, another search ignores refusals, and the better
// result counts.
func Infer(ctx context.Context, answers []Answer) (best pica.Profile, unexplained int) {
	return new(Costs).Infer(ctx, answers, Faults{})
}

// Costs remembers what answers cost under profiles, so that several inferences about a core predict an answer once.
// The zero value is ready.
type Costs struct {
	known map[predicted]relations
	// Predictions is the number of predictions so far.
	Predictions int
}

// predicted are the predictions that a cost compares with an answer to a job.
type predicted struct {
	job    *pica.Job
	got    *view.View
	faults string // those that touch the job
}

// Faults are known faults of a core. The zero value has none.
type Faults struct {
	// Engine has the faults under every profile.
	Engine pica.Engine
	// Touching names the faults that may change a run of a job.
	Touching func(job *pica.Job) string
}

// Infer is the function Infer for a core with known faults.
func (c *Costs) Infer(ctx context.Context, answers []Answer, faults Faults) (best pica.Profile, unexplained int) {
	s := newInference(ctx, answers, c, &faults)
	if s.searchTwice(); slices.ContainsFunc(s.order, s.refusedOpenly) {
		strict := s.fit
		s.lenient = true
		s.searchTwice()
		s.lenient = false
		s.fit = s.fitOf(s.profile)
		for s.refuse() {
		}
		if contradictions := s.contradictions(&s.fit); contradictions > s.contradictions(&strict) ||
			contradictions == s.contradictions(&strict) && s.total > strict.total {
			s.fit = strict
		}
	}
	return s.profile, s.count()
}

// relations are how an answer relates to predictions. Profiles that agree in the questions that concern the job predict
// the same: a key has the answers to those.
type relations map[string]relation

type relation struct {
	view.Relation
	survives bool // the core crashes, and the prediction does not
}

// of returns the relations of an answer.
func (c *Costs) of(a *Answer, faults *Faults) relations {
	key := predicted{job: a.Job, got: a.Got}
	if faults.Touching != nil {
		key.faults = faults.Touching(a.Job)
	}
	if c.known == nil {
		c.known = map[predicted]relations{}
	}
	if c.known[key] == nil {
		c.known[key] = relations{}
	}
	return c.known[key]
}

// searchTwice searches, and again without the jobs of faulty opcodes.
func (s *inference) searchTwice() {
	s.search()
	if s.faulty = s.suspects(); len(s.faulty) > 0 {
		s.search()
		s.faulty = nil
		s.fit = s.fitOf(s.profile)
	}
}

// refusedOpenly reports whether an answer is a refusal that the profile does not predict.
func (s *inference) refusedOpenly(i int) bool {
	return s.cost[i] > 0 && reactions[s.answers[i].Got.End] == refuses
}

// contradictions returns the number of answers, without refusals, that contradict a fit.
func (s *inference) contradictions(f *fit) (n int) {
	for i, cost := range f.cost {
		if cost >= costs[view.Differs] && reactions[s.answers[i].Got.End] != refuses {
			n++
		}
	}
	return n
}

// refuse makes a change under which the core refuses more of the programs that it does refuse, and no other
// answer fits worse. It returns false if there is none.
func (s *inference) refuse() bool {
	if !slices.ContainsFunc(s.order, s.refusedOpenly) {
		return false
	}
	for _, c := range s.changes(&s.profile, nil, nil) {
		then := s.after(&s.fit, c.p, c.dim)
		if then.total >= s.total || then.firstWorse(&s.fit) >= 0 {
			continue
		}
		if !slices.ContainsFunc(s.order, func(i int) bool { // a model that predicts nothing explains nothing
			if !s.refusedOpenly(i) || then.cost[i] > 0 {
				return false
			}
			s.predict.View(s.answers[i].Job, &c.p, &s.want)
			return s.want.End != view.Refused
		}) {
			s.fit = then
			return true
		}
	}
	return false
}

// newInference returns an inference that has not begun.
func newInference(ctx context.Context, answers []Answer, costs *Costs, faults *Faults) *inference {
	s := &inference{ctx: ctx, answers: answers, extents: extents(answers), predict: NewPredictor(), costs: costs,
		order: sizes(answers), spare: make([]int, len(answers))}
	if faults.Engine != nil {
		s.predict = PredictorOf(faults.Engine)
	}
	s.lacks = lacksOf(answers)
	for i := range answers {
		s.known = append(s.known, costs.of(&answers[i], faults))
		s.excused = append(s.excused, s.lacks.Excuses(answers[i].Job, answers[i].Got.End))
		s.lives = append(s.lives, answers[i].Got.End == view.Crashed &&
			(faults.Touching == nil || faults.Touching(answers[i].Job) == ""))
	}
	return s
}

// search replaces the profile by the profile that fits best.
func (s *inference) search() {
	var starts []fit
	s.asked = 0
	for _, name := range profile.Names() {
		p, _ := profile.ByName(name)
		for _, d := range s.faulty {
			p, _ = d.With(p, int(pica.SupportRun))
		}
		starts = append(starts, s.fitOf(s.skipping(s.lacks.apply(p))))
	}
	slices.SortStableFunc(starts, func(a, b fit) int { return cmp.Compare(a.total, b.total) })
	var best fit
	for k, from := range starts[:maxStarts] {
		s.fixed = map[*Dimension]bool{}
		for _, d := range s.faulty {
			s.fixed[d] = true
		}
		s.start, s.fit = from.profile, from
		s.descend()
		s.settle()
		if k == 0 || s.total < best.total {
			best = s.fit
		}
		if best.total < costs[view.Open] || s.over() {
			break
		}
	}
	s.fit = best
}

// skipping returns a profile that skips the opcodes whose probes look like that.
func (s *inference) skipping(p pica.Profile) pica.Profile {
	for d := range Dimensions {
		dim := &Dimensions[d]
		if !s.lacks.executed[dim] || dim.Get(&p) != int(pica.SupportRun) || slices.Contains(s.faulty, dim) {
			continue
		}
		q, _ := dim.With(p, int(pica.SupportSkip))
		run, skip := 0, 0
		for _, i := range s.lacks.reached[dim] {
			run, skip = run+s.costOf(i, &p), skip+s.costOf(i, &q)
		}
		if skip == 0 && run > 0 {
			p = q
		}
	}
	return p
}

// maxAsked is the number of predictions after which a search ends. Models need up to
// 71,000, models with a fault several times as many.
const maxAsked = 1 << 18

// over reports whether the search has to end.
func (s *inference) over() bool { return s.asked >= maxAsked || s.ctx.Err() != nil }

// fewest is the number of unexplained jobs with an opcode that make the opcode a suspect.
const fewest = 3

// suspects lists the opcodes that seem to have a fault: opcodes that the core executes or
// ignores at random, and opcodes with mostly unexplained jobs. Opcodes with nearly the largest
// share come first; their jobs do not count for other opcodes, which may only occur together
// with them.
func (s *inference) suspects() (list []*Dimension) {
	const nearly = 0.9
	counted := make([]bool, len(s.answers))
	for {
		shares, largest := map[*Dimension]float64{}, 0.0
		for d := range Dimensions {
			dim := &Dimensions[d]
			if dim.opcodes == nil || pica.Opcodes[dim.opcodes[0]].Copies ||
				dim.Get(&s.profile) != int(pica.SupportRun) {
				continue
			}
			jobs, bad := 0, 0
			for i := range s.answers {
				if a := &s.answers[i]; !counted[i] && !s.excused[i] && a.Got.End != view.Missing &&
					dim.isIn(&s.extents[i]) {
					jobs++
					if s.cost[i] >= costs[view.Differs] {
						bad++
					}
				}
			}
			if bad >= fewest && 2*bad > jobs {
				shares[dim] = float64(bad) / float64(jobs)
				largest = max(largest, shares[dim])
			}
		}
		if len(shares) == 0 {
			return list
		}
		for d := range Dimensions {
			dim := &Dimensions[d]
			if shares[dim] < nearly*largest || shares[dim] == 0 {
				continue
			}
			list = append(list, dim)
			for i := range s.answers {
				counted[i] = counted[i] || dim.isIn(&s.extents[i])
			}
		}
	}
}

// maxStarts is the number of named sets from which the search begins.
const maxStarts = 3

// fitOf returns the fit of a profile.
func (s *inference) fitOf(p pica.Profile) fit {
	f := fit{profile: p, cost: make([]int, len(s.answers))}
	for i := range s.answers {
		f.cost[i] = s.costOf(i, &p)
		f.total += f.cost[i]
	}
	return f
}

// after returns the fit of a profile that differs from another profile in the answers to some
// questions.
func (s *inference) after(before *fit, p pica.Profile, changed ...*Dimension) fit {
	f := fit{profile: p, cost: slices.Clone(before.cost)}
	for i := range f.cost {
		if slices.ContainsFunc(changed, func(d *Dimension) bool { return d.concerns(&s.extents[i]) }) {
			f.cost[i] = s.costOf(i, &p)
		}
		f.total += f.cost[i]
	}
	return f
}

// costOf returns the cost of an answer under a profile.
func (s *inference) costOf(i int, p *pica.Profile) int {
	a := &s.answers[i]
	if a.Got.End == view.Missing || s.excused[i] ||
		slices.ContainsFunc(s.faulty, func(d *Dimension) bool { return d.isIn(&s.extents[i]) }) {
		return 0
	}
	s.asked++
	if s.lives[i] && !crashes(p) {
		return costs[view.Differs]
	}
	r := s.relate(i, p)
	switch {
	case s.lenient && reactions[a.Got.End] == refuses:
		return 0
	case r.survives:
		return costs[view.Differs] // a model that explains crashes must predict them
	}
	return costs[r.Relation]
}

// crashes reports whether a program may crash the process under a profile.
func crashes(p *pica.Profile) bool {
	for d := range Dimensions {
		if dim := &Dimensions[d]; dim.Values[dim.Get(p)].Crashes {
			return true
		}
	}
	return false
}

// relate returns how an answer relates to the prediction under a profile.
func (s *inference) relate(i int, p *pica.Profile) relation {
	s.key = s.key[:0]
	for d := range Dimensions {
		if dim := &Dimensions[d]; dim.concerns(&s.extents[i]) {
			s.key = append(s.key, byte(dim.Get(p)))
		}
	}
	r, ok := s.known[i][string(s.key)]
	if !ok {
		a := &s.answers[i]
		s.costs.Predictions++
		s.predict.View(a.Job, p, &s.want)
		r = relation{view.Compare(&s.want, a.Got, nil), a.Got.End == view.Crashed && s.want.End != view.Crashed}
		s.known[i][string(s.key)] = r
	}
	return r
}

// count returns the number of answers that differ from the predictions.
func (s *inference) count() (n int) {
	for _, c := range s.cost {
		if c >= costs[view.Differs] {
			n++
		}
	}
	return n
}

// descend changes answers to questions while that lowers the total cost: one answer if that is
// enough, else several that depend on each other.
func (s *inference) descend() {
	for s.total > 0 && !s.over() && (s.improve() || s.repair()) {
	}
}

// improve makes the change that lowers the total cost and gains most on the answers that do not
// fit, then in this order each of the others that still lowers it. It returns false if no change
// of one answer lowers the cost.
func (s *inference) improve() (improved bool) {
	type move struct {
		answer
		gain int // on the answers that do not fit
	}
	var moves []move
	for _, c := range s.changes(&s.profile, nil, nil) {
		if s.over() {
			break
		}
		gain := 0
		for i, cost := range s.cost {
			if cost > 0 && c.dim.concerns(&s.extents[i]) {
				gain += cost - s.costOf(i, &c.p)
			}
		}
		if gain > 0 {
			moves = append(moves, move{c.answer(), gain})
		}
	}
	slices.SortStableFunc(moves, func(a, b move) int { return cmp.Compare(b.gain, a.gain) })
	for _, m := range moves {
		p, ok := m.dim.With(s.profile, m.value)
		if ok && !s.denied(m.dim, &p) && s.lower(&change{p, m.dim}) {
			improved = true
		}
	}
	return improved
}

// A change is a profile that differs from another profile in the answer to one question.
type change struct {
	p   pica.Profile
	dim *Dimension // the question
}

// An answer is a value of a question.
type answer struct {
	dim   *Dimension
	value int
}

func (c *change) answer() answer { return answer{c.dim, c.dim.Get(&c.p)} }

// changes lists the changes of a profile, without changes of settled questions and of the
// questions in left. If job is not nil, only the changes of questions that concern it.
func (s *inference) changes(p *pica.Profile, left []*Dimension, job *extent) (list []change) {
	for d := range Dimensions {
		dim := &Dimensions[d]
		if job != nil && !dim.concerns(job) || s.fixed[dim] || slices.Contains(left, dim) {
			continue
		}
		for v := range dim.Values {
			if q, ok := dim.With(*p, v); ok && v != dim.Get(p) && !s.lacks.excludes(dim, v) && !s.denied(dim, &q) {
				list = append(list, change{q, dim})
			}
		}
	}
	return list
}

// denied reports whether a profile skips an opcode and a probe for the opcode shows otherwise: the core executes it,
// maybe wrongly.
func (s *inference) denied(dim *Dimension, p *pica.Profile) bool {
	return s.lacks.executed[dim] && dim.Get(p) != int(pica.SupportRun) &&
		slices.ContainsFunc(s.lacks.reached[dim], func(i int) bool { return s.costOf(i, p) >= costs[view.Differs] })
}

// lower makes the changed profile the profile if that lowers the total cost. Otherwise the next
// comparison begins with the answer that decided against the change.
func (s *inference) lower(c *change) bool {
	total := 0
	for k, i := range s.order {
		s.spare[i] = s.cost[i]
		if c.dim.concerns(&s.extents[i]) {
			s.spare[i] = s.costOf(i, &c.p)
		}
		if total += s.spare[i]; total >= s.total {
			copy(s.order[1:k+1], s.order[:k])
			s.order[0] = i
			return false
		}
	}
	s.fit, s.spare = fit{c.p, s.spare, total}, s.cost
	return true
}

// A draft is a profile on the way from the present profile to a better one.
type draft struct {
	fit
	changed []*Dimension
}

// maxDrafts is the number of drafts after which repair gives up.
const maxDrafts = 300

// repair makes several changes that lower the total cost only together. Its first drafts explain
// an answer that the present profile does not explain. After the draft with the lowest cost come
// drafts that also explain the first answer that this draft fits worse than the present profile.
// A draft changes the answer to a question at most once. repair returns false if no draft is
// better than the present profile.
func (s *inference) repair() bool {
	present := draft{fit: s.fit}
	seen := map[pica.Profile]bool{present.profile: true}
	var drafts []draft
	for i, c := range present.cost {
		if c >= costs[view.Open] {
			drafts = append(drafts, s.following(&present, i, seen)...)
		}
	}
	for len(drafts) > 0 && !s.over() {
		best := slices.MinFunc(drafts, func(a, b draft) int { return cmp.Compare(a.total, b.total) })
		if best.total < present.total {
			s.fit = best.fit
			return true
		}
		drafts = slices.DeleteFunc(drafts, func(d draft) bool { return d.profile == best.profile })
		if i := best.firstWorse(&present.fit); i >= 0 {
			drafts = append(drafts, s.following(&best, i, seen)...)
		}
	}
	return false
}

// firstWorse returns the number of the first answer that costs more than under another fit, -1
// for none.
func (d *fit) firstWorse(other *fit) int {
	for i, c := range d.cost {
		if c > other.cost[i] {
			return i
		}
	}
	return -1
}

// following returns the drafts that explain an answer better than the draft from, with their
// costs, without drafts in seen.
func (s *inference) following(from *draft, i int, seen map[pica.Profile]bool) (drafts []draft) {
	if len(seen) > maxDrafts {
		return nil
	}
	for _, d := range s.explaining(from, i) {
		if len(seen) > maxDrafts {
			break
		}
		if !seen[d.profile] {
			seen[d.profile] = true
			d.fit = s.after(&from.fit, d.profile, d.changed[len(from.changed):]...)
			drafts = append(drafts, d)
		}
	}
	return drafts
}

// explaining returns drafts, without their costs, under which an answer costs less than under
// from: drafts with one more change or, if there are none, with changes of two more knobs. Only
// answers to questions that concern the job can explain it.
func (s *inference) explaining(from *draft, i int) (drafts []draft) {
	one := s.changes(&from.profile, from.changed, &s.extents[i])
	for _, c := range one {
		if s.explains(&c, from, i) {
			drafts = append(drafts, from.with(c.p, c.dim))
		}
	}
	if len(drafts) > 0 || s.answers[i].Got.End == view.Crashed { // opcodes are refused one at a time
		return drafts
	}
	idle := s.idle(from, one, i)
	left := slices.Clone(from.changed)
	for _, a := range one {
		if !a.dim.IsKnob() {
			continue
		}
		if !slices.Contains(left, a.dim) {
			left = append(left, a.dim) // each pair of knobs once
		}
		for _, b := range s.changes(&a.p, left, &s.extents[i]) {
			if b.dim.IsKnob() && !(idle[a.answer()] && idle[b.answer()]) && s.explains(&b, from, i) {
				drafts = append(drafts, from.with(b.p, a.dim, b.dim))
			}
		}
	}
	return drafts
}

// idle has the answers to questions with which a job ends as it does under a draft. Two of them are not tried together:
// they could explain an answer only if each hides what the other one changes.
func (s *inference) idle(from *draft, list []change, i int) map[answer]bool {
	idle := map[answer]bool{}
	var before, after view.View
	s.predict.View(s.answers[i].Job, &from.profile, &before)
	for _, c := range list {
		if s.predict.View(s.answers[i].Job, &c.p, &after); reflect.DeepEqual(before, after) {
			idle[c.answer()] = true
		}
	}
	return idle
}

// explains reports whether an answer costs less after a change than under a draft. It returns
// false after the search is over.
func (s *inference) explains(c *change, than *draft, i int) bool {
	return !s.over() && s.costOf(i, &c.p) < than.cost[i]
}

// with returns a draft, without its costs, with further changes.
func (d *draft) with(p pica.Profile, dims ...*Dimension) draft {
	return draft{fit: fit{profile: p}, changed: slices.Concat(d.changed, dims)}
}

// settle takes back answers that only some of the jobs confirm: a core that skips an instruction
// in some programs and executes it in others has a fault, not another model.
func (s *inference) settle() {
	for again := true; again && !s.over(); {
		again = false
		for d := range Dimensions {
			dim := &Dimensions[d]
			if s.fixed[dim] {
				continue
			}
			value, doubted := s.doubted(dim)
			if !doubted {
				value, doubted = s.refuted(dim)
			}
			if !doubted {
				continue
			}
			if q, ok := dim.With(s.profile, value); ok {
				s.fixed[dim], again = true, true
				s.fit = s.after(&s.fit, q, dim)
				s.descend()
			}
		}
	}
}

// refuted reports whether jobs contradict the profile's answer to a question just where another answer, which it
// returns, predicts nothing because the core reads foreign memory there, which is often zero. A third of these jobs
// is enough.
func (s *inference) refuted(dim *Dimension) (value int, refuted bool) {
	if !dim.IsKnob() {
		return 0, false
	}
	for value := range dim.Values {
		q, ok := dim.With(s.profile, value)
		if !ok || !dim.Values[value].Foreign || value == dim.Get(&s.profile) {
			continue
		}
		against, support, other := 0, 0, 0
		for i, now := range s.cost {
			if s.answers[i].Got.End == view.Missing || !dim.concerns(&s.extents[i]) {
				continue
			}
			switch then := s.costOf(i, &q); {
			case then == now:
			case then != costs[view.Open]:
				other++
			case now >= costs[view.Differs]:
				against++
			default:
				support++
			}
		}
		if against > 0 && other == 0 && 3*against >= support {
			return value, true
		}
	}
	return 0, false
}

// doubted reports whether jobs contradict the profile's answer to a question and confirm the
// answer of the named set from which the search began, which it returns. For the support of an
// opcode one job is enough, for a knob a third of the jobs that separate the two answers.
func (s *inference) doubted(dim *Dimension) (value int, doubted bool) {
	if dim.opcodes == nil {
		value = dim.Get(&s.start)
	}
	q, ok := dim.With(s.profile, value)
	if !ok || dim.Name == "stages" || value == dim.Get(&s.profile) || s.lacks.excludes(dim, value) {
		return value, false
	}
	against, support := 0, 0
	for i := range s.answers {
		if s.answers[i].Got.End == view.Missing || s.excused[i] || !dim.concerns(&s.extents[i]) {
			continue
		}
		now, then := s.relate(i, &s.profile), s.relate(i, &q)
		switch {
		case now.Relation == view.Differs && then.Relation <= view.Near:
			against++
		case now.Relation <= view.Near && then.Relation == view.Differs:
			support++
		case now.Relation == view.Differs && then.Relation == view.Differs && dim.opcodes != nil:
			if s.leans(i, &q) {
				against++
			}
		}
	}
	return value, against > 0 && (dim.opcodes != nil || 3*against >= support)
}

// leans reports whether an answer that differs from both is more like the prediction under another profile than like
// that under the present one.
func (s *inference) leans(i int, other *pica.Profile) bool {
	var here, there view.View
	s.predict.View(s.answers[i].Job, &s.profile, &here)
	s.predict.View(s.answers[i].Job, other, &there)
	like, unlike := view.Leaning(&there, &here, s.answers[i].Got)
	return like > unlike
}
