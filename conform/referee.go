package conform

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/hypothesis"
	"github.com/picaproof/picaproof/conform/proof"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// A Referee says of jobs with different answers of two cores which rule decides between them. It keeps the faults that
// it has found, and may be used from several goroutines.
type Referee struct {
	cores [2]adapter.Core

	mu      sync.Mutex
	further [2][]proof.Case // answers to jobs that show what both cores have in common
	models  []pica.Profile  // those that the cores seem to follow
	known   [2][]proof.Cause
	model   [2]pica.Profile // of the known causes
	hung    int
	failed  int // searches that explained nothing
}

// Limits of a referee.
const (
	maxRefereeWork  = 200_000 // predictions of a search for faults
	maxFailed       = 6       // searches that explain nothing
	furtherOfSuites = 128     // jobs of each suite that both cores answer
)

// NewReferee returns a referee between two cores.
func NewReferee(cores [2]adapter.Core) *Referee { return &Referee{cores: cores} }

// Decides says which rule of a job's profile decides between the cores, or that none does. The answer that the profile
// predicts may be that of one core by chance: so a rule decides only if it is what the cores differ in. It is if some
// model predicts the answers of one core, and the model with another rule those of the other, to the job and to the
// same program with other numbers, and if no further job, to which both give the answer of the model, contradicts that.
func (f *Referee) Decides(ctx context.Context, job *pica.Job) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var want view.View
	job = view.Portable(job)
	fingerprint.NewPredictor().View(job, &job.Profile, &want)
	name := cmp.Or(job.Profile.Name, profile.String(job.Profile))
	none := "no known rule of " + name + " decides: "
	if want.End == view.Trapped {
		return none + "it is undefined there: " + want.Cause.String()
	}
	if f.further[0] == nil {
		f.begin(ctx, job.Profile)
	}
	shown := f.answers(ctx, append([]*pica.Job{job}, otherNumbers(job)...))
	list := f.contested(ctx, shown, f.answers(ctx, variants(job)))
	if ctx.Err() != nil {
		return none + "the run was interrupted"
	}
	var all, winners []string
	for _, c := range list {
		names := [2]string{f.cores[c.follows].Name(), f.cores[1-c.follows].Name()}
		all = append(all, fmt.Sprintf("%s: %s; %s: %s", c.rule, names[0], c.change, names[1]))
		if winner := c.winner(&job.Profile, names); !slices.Contains(winners, winner) {
			winners = append(winners, winner)
		}
	}
	switch {
	case len(all) == 0:
		return none + "no single rule tells one core from the other"
	case len(winners) > 1:
		return none + "the cores differ in one of several: " + strings.Join(all, ", or ")
	case winners[0] == "":
		return none + "nobody has measured it: " + all[0]
	}
	return fmt.Sprintf("%s agrees with %s: %s", name, winners[0], all[0])
}

// begin asks both cores for the further jobs, and infers the models that they seem to follow.
func (f *Referee) begin(ctx context.Context, p pica.Profile) {
	jobs, _ := fingerprint.Jobs() // without an error: a test reads them
	n := len(jobs)
	named := []pica.Profile{p, profile.HW()}
	for _, name := range profile.Names() {
		if p, ok := profile.ByName(name); ok {
			named = append(named, p)
		}
	}
	f.further = f.answers(ctx, append(slices.Clone(jobs), furtherJobs(p)...))
	whole := func(p pica.Profile) bool {
		return slices.ContainsFunc(f.further[:], func(c []proof.Case) bool { return len(agreeing(&p, c)) == len(c) })
	}
	for _, cases := range f.further {
		if slices.ContainsFunc(named, whole) {
			break // what the other core answers shows against this model
		}
		var answers []fingerprint.Answer
		for _, c := range cases[:n] {
			answers = append(answers, fingerprint.Answer{Job: c.Job, Got: c.Got})
		}
		model, _ := fingerprint.Infer(ctx, answers)
		f.models = append(f.models, fingerprint.Defaults(model, answers))
	}
	f.models = append(named, f.models...)
}

