package proof

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"maps"
	"math"
	"math/bits"
	"slices"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/hypothesis"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/pica"
)

// A Case is a job and the answer of a core.
type Case struct {
	Job *pica.Job
	Got *view.View

	ops uint64
	// short is the job with a step budget that its predicted run hardly needs, because a wrong hypothesis may
	// never end; nil if the run is long.
	short *pica.Job
	cost  int // of a prediction
	// open: the model's own run has no END, so that no answer contradicts it.
	open bool
	// known has what the answer says about models, by the hypotheses that may change the run; see [Search.verdict].
	known map[string]verdict
}

// dead reports whether a run ended without an answer.
func dead(end view.End) bool { return causesOfDeath[end] != pica.Trap{} }

// causes of death, by the end that a core shows.
var causesOfDeath = map[view.End]pica.Trap{
	view.Crashed: {Cause: pica.TrapUnsupported, Refusal: pica.RefusalCrash},
	view.Refused: {Cause: pica.TrapUnsupported, Refusal: pica.RefusalAssert},
	view.Hung:    {Cause: pica.TrapBudget},
}

// A Cause is a hypothesis that predicts answers which differ without it.
type Cause struct {
	*hypothesis.Hypothesis
	// Rivals predict the same answers to all jobs that were tried.
	Rivals []*hypothesis.Hypothesis
	// Seed is the job from which it was sought, Job a small one that shows it, and Got the core's answer.
	Seed *pica.Job
	Job  *pica.Job
	Got  *view.View
	// Fits is the number of differing answers that it predicts, Contradictions that of the answers which the other causes
	// predict without it and not beside it, and Asked the number of jobs that were made to test it.
	Fits, Contradictions, Asked int
}

// A Search explains the answers of one core.
type Search struct {
	Profile pica.Profile
	Initial *pica.State // the initial values of registers in float32, nil for zeros
	// Ask returns the core's answer to a portable job.
	Ask func(ctx context.Context, job *pica.Job) *view.View
	// Reduce makes a job smaller while fails holds, in at most so many tries; nil if it does not hold. It may be nil.
	Reduce func(ctx context.Context, job *pica.Job, tries int, fails func(job *pica.Job) bool) *pica.Job
	// Work limits the predictions; 0 means 400,000. A search also ends after a share of them that find nothing.
	Work int
	// Hung counts the answers that took a time limit. Searches may share it; nil means a count of its own. After MaxHung
	// of them a search asks for no further job because of one that hangs, after twice as many for none; 0 means 16.
	Hung    *int
	MaxHung int
	// Known are causes that other answers of the core have shown. They hold unless an answer contradicts them.
	Known []Cause
	// Job returns job n of an endless sequence of portable jobs. It may be nil.
	Job func(n uint64) *pica.Job

	ctx    context.Context // nil for a Foreteller
	behind int             // predictions behind the end of the context
	plain  *fingerprint.Predictor
	engine *hypothesis.Reusable
	// reused runs jobs on engine.
	reused *fingerprint.Predictor
	work   int // predictions
	// fruitful is the value of work when the newest cause was found, or the lenient search for the first one began.
	fruitful int
	// hopeless are cases that no hypothesis explains, under the model and in both passes.
	hopeless map[*pica.Job]bool
	numbers  map[*hypothesis.Hypothesis]uint64 // for [Search.key]
	table    []*hypothesis.Hypothesis
	cases    []Case
	model    []*hypothesis.Hypothesis
	causes   []Cause
	// first is what the search had found when it replaced a cause.
	first *explained
	// refuted are hypotheses whose scope or effect further jobs contradict.
	refuted map[string]bool
	// grown are hypotheses with the opcodes of which answers to further jobs are true.
	grown []*hypothesis.Hypothesis
	// mayHang is the count of hangs at which no further job is asked for at present.
	mayHang int
	// unsteadyOps are opcodes whose results change from run to run.
	unsteadyOps uint64
	// lenient: further jobs like the seed may show other faults, because too many are at work.
	lenient bool
}

// Limits of a search.
const (
	maxCauses   = 16      // hypotheses that join the model
	maxSeeds    = 6       // small differing jobs from which a hypothesis is sought, in a row without success
	farSeeds    = 3       // others
	maxEvidence = 64      // differing answers that decide between hypotheses
	seedTries   = 600     // of the reduction of a differing job: it need not be the smallest
	shownTries  = 1000    // of the reduction of the job that shows a cause
	maxHung     = 16      // further jobs that may take a time limit
	hungOfSeed  = 4       // so many of them for the reduction of a seed, and for each of its rounds
	maxWork     = 400_000 // of all predictions together
	workOfSeed  = 8       // so many seeds may use up the predictions
	workOfLong  = 32      // this part of them may be spent for a seed on runs through all of program memory
	fruitless   = 4       // the search ends after this part of the predictions without a cause
	stepsOfCost = 32      // instructions that cost as much as a prediction
)

// begin forgets an earlier search.
func (s *Search) begin() {
	s.table, s.plain, s.work, s.fruitful = hypothesis.Table(&s.Profile), fingerprint.NewPredictor(), 0, 0
	s.cases, s.model, s.causes, s.engine = nil, nil, nil, hypothesis.NewReusable()
	s.hopeless, s.numbers = map[*pica.Job]bool{}, map[*hypothesis.Hypothesis]uint64{}
	s.unsteadyOps, s.first = 0, nil
	s.reused = fingerprint.PredictorOf(s.engine)
	s.reused.Initial, s.plain.Initial = s.Initial, s.Initial
}

// maxBehind limits the predictions behind the end of the context. They drop the causes that others make superfluous, or
// that describe a part of something else.
const maxBehind = 20_000

// stopped reports whether the context has ended.
func (s *Search) stopped() bool { return s.ctx != nil && s.ctx.Err() != nil }

// late counts the cost of a prediction behind the end of the context, and reports whether that is too late for it.
func (s *Search) late(cost int) bool {
	if !s.stopped() {
		return false
	}
	s.behind += cost
	return s.behind > maxBehind
}

