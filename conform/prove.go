package conform

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/hypothesis"
	"github.com/picaproof/picaproof/conform/proof"
	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/internal/pool"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// maxPredictions is the number of predictions of inferences after which no further model is tried. A core far from
// every named set needs up to ten times as many as another one.
const maxPredictions = 1 << 18

// prove finds the changes of the oracle that predict the answers of cases which the model does not. They join the
// model: later jobs are predicted with them. With the faults known, the model itself may show otherwise; then it is
// inferred again, and the better of the two explanations counts. An early proof, with the answers to the fingerprint
// alone, also starts from other models, because faults may have led to a wrong one.
func (s *session) prove(ctx context.Context, cases []proof.Case, early bool) {
	if s.Against != nil || s.isolated {
		return
	}
	before := hypotheses(s.proved) // they count if the context ends too early for others
	if ctx.Err() != nil {
		s.faults = before
		return
	}
	s.Progress("finding the changes of the model that predict every answer")
	if early { // a limit of the core may make long programs go wrong
		cases = slices.DeleteFunc(slices.Clone(cases), func(c proof.Case) bool { return len(c.Job.Code) > fewest })
	}
	const work, earlyWork, many, earlyHangs = 400_000, 250_000, 32, 8
	limit, hangs := work, 0
	if early || s.models > 0 {
		limit = earlyWork
	}
	if early {
		hangs = earlyHangs
	}
	known := map[pica.Profile]*explanation{}
	best := s.explained(ctx, cases, s.model, limit, hangs, known)
	if best == nil {
		s.faults = before
		return
	}
	if early && s.Model == nil && ctx.Err() == nil && s.costs.Predictions < maxPredictions {
		// Answers to the fingerprint are few. A named model is worth a try if many of them are left; a near one may
		// fit a few by chance, so it must explain most.
		for _, p := range s.near(ctx, best.rest, cases) {
			other := s.explained(ctx, cases, p, limit, hangs, known)
			if other != nil && 4*len(other.rest) <= len(best.rest) {
				best = s.simpler(other, cases)
				break
			}
		}
		if len(best.rest)*many >= len(cases) {
			for _, p := range s.named(ctx, cases) {
				if other := s.explained(ctx, cases, p, limit, hangs, known); other != nil && other.better(best) {
					best = other
				}
			}
		}
	}
	if s.Model == nil {
		for _, p := range best.turned() {
			if other := s.explained(ctx, cases, p, limit, hangs, known); other != nil && other.plainer(best) {
				best = other
			}
		}
	}
	s.proved, s.faults = best.causes, hypotheses(best.causes)
	if s.Model == nil {
		s.answers = append(s.answers, best.decided...)
		s.print = fingerprint.DecideOn(s.answers, best.model, s.engine)
		s.model = s.print.Profile
		s.excuse()
	}
	s.foreteller.Forget(s.foresight())
}

// explanation is a model and the changes of it that explain a core.
type explanation struct {
	model  pica.Profile
	causes []proof.Cause
	rest   []proof.Case
	// decided are answers to questions about the model that the jobs of the fingerprint leave open.
	decided []fingerprint.Answer
}

// better reports whether an explanation leaves fewer answers, or as many with fewer changes.
func (e *explanation) better(than *explanation) bool {
	return cmp.Or(cmp.Compare(len(e.rest), len(than.rest)), cmp.Compare(len(e.causes), len(than.causes))) < 0
}

// turned returns the models with the answers to questions that causes give for some instructions: these may be most of
// them, and the others the exception.
func (e *explanation) turned() (list []pica.Profile) {
	const most = 2
	for _, c := range e.causes {
		if p := e.model; c.Profile != nil && len(list) < most {
			if c.Profile(&p); p != e.model && !slices.Contains(list, p) {
				list = append(list, p)
			}
		}
	}
	return list
}

// plainer reports whether an explanation leaves no more answers, and has fewer changes of the console.
func (e *explanation) plainer(than *explanation) bool {
	changes := func(e *explanation) (n int) {
		console := profile.HW()
		for d := range fingerprint.Dimensions {
			if dim := &fingerprint.Dimensions[d]; dim.Get(&e.model) != dim.Get(&console) {
				n++
			}
		}
		return n + len(e.causes)
	}
	return len(e.rest) <= len(than.rest) && changes(e) < changes(than)
}

// lacks reports whether another model than that of the explanation, which a search has, may lead to a better one: with
// the same causes it leaves fewer answers, or one of the causes is superfluous.
func (e *explanation) lacks(ctx context.Context, search *proof.Search, cases []proof.Case) bool {
	all, fewer := search.Left(ctx, cases, e.causes)
	return all < len(e.rest) || fewer <= len(e.rest)
}