// answers asks both cores. A core that hangs often is not asked any more.
func (f *Referee) answers(ctx context.Context, jobs []*pica.Job) (shown [2][]proof.Case) {
	const often = 4
	for k, core := range f.cores {
		hung := 0
		for _, j := range jobs {
			got := &view.View{End: view.Missing}
			if ctx.Err() == nil && hung < often {
				got = view.OfAnswer(core.Ask(ctx, j))
			}
			if got.End == view.Hung {
				hung++
			}
			shown[k] = append(shown[k], proof.Case{Job: j, Got: got})
		}
	}
	return shown
}

// furtherJobs are small jobs of every kind that a profile predicts to end. Of several special numbers in a job one
// would hide what the answers to the others have in common.
func furtherJobs(p pica.Profile) (list []*pica.Job) {
	predict := fingerprint.NewPredictor()
	add := func(j *pica.Job) {
		var want view.View
		if predict.View(j, &p, &want); want.End == view.Ended {
			list = append(list, under(j, p))
		}
	}
	for _, j := range proof.Specials() {
		for _, v := range j.Vertices {
			one := *j
			one.Vertices = [][]pica.Vec4{v}
			add(&one)
		}
	}
	for _, suite := range []string{"alu", "flow", "mixed"} {
		job, _ := source(suite, 1)
		for n := range uint64(furtherOfSuites) {
			add(reduce.Clone(job(n)))
		}
	}
	return list
}

// A contest is what two cores may differ in: a model predicts the answer of one of them, and the model with another
// value of a question, or with a fault, that of the other.
type contest struct {
	follows   int                    // the core that the model predicts
	dimension *fingerprint.Dimension // nil for a fault
	values    [2]int                 // of the model, and of the other core
	rule      string                 // "dp=left", or the sentence that a fault breaks
	change    string                 // "dp=pairwise", or the name of the fault
}

// winner returns the name of the core that has the answer of a profile to the question, "neither", or "" if the answer
// is the console's and nobody has measured it. The core without a fault is right.
func (c *contest) winner(p *pica.Profile, names [2]string) string {
	if c.dimension == nil {
		return names[0]
	}
	hw, value := profile.HW(), c.dimension.Get(p)
	class := c.dimension.Values[value].Class
	if value == c.dimension.Get(&hw) && class != impl.Console && class != impl.Documented {
		return ""
	}
	if k := slices.Index(c.values[:], value); k >= 0 {
		return names[k]
	}
	return "neither"
}

// otherNumbers returns a job with other inputs, float uniforms and integers, as far as it runs to its end with them.
func otherNumbers(job *pica.Job) (list []*pica.Job) {
	const several, seed = 16, 1
	r, predict := rand.New(rand.NewPCG(seed, 0)), fingerprint.NewPredictor()
	for range several {
		j := reduce.Clone(job)
		for i := range j.Vertices {
			for n := range j.Vertices[i] {
				for lane := range j.Vertices[i][n] {
					j.Vertices[i][n][lane] = math.Float32bits(float32(r.NormFloat64()))
				}
			}
		}
		for i := range j.Floats {
			u := &j.Floats[i]
			for n := range u.Values {
				for lane := range u.Values[n] {
					u.Values[n][lane] = u.Format.Narrow(math.Float32bits(float32(r.NormFloat64())))
				}
			}
		}
		for n := range j.Ints {
			j.Ints[n] = [4]uint8{uint8(r.IntN(8)), uint8(r.IntN(16)), uint8(r.IntN(4))}
		}
		var want view.View
		if predict.View(j, &j.Profile, &want); want.End == view.Ended {
			list = append(list, j)
		}
	}
	return list
}

// variants returns small changes of a job, as far as its profile predicts an end.
func variants(job *pica.Job) (list []*pica.Job) {
	const several, seed = 128, 1
	r, predict := rand.New(rand.NewPCG(seed, 0)), fingerprint.NewPredictor()
	for range several {
		j := proof.Vary(r, job)
		var want view.View
		if predict.View(j, &j.Profile, &want); want.End == view.Ended {
			list = append(list, j)
		}
	}
	return list
}