// Explain returns the causes of the answers that the profile does not predict, in the order in which they were
// found, and the cases that none of them explains. ok is false if the context ended too early to tell which of the
// causes hold.
func (s *Search) Explain(ctx context.Context, cases []Case) (causes []Cause, unexplained []Case, ok bool) {
	s.begin()
	s.ctx = ctx
	if s.Work, s.MaxHung = cmp.Or(s.Work, maxWork), cmp.Or(s.MaxHung, maxHung); s.Hung == nil {
		s.Hung = new(int)
	}
	s.mayHang = s.MaxHung
	s.addAll(cases)
	for _, c := range s.Known { // the jobs that showed them may have been asked for beside the cases
		s.add(c.Job, c.Got)
	}
	if !s.confirmAll() {
		for _, c := range s.Known {
			s.confirm(ctx, c)
		}
	}
	for ctx.Err() == nil && len(s.causes) < maxCauses {
		if s.lenient = false; s.next(ctx) {
			continue
		}
		if len(s.causes) == 0 { // too many faults at once for the strict search
			s.fruitful = s.work
		}
		if s.lenient = true; !s.next(ctx) && !s.again(ctx) {
			break
		}
	}
	s.settle()
	if s.late(0) {
		return nil, nil, false
	}
	s.unsteadyOps = 0
	evidence, _ := s.split()
	for _, c := range evidence {
		unexplained = append(unexplained, *c)
	}
	s.contradict(evidence)
	return s.causes, unexplained, true
}

// contradict counts for each cause those of the cases left that are predicted without it.
func (s *Search) contradict(left []*Case) {
	model := s.model
	for i := range s.causes {
		s.model = slices.Delete(slices.Clone(model), i, i+1)
		predict := s.predictor()
		s.causes[i].Contradictions = 0
		for _, c := range left {
			if s.verdict(predict, c) == inFavour {
				s.causes[i].Contradictions++
			}
		}
	}
	s.model = model
}

// addAll adds cases until the context ends.
func (s *Search) addAll(cases []Case) {
	for _, c := range cases {
		if s.late(1) {
			return
		}
		s.add(c.Job, c.Got)
	}
}

// Left returns the number of cases that the profile with causes does not predict, and the least number that it does not
// predict with one of them less.
func (s *Search) Left(ctx context.Context, cases []Case, causes []Cause) (all, fewer int) {
	s.begin()
	s.ctx = ctx
	s.addAll(cases)
	for _, c := range causes {
		s.model = append(s.model, c.Hypothesis)
	}
	model, fewer := s.model, len(cases)
	evidence, _ := s.split()
	for i := range model {
		s.model = slices.Delete(slices.Clone(model), i, i+1)
		without, _ := s.split()
		fewer = min(fewer, len(without))
	}
	return len(evidence), fewer
}

// Spent returns the number of predictions that the search has made.
func (s *Search) Spent() int { return s.work }

// prune removes the causes that the others make superfluous, or that describe a part of something else.
func (s *Search) prune() {
	for i := range s.causes {
		s.sharpen(i)
	}
	for i := range s.causes {
		s.choose(i)
	}
	evidence, _ := s.split()
	for i := 0; i < len(s.causes); i++ {
		s.unite(i, len(evidence))
	}
	s.drop(len(evidence))
	for i := 0; i < len(s.causes) && len(s.causes) > manyCauses; i++ {
		s.widen(i, len(evidence))
	}
	s.drop(len(evidence))
	s.forget()
}

// drop removes the causes without which no more cases are left. The others then predict what those did.
func (s *Search) drop(left int) {
	before := len(s.causes)
	for i := 0; i < len(s.causes) && len(s.causes) > 1; {
		causes, model := s.causes, s.model
		s.causes = slices.Delete(slices.Clone(causes), i, i+1)
		s.model = slices.Delete(slices.Clone(model), i, i+1)
		if cases, _ := s.split(); len(cases) > left {
			s.causes, s.model = causes, model
			i++
		}
	}
	for i := 0; i < len(s.causes) && len(s.causes) < before; i++ {
		model := s.model
		s.model = slices.Delete(slices.Clone(model), i, i+1)
		cases, _ := s.split()
		s.causes[i].Fits = max(s.causes[i].Fits, len(cases)-left)
		s.model = model
	}
}

// doubtful is the share of wrong answers, among those that a cause changes or that lie just outside of its scope, from
// which on it describes a part of another fault, if it is also twice the share among all answers.
const doubtful = 1.0 / 8

// forget removes the causes that describe a part of what is left: they predict many of the answers that they change
// wrongly, or one of their conditions is no border, because as much is wrong behind it. The cause with the fewest
// answers goes first, because it may spoil the predictions of another.
func (s *Search) forget() {
	for len(s.causes) > 0 {
		order := make([]int, len(s.causes))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.causes[a].Fits, s.causes[b].Fits) })
		evidence, _ := s.split()
		changes := s.changes()
		k := slices.IndexFunc(order, func(i int) bool { return s.partial(i, evidence, changes) })
		if k < 0 {
			return
		}
		s.causes = slices.Delete(slices.Clone(s.causes), order[k], order[k]+1)
		s.model = slices.Delete(slices.Clone(s.model), order[k], order[k]+1)
	}
}

// A change counts the answers of which a hypothesis, beside others, changes the prediction.
type change struct {
	all, wrong int     // wrong under the model
	undone     int     // wrong, and right as the others predict it
	share      float64 // of wrong answers, from which on the change is doubtful
}

// doubtful reports whether much of the change is wrong.
func (n change) doubtful() bool {
	return n.wrong >= enough && float64(n.wrong) > n.share*float64(n.all)
}

// refuted reports whether most of what is wrong is right without the change.
func (n change) refuted() bool { return n.undone >= enough && 2*n.undone > n.wrong }

// changes returns a function that counts what a hypothesis changes. The model may have it, or another in its place.
func (s *Search) changes() func(h *hypothesis.Hypothesis, others []*hypothesis.Hypothesis) change {
	evidence, controls := s.split()
	if len(evidence) == 0 {
		return func(*hypothesis.Hypothesis, []*hypothesis.Hypothesis) change { return change{} }
	}
	wrong := map[*pica.Job]bool{}
	for _, c := range evidence {
		wrong[c.Job] = true
	}
	cases := slices.Concat(evidence, controls)
	now := s.views(cases)
	share := max(doubtful, 2*float64(len(evidence))/float64(len(cases)))
	return func(h *hypothesis.Hypothesis, others []*hypothesis.Hypothesis) change {
		n := change{share: share}
		s.engine.Change(others...)
		var v view.View
		for i, c := range cases {
			if c.short == nil || !h.Touches(c.ops) || s.late(c.cost) {
				continue
			}
			if s.reused.View(c.Job, &s.Profile, &v); !fingerprint.Distinct(now[i], &v) {
				continue
			}
			if n.all++; wrong[c.Job] {
				n.wrong++
				if verdictOn(&v, s.reused.Steps(), c) == inFavour {
					n.undone++
				}
			}
		}
		return n
	}
}