// maxModelled limits the inferences of the model for one explanation.
const maxModelled = 3

// explained explains cases from a model. With the faults known, the model is inferred again. A cause that is another
// value of a knob becomes a part of the model. known has the explanations so far, by models without their names. The
// explanations from several models share the predictions. It returns nil if the context ended too early to tell.
func (s *session) explained(ctx context.Context, cases []proof.Case, p pica.Profile, work, hangs int,
	known map[pica.Profile]*explanation) *explanation {
	var best *explanation
	var decided []fingerprint.Answer
	given := map[*pica.Job]bool{} // not those that the search asked for
	for _, c := range cases {
		given[c.Job] = true
	}
	for range maxModelled {
		key := p
		key.Name = ""
		e := known[key]
		if e == nil {
			e = &explanation{model: p, decided: decided}
			search := s.search(p)
			if best != nil && (work <= 0 || !best.lacks(ctx, search, cases)) {
				// The model that was inferred with the faults fits the fingerprint better.
				if other := s.leaving(p, best.causes, cases); len(other.rest) <= len(best.rest) {
					other.decided = decided
					best = other
				}
				break
			}
			search.Known, search.Work, search.MaxHung = s.proved, work, hangs
			var ok bool
			if e.causes, e.rest, ok = search.Explain(ctx, cases); !ok {
				break
			}
			work -= search.Spent()
			e.rest = slices.DeleteFunc(e.rest, func(c proof.Case) bool { return !given[c.Job] })
			known[key] = e
		}
		if best != nil && !e.better(best) {
			break
		}
		if best = e; s.Model != nil || len(e.causes) == 0 || ctx.Err() != nil {
			break
		}
		found, _ := s.costs.Infer(ctx, s.answers, faultsOf(hypotheses(e.causes)))
		found = fingerprint.Defaults(found, s.answers)
		for _, c := range e.causes {
			if c.Profile != nil && len(c.Scope) == 0 {
				c.Profile(&found)
				begun := *c.Job
				begun.Initial = s.initial
				decided = append(decided, fingerprint.Answer{Job: &begun, Got: c.Got})
			}
		}
		if found.Name = p.Name; found == p {
			break
		}
		p = found
	}
	return best
}

// faultsOf returns faults for an inference of the model.
func faultsOf(list []*hypothesis.Hypothesis) fingerprint.Faults {
	return fingerprint.Faults{Engine: hypothesis.Engine(list...), Touching: func(job *pica.Job) string {
		var names []string
		for h := range hypothesis.Touching(list, hypothesis.Opcodes(job.Code)) {
			names = append(names, h.String())
		}
		return strings.Join(names, "\n")
	}}
}

// leaving returns the explanation of cases that a model and causes are.
func (s *session) leaving(model pica.Profile, causes []proof.Cause, cases []proof.Case) *explanation {
	e := &explanation{model: model, causes: causes}
	predict := fingerprint.PredictorOf(hypothesis.Engine(hypotheses(causes)...))
	predict.Initial = s.initial
	for _, c := range cases {
		var want view.View
		if predict.View(c.Job, &model, &want); view.Compare(&want, c.Got, nil) == view.Differs {
			e.rest = append(e.rest, c)
		}
	}
	return e
}

// simpler returns an explanation of cases from a near model. If the present model and all causes but one leave no more
// cases, that cause only undoes what the near model changes, and neither is true of the core.
func (s *session) simpler(e *explanation, cases []proof.Case) *explanation {
	for k := range e.causes {
		other := s.leaving(s.model, slices.Delete(slices.Clone(e.causes), k, k+1), cases)
		if len(other.rest) <= len(e.rest) {
			return other
		}
	}
	return e
}