// contested returns what the answers of two cores may differ in. The job's own profile, the console's and those of the
// cores come before other models. Of each question the first contest counts; a fault counts only if no question does.
func (f *Referee) contested(ctx context.Context, shown, near [2][]proof.Case) (list []*contest) {
	models := append([]pica.Profile{shown[0][0].Job.Profile, profile.HW()}, f.models...)
	best, most, follower := pica.Profile{}, -1, 0
	for _, p := range models {
		for follows := range shown {
			if !predicts(&p, shown[follows]) || predicts(&p, shown[1-follows]) {
				continue
			}
			for _, c := range f.otherRules(p, shown[1-follows], follows) {
				q, _ := c.dimension.With(p, c.values[1])
				listed := func(o *contest) bool { return o.dimension == c.dimension }
				if !contradicted(&p, &q, near, follows) && !slices.ContainsFunc(list, listed) {
					list = append(list, c)
				}
			}
			if n := len(agreeing(&p, f.further[follows])); n > most {
				best, most, follower = p, n, follows
			}
		}
	}
	if len(list) > 0 || most < 0 {
		return list
	}
	return f.faults(ctx, best, follower, shown, near)
}

// agreeing returns the numbers of the cases that a model predicts.
func agreeing(p *pica.Profile, cases []proof.Case) (list []int) {
	predict := fingerprint.NewPredictor()
	var want view.View
	for i, c := range cases {
		if predict.View(c.Job, p, &want); view.Compare(&want, c.Got, nil) <= view.Near {
			list = append(list, i)
		}
	}
	return list
}

// predicts reports whether a profile predicts answers, the first of them exactly.
func predicts(p *pica.Profile, cases []proof.Case) bool { return explains(*p, nil, cases) }

// otherRules returns the questions with another answer to which a model predicts the answers of the core that does not
// follow it.
func (f *Referee) otherRules(p pica.Profile, cases []proof.Case, follows int) (list []*contest) {
	for i := range fingerprint.Dimensions {
		d := &fingerprint.Dimensions[i]
		own := d.Get(&p)
		for v := 0; v < len(d.Values) && d.IsKnob() && d.Concerns(cases[0].Job); v++ {
			if q, ok := d.With(p, v); ok && v != own && predicts(&q, cases) && !contradicted(&p, &q, f.further, follows) {
				list = append(list, &contest{follows: follows, dimension: d, values: [2]int{own, v}, rule: d.Spelled(own),
					change: d.Spelled(v)})
				break
			}
		}
	}
	return list
}

// contradicted reports whether a core gives the other's answer to a job that shows the difference between a
// model and the model with another rule.
func contradicted(p, q *pica.Profile, shown [2][]proof.Case, follows int) bool {
	predict := fingerprint.NewPredictor()
	var one, other view.View
	for i, c := range shown[follows] {
		predict.View(c.Job, p, &one)
		predict.View(c.Job, q, &other)
		if fingerprint.Distinct(&one, &other) && (view.Compare(&other, c.Got, nil) <= view.Near ||
			view.Compare(&one, shown[1-follows][i].Got, nil) <= view.Near) {
			return true
		}
	}
	return false
}