// partial reports whether a cause describes only a part of a fault: it predicts few answers while more are left, it is
// one of many scopes of one change, more answers are left to programs like the one that shows it, it is wrong in or
// beside its scope, or most of what it predicts wrongly is right without it.
func (s *Search) partial(i int, evidence []*Case,
	changes func(h *hypothesis.Hypothesis, others []*hypothesis.Hypothesis) change) bool {
	c, left := s.causes[i], len(evidence)
	if dead(c.Got.End) {
		return false
	}
	narrowed := slices.ContainsFunc(c.Scope, func(c hypothesis.Condition) bool { return !c.OfOpcodes() })
	if c.Fits < enough && (left >= enough || left > 0 && narrowed) || s.scopes(c.Hypothesis) >= manyScopes {
		return true
	}
	if leftLike(c.Job, evidence) > c.Fits {
		return true
	}
	n := changes(c.Hypothesis, slices.Delete(slices.Clone(s.model), i, i+1))
	if n.doubtful() || n.refuted() || n.undone >= enough && float64(n.undone) > doubtful*float64(c.Fits) {
		return true
	}
	if narrowed { // more is wrong where its change, everywhere, would be another one
		others, wide := slices.Clone(s.model), c.Hypothesis
		for len(wide.Scope) > 0 {
			wide = wide.Outside()[0]
		}
		if others[i] = wide; changes(wide, others).wrong > max(c.Fits, enough) {
			return true
		}
	}
	for k, wide := range c.Outside() {
		others := slices.Clone(s.model)
		if others[i] = wide; !c.Scope[k].OfOpcodes() && changes(wide, others).doubtful() {
			return true
		}
	}
	return false
}

// leftLike counts the cases whose programs have no other opcodes than a job.
func leftLike(job *pica.Job, evidence []*Case) (n int) {
	ops := hypothesis.Opcodes(job.Code)
	for _, c := range evidence {
		if c.ops&^ops == 0 {
			n++
		}
	}
	return n
}

// manyScopes is the number of scopes of one change from which on they describe something else.
const manyScopes = 3

// scopes counts the causes with the change of a hypothesis in a scope that conditions narrow.
func (s *Search) scopes(h *hypothesis.Hypothesis) (n int) {
	for _, c := range s.causes {
		narrowed := slices.ContainsFunc(c.Scope, func(c hypothesis.Condition) bool { return !c.OfOpcodes() })
		if narrowed && c.Name == h.Name {
			n++
		}
	}
	return n
}

// sharpen gives a cause the condition, of those that its job fulfils, that leaves fewest cases, if the cause spoils the
// prediction of some.
func (s *Search) sharpen(i int) {
	wide, without := s.causes[i].Hypothesis, slices.Delete(slices.Clone(s.model), i, i+1)
	evidence, _ := s.split()
	predict := fingerprint.PredictorOf(hypothesis.Engine(without...))
	predict.Initial = s.Initial
	spoiled := slices.DeleteFunc(slices.Clone(evidence), func(c *Case) bool { return !s.agrees(predict, c.Job, c.Got) })
	if len(spoiled) == 0 {
		return
	}
	best, least := wide, len(evidence)
	sight := s.sight(s.causes[i].Job)
	conditions := sight.Conditions
	if !slices.ContainsFunc(wide.Scope, hypothesis.Condition.OfOpcodes) {
		for _, op := range sight.Opcodes {
			conditions = append(conditions, hypothesis.OfOpcode(op))
		}
	}
	for _, condition := range conditions {
		h := wide.Within(condition)
		if h == nil {
			continue
		}
		s.model[i] = h
		predict := s.predictor()
		if slices.ContainsFunc(spoiled, func(c *Case) bool { return !s.agrees(predict, c.Job, c.Got) }) {
			continue
		}
		if cases, _ := s.split(); len(cases) < least {
			best, least = h, len(cases)
		}
	}
	if s.model[i] = best; best != wide {
		s.causes[i].Hypothesis, s.causes[i].Rivals = best, nil
	}
}

// choose replaces a cause by the rival that leaves fewest cases, and of those the one that does so without the other
// causes, and drops the rivals that leave more. Answers to programs unlike its seed may tell them apart; and what is
// right only because another cause corrects it is not true of the core.
func (s *Search) choose(i int) {
	evidence, _ := s.split()
	if len(evidence) == 0 && len(s.causes) == 1 {
		return
	}
	c, model := &s.causes[i], s.model
	left := func(h *hypothesis.Hypothesis) [2]int {
		s.model = slices.Clone(model)
		s.model[i] = h
		beside, _ := s.split()
		s.model = []*hypothesis.Hypothesis{h}
		alone, _ := s.split()
		return [2]int{len(beside), len(alone)}
	}
	least := left(c.Hypothesis)
	best := []*hypothesis.Hypothesis{c.Hypothesis}
	for _, h := range c.Rivals {
		switch n := left(h); slices.Compare(n[:], least[:]) {
		case -1:
			least, best = n, []*hypothesis.Hypothesis{h}
		case 0:
			best = append(best, h)
		}
	}
	s.model = model
	c.Hypothesis, c.Rivals, s.model[i] = best[0], best[1:], best[0]
}

// manyCauses is the number of causes above which each is tried without its conditions: two faults together may look
// like many.
const manyCauses = 4