// near returns models with another answer to one question that change what is predicted for answers which the present
// model does not predict, and predict most of them, then of all. One wrong answer to a question may be all that hides a
// fault. A model that leaves more answers open than it adds predictions would explain a fault by predicting nothing.
func (s *session) near(ctx context.Context, open, cases []proof.Case) (list []pica.Profile) {
	const most = 3
	predict := s.plain()
	gained, wrong, lost := map[pica.Profile]int{}, map[pica.Profile]int{}, map[pica.Profile]int{}
	for d := range fingerprint.Dimensions {
		dim := &fingerprint.Dimensions[d]
		for value := range dim.Values {
			p, ok := dim.With(s.model, value)
			if !ok || !dim.IsKnob() || value == dim.Get(&s.model) {
				continue
			}
			changes := false
			if ctx.Err() != nil {
				return nil
			}
			for _, c := range open {
				var now, then view.View
				predict.View(c.Job, &s.model, &now)
				predict.View(c.Job, &p, &then)
				if changes = changes || fingerprint.Distinct(&now, &then); view.Compare(&then, c.Got, nil) <= view.Near {
					gained[p]++
				}
			}
			if changes {
				list = append(list, p)
			}
		}
	}
	for _, c := range cases {
		var now, then view.View
		predict.View(c.Job, &s.model, &now)
		if ctx.Err() != nil {
			return nil
		}
		for _, p := range list {
			predict.View(c.Job, &p, &then)
			if view.Compare(&then, c.Got, nil) == view.Differs {
				wrong[p]++
			}
			if c.Got.End == view.Ended && now.End == view.Ended && then.End != view.Ended {
				lost[p]++
			}
		}
	}
	list = slices.DeleteFunc(list, func(p pica.Profile) bool { return lost[p] > gained[p] })
	slices.SortStableFunc(list, func(a, b pica.Profile) int {
		return cmp.Or(cmp.Compare(gained[b], gained[a]), cmp.Compare(wrong[a], wrong[b]))
	})
	return list[:min(most, len(list))]
}

// named returns the named models that predict most of the answers to the fingerprint: several faults may have led
// to another. None of them predicts the same as the present model or as another of them.
func (s *session) named(ctx context.Context, cases []proof.Case) (list []pica.Profile) {
	const most = 3
	wrong, predict := map[string]int{}, s.plain()
	views := func(p *pica.Profile) (list []view.View) {
		for i := range cases {
			var want view.View
			predict.View(cases[i].Job, p, &want)
			list = append(list, want)
		}
		return list
	}
	known := [][]view.View{views(&s.model)}
	for _, name := range profile.Names() {
		p, ok := profile.ByName(name)
		if !ok || ctx.Err() != nil {
			continue
		}
		now := views(&p)
		if slices.ContainsFunc(known, func(other []view.View) bool { return slices.EqualFunc(now, other, same) }) {
			continue
		}
		list, known = append(list, p), append(known, now)
		for i := range cases {
			if view.Compare(&now[i], cases[i].Got, nil) == view.Differs {
				wrong[p.Name]++
			}
		}
	}
	slices.SortStableFunc(list, func(a, b pica.Profile) int { return cmp.Compare(wrong[a.Name], wrong[b.Name]) })
	return list[:min(most, len(list))]
}

// plain predicts what a core without faults answers.
func (s *session) plain() *fingerprint.Predictor {
	predict := fingerprint.NewPredictor()
	predict.Initial = s.initial
	return predict
}

// same reports whether two predictions are the same.
func same(a, b view.View) bool {
	return a.End == b.End && (a.End != view.Ended || view.Compare(&a, &b, nil) == view.Same)
}

// fingerprinted returns the answers to the jobs of the fingerprint.
func (s *session) fingerprinted() (cases []proof.Case) {
	predict := s.plain()
	for i := range s.answers {
		a := &s.answers[i]
		job := *a.Job
		if job.Initial = nil; s.compared(predict, &job, a.Log) {
			cases = append(cases, proof.Case{Job: &job, Got: s.evident(&job, a.Got)})
		}
	}
	return cases
}

// compared reports whether an answer to a job is compared with the model: no message excuses it, or the model skips an
// instruction of the job, too.
func (s *session) compared(predict *fingerprint.Predictor, job *pica.Job, log []string) bool {
	if !s.messages.Excuse(log) {
		return true
	}
	var want view.View
	predict.View(job, &s.model, &want)
	return want.Skips
}

// evident returns an answer that a proof may use: none if the program exceeds a limit of the core, or if the core has
// an end because it lacks an opcode of the program. The entries about these limits and opcodes say so.
func (s *session) evident(job *pica.Job, got *view.View) *view.View {
	if len(s.limited) > 0 && s.limited.hit(job, s.newWatcher().uses(under(job, s.model))) ||
		got.End == view.Crashed && s.diesOf(job) || got.End.Refuses() && s.lacks().Excuses(job, got.End) {
		return &view.View{End: view.Missing}
	}
	return got
}