// faults returns the faults, of those that further jobs prove, with which a model predicts the answers of the core that
// does not follow it: those without which it would not predict the first answer.
func (f *Referee) faults(ctx context.Context, p pica.Profile, follows int, shown, near [2][]proof.Case) []*contest {
	if f.model[follows] != p {
		f.model[follows], f.known[follows] = p, nil
	}
	other := shown[1-follows]
	if !explains(p, f.known[follows], other) {
		if f.failed == maxFailed {
			return nil
		}
		cases := slices.Clone(other)
		for _, i := range agreeing(&p, f.further[follows]) {
			cases = append(cases, f.further[1-follows][i])
		}
		var ok bool
		if f.known[follows], _, ok = f.search(p, follows).Explain(ctx, cases); !ok {
			return nil
		}
		if !explains(p, f.known[follows], other) {
			f.failed++
			return nil
		}
	}
	if !holds(p, f.known[follows], follows, shown, near) {
		return nil
	}
	list := f.known[follows]
	for i := 0; i < len(list); { // those that the first answer needs
		if without := slices.Delete(slices.Clone(list), i, i+1); explains(p, without, other) {
			list = without
		} else {
			i++
		}
	}
	if slices.ContainsFunc(list, func(c proof.Cause) bool { return c.Profile != nil }) {
		return nil // a value of a knob that does not explain it alone
	}
	var rules, changes []string
	for _, c := range list {
		rule, change := c.Rule, c.String()
		for _, r := range c.Rivals { // those that break the same rule, or have more detail, say no more
			if r.Rule != c.Rule && r.Detail <= c.Detail {
				rule, change = rule+", or "+r.Rule, change+", or "+r.String()
				break
			}
		}
		if changes = append(changes, change); !slices.Contains(rules, rule) {
			rules = append(rules, rule)
		}
	}
	return []*contest{{follows: follows, rule: strings.Join(rules, " and "), change: strings.Join(changes, " and ")}}
}

// holds reports whether a model with causes predicts what one core answers to jobs near the first of those shown, where
// the model predicts the answer of the other: each answer that both give, and each that differs like the first.
func holds(p pica.Profile, causes []proof.Cause, follows int, shown, near [2][]proof.Case) bool {
	var own, want view.View
	class := func(want, got *view.View) compare.DifferenceClass {
		var d view.Difference
		view.Compare(want, got, &d)
		return d.Class
	}
	plain, predict := fingerprint.NewPredictor(), fingerprint.PredictorOf(hypothesis.Engine(hypotheses(causes)...))
	plain.View(shown[0][0].Job, &p, &own)
	like := class(&own, shown[1-follows][0].Got)
	for _, i := range agreeing(&p, near[follows]) {
		c := &near[1-follows][i]
		plain.View(c.Job, &p, &own)
		predict.View(c.Job, &p, &want)
		// The core may take more steps than a prediction.
		if view.Compare(&want, c.Got, nil) != view.Differs || want.End == view.Hung && c.Got.End == view.Ended {
			continue
		}
		if view.Compare(&own, c.Got, nil) != view.Differs || class(&own, c.Got) == like {
			return false
		}
	}
	return true
}

// search returns a search for the faults of the core that does not follow a model. Jobs to which the other core does
// not give the answer of the model say nothing about what the two differ in.
func (f *Referee) search(p pica.Profile, follows int) *proof.Search {
	job, _ := source("mixed", 2)
	predict := fingerprint.NewPredictor()
	return &proof.Search{Profile: p, Known: f.known[follows], Work: maxRefereeWork, Hung: &f.hung, Job: job,
		Reduce: smaller,
		Ask: func(ctx context.Context, job *pica.Job) *view.View {
			var want view.View
			predict.View(job, &p, &want)
			a := view.OfAnswer(f.cores[follows].Ask(ctx, job))
			if view.Compare(&want, a, nil) == view.Differs || ctx.Err() != nil {
				return &view.View{End: view.Missing}
			}
			return view.OfAnswer(f.cores[1-follows].Ask(ctx, job))
		}}
}

// explains reports whether a model with causes predicts answers, the first of them exactly.
func explains(p pica.Profile, causes []proof.Cause, cases []proof.Case) bool {
	predict := fingerprint.NewPredictor()
	if len(causes) > 0 {
		predict = fingerprint.PredictorOf(hypothesis.Engine(hypotheses(causes)...))
	}
	for i, c := range cases {
		var want view.View
		predict.View(c.Job, &p, &want)
		if r := view.Compare(&want, c.Got, nil); r == view.Differs || i == 0 && r != view.Same {
			return false
		}
	}
	return true
}