// widen removes the conditions of a cause if that leaves no more cases and makes others superfluous.
func (s *Search) widen(i, left int) {
	causes, model := s.causes, s.model
	if len(causes[i].Scope) == 0 {
		return
	}
	wide := causes[i]
	for len(wide.Scope) > 0 {
		wide.Hypothesis = wide.Outside()[0]
	}
	s.causes, s.model = slices.Clone(causes), slices.Clone(model)
	s.causes[i], s.model[i] = wide, wide.Hypothesis
	// Causes of one opcode or number may only undo what the wide one says.
	others := slices.Delete(slices.Clone(s.model), i, i+1)
	for k := len(others) - 1; k >= 0; k-- {
		at := slices.Index(s.model, others[k])
		before, beforeCauses := s.model, s.causes
		s.model = slices.Delete(slices.Clone(s.model), at, at+1)
		s.causes = slices.Delete(slices.Clone(s.causes), at, at+1)
		now, _ := s.split()
		s.model, s.causes = before, beforeCauses
		was, _ := s.split()
		if len(now) <= len(was) {
			s.model = slices.Delete(slices.Clone(s.model), at, at+1)
			s.causes = slices.Delete(slices.Clone(s.causes), at, at+1)
		}
	}
	if cases, _ := s.split(); len(cases) > left || len(s.causes) >= len(causes) {
		s.causes, s.model = causes, model
	}
}

// unite replaces a cause, and the later ones of its name or one of them, by one with a wider scope, if that leaves no more
// cases than they do.
func (s *Search) unite(i, left int) {
	cause, later := s.causes[i], []int(nil)
	for k := i + 1; k < len(s.causes); k++ {
		if s.causes[k].Name == cause.Name {
			later = append(later, k)
		}
	}
	if len(later) == 0 {
		return
	}
	wide, sight := cause.Hypothesis, s.sight(cause.Job)
	for len(wide.Scope) > 0 { // without any condition
		wide = wide.Outside()[0]
	}
	wider := append([]*hypothesis.Hypothesis{wide}, cause.Wider()...)
	for _, c := range sight.Conditions {
		if h := wide.Within(c); c.OfMost && h != nil {
			wider = append(wider, h)
		}
	}
	if s.replace(i, later, wider, left) {
		return
	}
	for _, k := range later {
		var scoped []*hypothesis.Hypothesis
		for _, op := range sight.Opcodes { // to an opcode, and a condition of one of the two
			for _, c := range slices.Concat(cause.Scope, s.causes[k].Scope) {
				if h := wide.Within(hypothesis.OfOpcode(op)); h != nil && !c.OfOpcodes() {
					scoped = append(scoped, h.Within(c))
				}
			}
		}
		other := s.sight(s.causes[k].Job).Conditions
		for _, c := range sight.Conditions { // a condition of both jobs in the place of one
			for _, h := range cause.Outside() {
				both := slices.ContainsFunc(other, func(o hypothesis.Condition) bool { return o.Text == c.Text })
				if h = h.Within(c); both && h != nil {
					scoped = append(scoped, h)
				}
			}
		}
		if s.replace(i, []int{k}, scoped, left) {
			return
		}
	}
}

// replace replaces a cause and some later ones by the first of some hypotheses that leaves no more cases than they do.
func (s *Search) replace(i int, later []int, list []*hypothesis.Hypothesis, left int) bool {
	causes, model := s.causes, s.model
	for _, h := range list {
		s.causes, s.model = slices.Clone(causes), slices.Clone(model)
		s.causes[i].Hypothesis, s.causes[i].Rivals, s.model[i] = h, nil, h
		for n, k := range later {
			s.causes, s.model = slices.Delete(s.causes, k-n, k-n+1), slices.Delete(s.model, k-n, k-n+1)
		}
		if evidence, _ := s.split(); len(evidence) <= left {
			return true
		}
	}
	s.causes, s.model = causes, model
	return false
}

// confirmAll adds the known causes to the model if together they predict further answers and contradict none: one of
// several may seem to contradict what the others explain.
func (s *Search) confirmAll() bool {
	if len(s.Known) < 2 {
		return false
	}
	without, _ := s.split()
	for _, c := range s.Known {
		s.model = append(s.model, c.Hypothesis)
	}
	with, _ := s.split()
	contradicts := func(c *Case) bool { return !slices.Contains(without, c) }
	if len(with) >= len(without) || slices.ContainsFunc(with, contradicts) {
		s.model = nil
		return false
	}
	all := s.model
	for i, c := range s.Known {
		s.model = slices.Delete(slices.Clone(all), i, i+1)
		r := &ranking{Search: s}
		r.evidence, _ = s.short()
		r.base = s.views(r.evidence)
		c.Fits = r.fits(c.Hypothesis).fits
		s.causes = append(s.causes, c)
	}
	s.model = all
	return true
}

// confirm adds a known cause, or the first rival of it, to the model if it predicts further answers and contradicts
// none.
func (s *Search) confirm(ctx context.Context, c Cause) {
	r := &ranking{Search: s}
	r.evidence, r.controls = s.short()
	r.base = s.views(r.evidence)
	for i, h := range append([]*hypothesis.Hypothesis{c.Hypothesis}, c.Rivals...) {
		x := r.fits(h)
		if x.fits == 0 || x.misses > x.fits || len(r.against(h, 1, 0)) > 0 {
			continue
		}
		job, got, ok := s.shown(ctx, c.Job, c.Got, h)
		if !ok {
			continue
		}
		if c.Hypothesis, c.Fits = h, x.fits; i > 0 {
			c.Rivals = c.Rivals[i:]
		}
		c.Job, c.Got = job, got
		s.causes, s.model = append(s.causes, c), append(s.model, h)
		return
	}
}

// short is split without the cases whose runs are long.
func (s *Search) short() (evidence, controls []*Case) {
	evidence, controls = s.split()
	long := func(c *Case) bool { return c.short == nil }
	return slices.DeleteFunc(evidence, long), slices.DeleteFunc(controls, long)
}

// survived returns the cases of which the model predicts nothing and that the core ended: a crash would contradict them.
func (s *Search) survived() (list []*Case) {
	for i := range s.cases {
		if c := &s.cases[i]; c.open && c.short != nil && c.Got.End == view.Ended {
			list = append(list, c)
		}
	}
	return list
}

// maxSteps is the number of instructions up to which a run decides between hypotheses.
const maxSteps = 2000