// forgive forgets the causes so far that the proved ones explain, or a limit of the core.
func (s *session) forgive(ctx context.Context) {
	if len(s.faults) == 0 && len(s.limited) == 0 {
		return
	}
	hangs, kills := map[string]bool{}, map[string]bool{}
	for _, c := range s.causes {
		hangs[c.Key], kills[c.Key] = c.hangs, c.kills
	}
	buckets := s.buckets
	s.buckets, s.causes, s.hangs = nil, nil, nil
	predict := fingerprint.PredictorOf(s.engine())
	predict.Initial = s.initial
	w := s.newWatcher()
	for _, b := range buckets {
		if b.trigger.beyond == (limit{}) && s.limited.hit(b.job, w.uses(under(b.job, s.model))) {
			continue
		}
		var want view.View
		predict.View(b.job, &s.model, &want)
		outcome := ""
		if b.outcome == Differ || b.outcome == Crash {
			outcome = s.newJudge(ctx).ask(b.job, false)
		}
		open := b.outcome == Differ && outcome == NotComparable && want.End != view.Ended
		if b.outcome == Hang && want.End == view.Hung || outcome == Equal || open {
			continue
		}
		s.record(b)
	}
	for i, t := range triggersOf(s.causes) {
		s.causes[i].kills = kills[s.causes[i].Key]
		if s.causes[i].hangs = hangs[s.causes[i].Key]; s.causes[i].hangs {
			s.hangs = append(s.hangs, t)
		}
	}
}

func hypotheses(causes []proof.Cause) (list []*hypothesis.Hypothesis) {
	for _, c := range causes {
		list = append(list, c.Hypothesis)
	}
	return list
}

// search returns a search for causes under a model.
func (s *session) search(model pica.Profile) *proof.Search {
	var suites []func(n uint64) *pica.Job
	for _, suite := range s.suites {
		if job, all := source(suite.Name, s.Seed); all == 0 {
			suites = append(suites, job)
		}
	}
	const far = 1 << 32 // jobs that no suite has
	search := &proof.Search{Profile: model, Initial: s.initial, Hung: &s.hung,
		Ask: func(ctx context.Context, job *pica.Job) *view.View {
			return s.evident(job, view.OfAnswer(s.core.Ask(ctx, job)))
		},
		Reduce: func(ctx context.Context, job *pica.Job, tries int, fails func(*pica.Job) bool) *pica.Job {
			if s.remains.byCode || s.remains.apart(job) {
				tries /= coldTries
			}
			return smaller(ctx, job, tries, fails)
		}}
	if n := uint64(len(suites)); n > 0 {
		search.Job = func(k uint64) *pica.Job { return suites[k%n](far + k/n) }
	}
	return search
}

// smaller reduces a job while fails holds, in at most so many tries; nil if it does not hold.
func smaller(ctx context.Context, job *pica.Job, tries int, fails func(job *pica.Job) bool) *pica.Job {
	key := func(j *pica.Job) string {
		if j.Initial != nil || adapter.AsksB15(j) || !fails(j) {
			return ""
		}
		return Differ
	}
	r, err := reduce.Job(ctx, job, reduce.Jobs{NewKey: func() reduce.Key { return key }},
		reduce.Options{Workers: 1, MaxTries: tries})
	if err != nil {
		return nil
	}
	return r.Job
}

// Of jobs that need a process of their own, a proof asks for those among the first fewCold of each suite of the core
// set. It does so however long the start of a process takes: the time of a start depends on what else the machine does,
// and the report must not.
const (
	fewCold   = 64
	coldTries = 8 // so many times fewer tries make a job smaller
)

// coreSet asks for the core set and returns the answers to the jobs of the core set that bring no known hang about.
func (s *session) coreSet(ctx context.Context) []proof.Case {
	if s.Against != nil || s.isolated {
		return nil
	}
	s.Progress("asking for the core set")
	jobs, risky := s.coreJobs(ctx)
	predictors := make(chan *fingerprint.Predictor, s.Jobs)
	for range s.Jobs {
		predictors <- fingerprint.PredictorOf(s.engine())
	}
	cases := make([]proof.Case, len(jobs))
	_ = pool.Each(ctx, s.Jobs, len(jobs), func(ctx context.Context, i int) error {
		predict, want := <-predictors, view.View{}
		predict.Initial = s.initial
		predict.View(jobs[i], &s.model, &want)
		predictors <- predict
		cases[i] = proof.Case{Job: jobs[i], Got: &view.View{End: view.Missing}}
		if want.End != view.Ended {
			return nil // it may hang or be refused
		}
		if a := s.core.Ask(ctx, jobs[i]); want.Skips || !s.messages.Excuse(a.Log) {
			cases[i].Got = s.evident(jobs[i], view.OfAnswer(a)).Clone()
		}
		return nil
	})
	// Some of the others may show why they hang.
	const fewRisky, fewHangs = 64, 4
	for hung := 0; len(risky) > 0 && len(cases) < len(jobs)+fewRisky && hung < fewHangs && ctx.Err() == nil; {
		got := view.OfAnswer(s.core.Ask(ctx, risky[0]))
		if got.End == view.Hung {
			hung++
		}
		cases, risky = append(cases, proof.Case{Job: risky[0], Got: got.Clone()}), risky[1:]
	}
	return slices.DeleteFunc(cases, func(c proof.Case) bool { return c.Job == nil })
}