func (s *Search) add(job *pica.Job, got *view.View) *Case {
	c := Case{Job: job, Got: got, ops: hypothesis.Opcodes(job.Code)}
	var own view.View
	s.plain.View(job, &s.Profile, &own)
	c.open = own.End != view.Ended
	steps := s.plain.Steps()
	c.cost = costOf(job, steps)
	c.known = map[string]verdict{"": verdictOn(&own, steps, &c)}
	if steps <= maxSteps {
		short := *job
		short.Budget = min(job.Budget, 4*steps+256)
		c.short = &short
	}
	s.cases = append(s.cases, c)
	return &s.cases[len(s.cases)-1]
}

// ask asks the core, and counts the answers that took a time limit.
func (s *Search) ask(ctx context.Context, job *pica.Job) *view.View {
	v := s.Ask(ctx, job)
	if v.End == view.Hung {
		*s.Hung++
	}
	return v
}

// predictor predicts under the model and further hypotheses.
func (s *Search) predictor(more ...*hypothesis.Hypothesis) *fingerprint.Predictor {
	p := fingerprint.PredictorOf(hypothesis.Engine(slices.Concat(s.model, more)...))
	p.Initial = s.Initial
	return p
}

// with is predictor for one hypothesis, until it is called again.
func (s *Search) with(h *hypothesis.Hypothesis) *fingerprint.Predictor {
	s.engine.Change(slices.Concat(s.model, []*hypothesis.Hypothesis{h})...)
	return s.reused
}

// A verdict is what an answer says about a prediction.
type verdict uint8

const (
	silent verdict = iota
	against
	inFavour
)

// verdictOn compares a prediction, of a run with so many instructions, with the answer of a case.
func verdictOn(want *view.View, steps int, c *Case) verdict {
	switch {
	case c.open || c.Got.End != view.Ended && !dead(c.Got.End):
		return silent
	case want.End != view.Ended && !dead(want.End) || !dead(c.Got.End) && fingerprint.Vague(c.Job, want):
		return silent
	case want.End == view.Hung && c.Got.End == view.Ended && steps >= cmp.Or(c.Job.Budget, pica.DefaultBudget):
		return silent // the core may take more steps than the prediction
	case view.Compare(want, c.Got, nil) == view.Differs:
		return against
	}
	return inFavour
}

// verdict returns what the answer of a case says about the model, which predict predicts. A search asks for many models
// that differ in one hypothesis: those that change no instruction of the program leave the verdict as it is.
func (s *Search) verdict(predict *fingerprint.Predictor, c *Case) verdict {
	key := s.key(c)
	v, ok := c.known[key]
	if !ok && s.late(c.cost) {
		return silent
	}
	if !ok {
		var want view.View
		predict.View(c.Job, &s.Profile, &want)
		v = verdictOn(&want, predict.Steps(), c)
		c.known[key] = v
	}
	return v
}

// key lists the hypotheses of the model that may change the run of a case.
func (s *Search) key(c *Case) string {
	var key []byte
	for h := range hypothesis.Touching(s.model, c.ops) {
		if s.numbers[h] == 0 {
			s.numbers[h] = uint64(len(s.numbers) + 1)
		}
		key = binary.AppendUvarint(key, s.numbers[h])
	}
	return string(key)
}

// split returns the cases that the model does not predict, the smallest first, and those that it does. A wrong value of a
// program with an unsteady opcode is neither.
func (s *Search) split() (evidence, controls []*Case) {
	predict := s.predictor()
	for i := range s.cases {
		c := &s.cases[i]
		switch v := s.verdict(predict, c); {
		case v == against && (c.ops&s.unsteadyOps == 0 || dead(c.Got.End)):
			evidence = append(evidence, c)
		case v == inFavour:
			controls = append(controls, c)
		}
	}
	// A wrong value explains a crash more often than a crash a wrong value.
	rank := func(c *Case) int {
		if dead(c.Got.End) {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(evidence, func(a, b *Case) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(size(a.Job), size(b.Job)))
	})
	slices.SortStableFunc(controls, func(a, b *Case) int { return cmp.Compare(size(a.Job), size(b.Job)) })
	return evidence, controls
}

// size orders jobs: small programs come first.
func size(job *pica.Job) int { return len(job.Code) + 4*len(job.Vertices) }

// likeness is what differing cases have in common that are tried once.
type likeness struct {
	ops     uint64
	end     view.End
	several bool // vertices
}

// seeds returns differing cases from which a hypothesis is sought, one of those that are alike: of wrong values the
// smallest, and some that are spread over the others, because what all small ones show may only be explained beside
// another fault; and the smallest deaths.
func (s *Search) seeds(evidence []*Case) []*Case {
	tried := map[likeness]bool{}
	var values, deaths []*Case
	for _, c := range evidence {
		like := likeness{c.ops, c.Got.End, len(c.Job.Vertices) > 1}
		switch known := tried[like]; {
		case known || s.hopeless[c.Job]:
		case dead(c.Got.End):
			deaths = append(deaths, c)
		default:
			values = append(values, c)
		}
		tried[like] = true
	}
	if others := len(values) - maxSeeds; others > farSeeds {
		for k := range farSeeds {
			values[maxSeeds+k] = values[maxSeeds+(k+1)*others/farSeeds-1]
		}
		values = values[:maxSeeds+farSeeds]
	}
	return append(values, deaths[:min(len(deaths), maxSeeds)]...)
}

// next finds one more hypothesis and adds it to the model.
func (s *Search) next(ctx context.Context) bool {
	evidence, _ := s.split()
	s.refuted, s.grown = map[string]bool{}, nil
	for _, c := range s.seeds(evidence) {
		if ctx.Err() != nil {
			break
		}
		if s.over(c.Got.End) || *s.Hung >= s.mostHung(c.Got.End) {
			continue
		}
		if cause, ok := s.from(ctx, c); ok {
			s.causes, s.model, s.fruitful = append(s.causes, cause), append(s.model, cause.Hypothesis), s.work
			maps.DeleteFunc(s.hopeless, func(job *pica.Job, _ bool) bool {
				return cause.Touches(hypothesis.Opcodes(job.Code))
			})
			return true
		}
	}
	return false
}

// explained is what a search has found.
type explained struct {
	causes []Cause
	model  []*hypothesis.Hypothesis
}

// settle prunes what was found. If causes were sought again and leave more cases than those before, those before count.
func (s *Search) settle() {
	s.prune()
	if s.first == nil {
		return
	}
	last := explained{s.causes, s.model}
	after, _ := s.split()
	s.causes, s.model = s.first.causes, s.first.model
	s.prune()
	if before, _ := s.split(); len(after) <= len(before) {
		s.causes, s.model = last.causes, last.model
	}
}

// again seeks a cause for the job that showed one, now that the others are known: they may have spoilt the answers that
// decided. It replaces the first cause for which it finds one that leaves fewer cases.
func (s *Search) again(ctx context.Context) bool {
	evidence, _ := s.split()
	touched := func(c Cause) bool {
		return slices.ContainsFunc(evidence, func(e *Case) bool { return c.Touches(e.ops) })
	}
	causes, model := s.causes, s.model
	for i, c := range causes {
		if len(causes) == 1 || dead(c.Got.End) || !touched(c) || ctx.Err() != nil {
			continue
		}
		s.refuted, s.lenient = map[string]bool{}, false
		s.causes, s.model = slices.Delete(slices.Clone(causes), i, i+1), slices.Delete(slices.Clone(model), i, i+1)
		other, ok := s.from(ctx, &Case{Job: c.Job, Got: c.Got})
		if s.causes, s.model = causes, model; !ok || other.String() == c.String() {
			continue
		}
		before, _ := s.split() // with the answers that the search asked for
		s.causes, s.model = slices.Clone(causes), slices.Clone(model)
		s.causes[i], s.model[i] = other, other.Hypothesis
		if left, _ := s.split(); len(left) < len(before) {
			if s.first == nil {
				s.first = &explained{causes, model}
			}
			s.fruitful = s.work
			clear(s.hopeless)
			return true
		}
		s.causes, s.model = causes, model
	}
	return false
}

// mostHung limits the answers that take a time limit for cases with an end. Those that hang leave as many for the others.
func (s *Search) mostHung(end view.End) int {
	if end == view.Hung {
		return s.MaxHung
	}
	return 2 * s.MaxHung
}

// over reports whether the search has made its predictions, or too many without a cause. A crash or a hang has few
// hypotheses: what was spent in vain on wrong values does not count.
func (s *Search) over(end view.End) bool {
	return s.work > s.Work || !dead(end) && s.work-s.fruitful > s.Work/fruitless
}

// differs asks the core for a job, and reports whether it ends in a way where the model predicts an end and another
// state. A program without a predicted end is not asked for: it may hang the core.
func (s *Search) differs(ctx context.Context, predict *fingerprint.Predictor, job *pica.Job, end view.End) (*view.View, bool) {
	var want view.View
	if !s.decides(predict, job, end, &want) {
		return nil, false
	}
	got := s.ask(ctx, job)
	return got, got.End == end && view.Compare(&want, got, nil) == view.Differs
}

// decides stores a prediction in want, and reports whether an answer with such an end may contradict it.
func (s *Search) decides(predict *fingerprint.Predictor, job *pica.Job, end view.End, want *view.View) bool {
	predict.View(job, &s.Profile, want)
	return want.End == view.Ended && (dead(end) || !fingerprint.Vague(job, want))
}

const (
	maxRounds = 12 // of further jobs for one seed
	// maxDeadly is the number of words up to which a program that kills or hangs the core speaks of an
	// instruction: a longer one may be at fault by its length.
	maxDeadly = 64
)

// from seeks the hypothesis that explains a case and most others like it.
func (s *Search) from(ctx context.Context, c *Case) (cause Cause, ok bool) {
	s.mayHang = min(*s.Hung+hungOfSeed, s.mostHung(c.Got.End))
	job, got, ok := s.reduced(ctx, c)
	if !ok {
		return cause, false // its answers change
	}
	if s.unsteady(ctx, job, got) {
		s.hopeless[c.Job] = true
		return cause, false
	}
	sight, list := s.see(job, got)
	if len(list) == 0 && job != c.Job {
		job, got = c.Job, c.Got
		sight, list = s.see(job, got)
	}
	if len(list) == 0 || got.End == view.Hung && len(job.Code) > maxDeadly {
		s.hopeless[c.Job] = true
		return cause, false
	}
	cause.Seed = untailed(c.Job)
	seed := s.add(job, got)
	most := s.work + s.Work/workOfSeed
	for round := 0; round < maxRounds && s.work <= most && !s.over(c.Got.End) && ctx.Err() == nil; round++ {
		best := s.rank(list, sight, seed)
		if len(best) == 0 {
			s.hopeless[c.Job] = round == 0 && len(s.refuted) == 0
			return cause, false
		}
		s.mayHang = min(*s.Hung+hungOfSeed, s.mostHung(c.Got.End))
		asked, changed, grown := s.test(ctx, best, seed, uint64(round))
		s.grown, list = append(s.grown, grown...), append(list, grown...)
		if asked == 0 {
			return cause, false // no further job may be asked for
		}
		cause.Asked += asked
		if !changed {
			cause.Hypothesis, cause.Fits = best[0].h, best[0].fits
			if cause.Job, cause.Got, ok = s.shown(ctx, job, got, best[0].h); !ok {
				s.refuted[best[0].h.String()] = true
				continue
			}
			for _, r := range best[1:] {
				cause.Rivals = append(cause.Rivals, r.h)
			}
			return cause, true
		}
	}
	s.hopeless[c.Job] = s.work > most // another one may cost less
	return cause, false
}

// unsteady reports whether the answers to a job without jumps, with words behind its END, differ from each other: they
// are no function of the program. If it has one opcode beside END, answers to programs with it are no evidence.
func (s *Search) unsteady(ctx context.Context, job *pica.Job, got *view.View) bool {
	const times = 4
	if got.End != view.Ended || hasTarget(job) {
		return false
	}
	again := reduce.Clone(job)
	for range min(times, pica.MaxCode-len(job.Code)) {
		again.Code = append(again.Code, uint32(pica.END)<<26)
		v := s.ask(ctx, reduce.Clone(again))
		if v.End == got.End && view.Compare(got, v, nil) == view.Differs {
			if ops := hypothesis.Opcodes(job.Code) &^ (1 << pica.END); bits.OnesCount64(ops) == 1 {
				s.unsteadyOps |= ops
			}
			return true
		}
	}
	return false
}