// coreJobs returns the jobs that coreSet asks for, and those that may hang: none if the context ends.
func (s *session) coreJobs(ctx context.Context) (jobs, risky []*pica.Job) {
	w, dying, asked := s.newWatcher(), s.dying(), s.remains.newCodes()
	for _, suite := range s.suites {
		job, _ := source(suite.Name, s.Seed)
		for n := range s.cases(suite.Name, round{core: true}) {
			if ctx.Err() != nil {
				return nil, nil
			}
			j := under(job(n), s.model)
			repeated := s.remains.byCode && asked.otherwise(j)
			if n >= fewCold && (repeated || s.remains.apart(j)) {
				continue
			}
			if leftOut(n) {
				clean := true
				if j, clean = dying.avoid(j, w); !clean {
					continue
				}
			}
			if may, _ := s.foreteller.Foretell(j); may || len(s.hangs) > 0 && s.hangs.hit(j, w.uses(j)) {
				risky = append(risky, reduce.Clone(j))
			} else {
				jobs = append(jobs, reduce.Clone(j))
			}
		}
	}
	for _, j := range proof.Specials() {
		if !s.remains.apart(j) {
			jobs = append(jobs, under(j, s.model))
		}
	}
	slices.SortStableFunc(risky, func(a, b *pica.Job) int { return len(a.Code) - len(b.Code) })
	return jobs, risky
}

// engine returns the oracle with the proved changes of the model.
func (s *session) engine() pica.Engine {
	if len(s.faults) == 0 {
		return impl.New()
	}
	return hypothesis.Engine(s.faults...)
}

// leaking reports whether state of a name passes from one request to the next.
func (s *session) leaking(name string) bool {
	return name != "" && slices.ContainsFunc(s.leaks, func(l *leak) bool { return !l.cached() && l.probe.name == name })
}

// ofLeak reports whether state that passes from request to request explains a proved cause.
func (s *session) ofLeak(ctx context.Context, c *proof.Cause) bool {
	return s.leaking(c.Passes) || s.handsOn(ctx, c.Job)
}

// provedDeviation shows a proved cause: what the core's model predicts without it, and what the core answers. ok is
// false if they are the same: then the cause only takes back what the causes before say of its program.
func (s *session) provedDeviation(ctx context.Context, n int, hw *pica.Profile) (d report.Deviation, ok bool) {
	c := &s.proved[n]
	f := &finding{subject: c.String(), job: c.Job, opcode: c.Opcode(), report: reduce.Report{End: reduce.Minimal}}
	b := &bucket{Member: report.Member{Key: fmt.Sprintf("proof %d", n+1), Suite: "core set", Count: c.Fits}, finding: f,
		known: s.faults[:n]}
	j := s.newJudge(ctx)
	j.predict = fingerprint.PredictorOf(hypothesis.Engine(b.known...))
	if f.outcome = j.ask(c.Job, false); f.outcome == Equal && n > 0 {
		b.known, j.predict = s.faults[:0], fingerprint.NewPredictor()
		f.outcome = j.ask(c.Job, false)
	}
	if f.outcome == Equal && c.Seed != nil { // an earlier request had a part in the answer to the small job
		if outcome := j.ask(c.Seed, false); fails(outcome) {
			f.job, f.outcome = c.Seed, outcome
		}
	}
	if f.outcome == Equal && !c.Dies {
		return d, false
	}
	if end := fatalEnds[c.Got.End]; c.Dies && end != "" { // even if the console does not end this program, either
		f.outcome = end
	} else if !fails(f.outcome) {
		f.outcome = Differ
	}
	f.show(j)
	d = s.deviation(ctx, b, hw)
	d.Proof = &report.Proof{Hypothesis: c.Name, Rule: c.Rule, Fits: c.Fits, Contradictions: c.Contradictions,
		Asked: c.Asked}
	for _, condition := range c.Scope {
		d.Proof.Scope = append(d.Proof.Scope, condition.Text)
	}
	for _, r := range c.Rivals { // a narrower scope says less of the same change
		if text := r.String(); !r.Narrows(c.Hypothesis) && !slices.Contains(d.Proof.Rivals, text) {
			d.Proof.Rivals = append(d.Proof.Rivals, text)
		}
	}
	return d, true
}