// tail is the number of END words behind a reduced program: with a fault, control may go beyond its end.
const tail = 8

// reduced returns a smaller job that the model does not predict, and its answer.
func (s *Search) reduced(ctx context.Context, c *Case) (job *pica.Job, got *view.View, ok bool) {
	if s.Reduce == nil || len(c.Job.Code)+tail > pica.MaxCode || c.Got.End == view.Hung { // each try takes a time limit
		return c.Job, c.Got, true
	}
	job = reduce.Clone(c.Job)
	for range tail {
		job.Code = append(job.Code, uint32(pica.END)<<26)
	}
	predict := s.predictor()
	fails := func(j *pica.Job) bool {
		if *s.Hung >= s.mayHang || !ends(j) {
			return false
		}
		_, differs := s.differs(ctx, predict, j, c.Got.End)
		return differs
	}
	small := s.Reduce(ctx, job, seedTries, fails)
	if small == nil {
		return c.Job, c.Got, true
	}
	got, ok = s.differs(ctx, predict, small, c.Got.End)
	return small, got, ok
}

// ends reports whether the last words of a program are END.
func ends(job *pica.Job) bool {
	n := len(job.Code)
	if n <= tail {
		return false
	}
	return !slices.ContainsFunc(job.Code[n-tail:], func(w uint32) bool { return w != uint32(pica.END)<<26 })
}

// sight returns what a job executes under the model.
func (s *Search) sight(job *pica.Job) *hypothesis.Sight {
	under := *job
	under.Profile, under.Initial = s.Profile, fingerprint.Narrowed(s.Initial, s.Profile.Storage)
	return hypothesis.See(&under, s.model...)
}

// see returns what a job executes, and the hypotheses that predict its answer.
func (s *Search) see(job *pica.Job, got *view.View) (*hypothesis.Sight, []*hypothesis.Hypothesis) {
	sight := s.sight(job)
	candidates := s.candidates(sight, job, got)
	var own view.View
	s.plain.View(job, &s.Profile, &own)
	steps := s.plain.Steps()
	cost := costOf(job, steps)
	if len(candidates)*cost > s.Work/workOfSeed {
		return sight, nil // a smaller job will show it
	}
	short := *job
	short.Budget = min(job.Budget, 4*steps+256)
	list := s.fitting(append(candidates, s.grown...), sight, &short, got, cost)
	for _, h := range list {
		list = append(list, h.Wider()...)
	}
	return sight, list
}

// A place is a lane of a register behind a vertex.
type place struct {
	vertex int
	hypothesis.Lane
}

// lanesOf goes through the lanes of all registers that are known.
func lanesOf(v *view.View) iter.Seq2[place, uint32] {
	return func(yield func(at place, x uint32) bool) {
		for i := range v.Vertices {
			for bank, registers := range [][pica.NumOutputs]pica.Vec4{v.Vertices[i].O, v.Vertices[i].R} {
				for n, register := range registers {
					if bank > 0 && v.Unreported>>n&1 != 0 {
						continue
					}
					for lane, x := range register {
						if !yield(place{i, hypothesis.Lane{Dest: bank*pica.DestTemporary + n, Lane: lane}}, x) {
							return
						}
					}
				}
			}
		}
	}
}

// differing returns the lanes in which two views differ, after some vertex.
func differing(a, b *view.View) (list []hypothesis.Lane) {
	was := maps.Collect(lanesOf(a))
	for at, x := range lanesOf(b) {
		if y, ok := was[at]; ok && x != y && !slices.Contains(list, at.Lane) {
			list = append(list, at.Lane)
		}
	}
	return list
}

// shown returns a small job that a hypothesis predicts and the model does not, with its answer. It reduces the seed
// and, unless that is small already, a few more of the cases that it explains. ok is false if the core ends a small job
// that hangs under the hypothesis.
func (s *Search) shown(ctx context.Context, job *pica.Job, got *view.View,
	h *hypothesis.Hypothesis) (small *pica.Job, answer *view.View, ok bool) {
	const few, short = 4, 5
	end := got.End
	if end == view.Hung {
		return s.shownHang(ctx, job, got, h)
	}
	predict, with := s.predictor(), s.predictor(h)
	var want view.View
	shows := func(j *pica.Job) bool {
		if *s.Hung >= s.mayHang || !dead(end) && !s.decides(with, j, end, &want) { // the core may hang
			return false
		}
		got, differs := s.differs(ctx, predict, j, end)
		return differs && s.predicts(h, j, got)
	}
	best := s.smaller(ctx, job, shows)
	evidence, _ := s.short()
	for k, tried := 0, 0; k < len(evidence) && tried < few && size(best) > short+4; k++ {
		if c := evidence[k]; c.Got.End == end && h.Touches(c.ops) && s.predicts(h, c.short, c.Got) {
			tried++
			if other := s.smaller(ctx, c.Job, shows); size(other) < size(best) {
				best = other
			}
		}
	}
	return best, s.ask(ctx, best).Clone(), true
}

// shownHang is shown for a hang. Each try of a reduction through the core takes a time limit; therefore the predictions
// alone find the small job, and the core is asked once. It may end, though it hung twice in much longer programs: they
// do not tell what hangs.
func (s *Search) shownHang(ctx context.Context, job *pica.Job, got *view.View,
	h *hypothesis.Hypothesis) (small *pica.Job, answer *view.View, ok bool) {
	predict, hang := s.predictor(), &view.View{End: view.Hung}
	var want view.View
	small = s.smaller(ctx, job, func(j *pica.Job) bool {
		long := *j // a run that passes its END goes through all of program memory
		long.Budget = max(j.Budget, 2*pica.MaxCode)
		return s.decides(predict, j, view.Hung, &want) && s.predicts(h, &long, hang)
	})
	switch answer = s.ask(ctx, small).Clone(); answer.End {
	case view.Hung:
		return small, answer, true
	case view.Ended:
		s.add(small, answer)
		return nil, nil, false
	}
	return job, got, true
}

// smaller reduces a job while a property holds, and removes equal words behind its program.
func (s *Search) smaller(ctx context.Context, job *pica.Job, holds func(j *pica.Job) bool) *pica.Job {
	if s.Reduce != nil {
		if small := s.Reduce(ctx, job, shownTries, holds); small != nil {
			job = small
		}
	}
	if short := untailed(job); holds(short) {
		return short
	}
	return job
}

// untailed returns a job with the last word once only.
func untailed(job *pica.Job) *pica.Job {
	short := reduce.Clone(job)
	for n := len(short.Code); n > 1 && short.Code[n-1] == short.Code[n-2]; n-- {
		short.Code = short.Code[:n-1]
	}
	return short
}

// candidates are the hypotheses that may change a job: those of the table and those with parameters. A crash or a hang
// is a fault of its own: what else leads there shows in values, too. Only a rule of the table may make every program
// hang that it changes. A long program may crash by its length, or where such a rule leads it.
func (s *Search) candidates(sight *hypothesis.Sight, job *pica.Job, got *view.View) (list []*hypothesis.Hypothesis) {
	if end, ok := causesOfDeath[got.End]; ok {
		list = hypothesis.Deaths(end, sight.Opcodes, opcodes(job), sight.Conditions)
		switch {
		case got.End == view.Hung:
			list = append(list, s.table...)
		case len(job.Code) > maxDeadly:
			list = s.table
		}
		return list
	}
	return slices.Concat(s.table, sight.Families, s.suggested(sight, job, got))
}

// opcodes lists the opcodes in a program.
func opcodes(job *pica.Job) (list []pica.Opcode) {
	for _, w := range job.Code {
		if op := pica.OpcodeOf(w).Base(); !slices.Contains(list, op) {
			list = append(list, op)
		}
	}
	return list
}

// Limits of what an answer suggests: values that may be constants, and lanes that an instruction may spoil.
const (
	maxConstants = 4
	maxSpoilt    = 3
)

// suggested are the hypotheses about what an answer has and the model does not predict: an opcode has a value as its
// result, an address register has a bound, or an instruction spoils a lane.
func (s *Search) suggested(sight *hypothesis.Sight, job *pica.Job, got *view.View) (list []*hypothesis.Hypothesis) {
	var want view.View
	s.predictor().View(job, &s.Profile, &want)
	predicted, values := map[uint32]bool{0: true}, []uint32{}
	for _, x := range lanesOf(&want) {
		predicted[x] = true
	}
	for _, x := range lanesOf(got) {
		if !predicted[x] && len(values) < maxConstants {
			predicted[x], values = true, append(values, x)
		}
	}
	if slices.Contains(sight.Opcodes, pica.MOVA) {
		for i := range min(len(want.Vertices), len(got.Vertices)) {
			for k, was := range want.Vertices[i].Address {
				if n := got.Vertices[i].Address[k]; n != was && len(list) < maxConstants {
					list = append(list, hypothesis.Bounds(n, n < was)...)
				}
			}
		}
	}
	for i, lane := range differing(&want, got) {
		if i < maxSpoilt {
			list = append(list, sight.Spoils(lane)...)
		}
	}
	for _, x := range values {
		v := pica.Vec4{x, x, x, x}
		if s.Profile.Storage != pica.Float32 {
			s.Profile.Storage.NarrowVector(&v, &v)
		}
		for _, op := range sight.Opcodes {
			list = append(list, hypothesis.Constants(op, fmt.Sprintf("%v", math.Float32frombits(x)), v[0])...)
		}
	}
	return list
}

// fitting returns the hypotheses that predict an answer: everywhere, for one opcode of the job or, if the answer
// differs in one lane, for that lane. One that changes nothing everywhere changes nothing for one opcode. A prediction has a
// cost.
func (s *Search) fitting(list []*hypothesis.Hypothesis, sight *hypothesis.Sight, job *pica.Job,
	got *view.View, cost int) (fit []*hypothesis.Hypothesis) {
	var own, want view.View
	s.predictor().View(job, &s.Profile, &own)
	c, most := &Case{Job: job, Got: got, short: job}, s.work+len(list)*cost+s.Work/workOfLong
	spoilt := differing(&own, got)
	one := len(spoilt) > 0 &&
		!slices.ContainsFunc(spoilt, func(l hypothesis.Lane) bool { return l.Lane != spoilt[0].Lane })
	try := func(h *hypothesis.Hypothesis) (changes bool) {
		s.work += cost
		predict := s.with(h)
		if s.work < most {
			s.view(predict, c, &want)
		} else {
			predict.View(job, &s.Profile, &want)
		}
		if answers(&want, got) && view.Compare(&want, got, nil) <= nearest(h) {
			fit = append(fit, h)
		}
		return want.End != own.End || view.Compare(&want, &own, nil) != view.Same
	}
	for _, h := range list {
		if s.stopped() {
			break
		}
		if !try(h) || dead(got.End) {
			continue
		}
		narrow := []*hypothesis.Hypothesis{h}
		if len(h.Scope) == 0 {
			narrow = narrow[:0]
			for _, op := range sight.Opcodes {
				if n := h.Within(hypothesis.OfOpcode(op)); n != nil && try(n) {
					narrow = append(narrow, n)
				}
			}
		}
		for _, n := range narrow {
			if lanes := n.Lanes(); one && lanes != nil && n.Opcode() != "" {
				try(lanes[spoilt[0].Lane])
			}
		}
	}
	return fit
}

// costOf returns the cost of a prediction of a job, given the instructions of its longest run.
func costOf(job *pica.Job, steps int) int { return 1 + steps*max(1, len(job.Vertices))/stepsOfCost }

// predicts reports whether the model with a hypothesis predicts an answer.
func (s *Search) predicts(h *hypothesis.Hypothesis, job *pica.Job, got *view.View) bool {
	s.work++
	return s.agrees(s.with(h), job, got)
}

// agrees reports whether an answer is what a model predicts.
func (s *Search) agrees(predict *fingerprint.Predictor, job *pica.Job, got *view.View) bool {
	var want view.View
	predict.View(job, &s.Profile, &want)
	return answers(&want, got)
}

// nearest returns the relation of an answer to a prediction at which it fits a hypothesis.
func nearest(h *hypothesis.Hypothesis) view.Relation {
	if h.Exact {
		return view.Same
	}
	return view.Near
}

// answers reports whether an answer is what was predicted.
func answers(want, got *view.View) bool {
	return (want.End == view.Ended || dead(want.End)) && view.Compare(want, got, nil) <= view.Near
}
