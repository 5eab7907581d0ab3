package conform

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/proof"
	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/pica"
)

// surveyed are the numbers of jobs of each suite after which a stage of the search for hangs
// ends.
var surveyed = []uint64{8, 32, 96}

// A proved hang costs no further time limit. atOnce is the number of jobs between two looks at the answers, and
// firstHangs the number of known hangs after which a proof is tried; it is tried again when there are twice as many.
const (
	atOnce     = 8
	firstHangs = 4
)

// stuck proves the causes of hangs, then reduces those that are left: of jobs of the fingerprint and of the first jobs
// of each suite, which avoid the hangs known by then. Each hang costs a time limit; therefore no suite later runs a
// program that brings such a cause about. Hangs that the model foresees are left to explainFatal.
func (s *session) stuck(ctx context.Context) {
	answered := s.fingerprinted()
	from, tried, reduced := uint64(0), s.knownHangs(answered), 0
	for _, to := range surveyed {
		lists := map[string][]attempt{}
		for _, suite := range s.suites {
			makeJob, _ := source(suite.Name, s.Seed)
			n := s.cases(suite.Name, round{core: true})
			for first := min(from, n); first < min(to, n) && ctx.Err() == nil; first += atOnce {
				s.Progress("looking for jobs that hang")
				lists[suite.Name] = append(lists[suite.Name],
					s.attempts(ctx, makeJob, first, min(first+atOnce, to, n), &answered)...)
				if now := s.knownHangs(answered); now >= max(firstHangs, 2*tried) {
					tried = s.proveHangs(ctx, &answered)
				}
			}
		}
		if s.knownHangs(answered) > tried {
			tried = s.proveHangs(ctx, &answered)
		}
		for i, a := range s.answers[reduced:] {
			lists["fingerprint"] = append(lists["fingerprint"],
				attempt{uint64(reduced + i), under(a.Job, s.model), a.Got.End})
		}
		foreseen := s.foresight()
		for _, name := range slices.Concat([]string{"fingerprint"}, s.Suites) {
			s.reduceHung(ctx, name,
				slices.DeleteFunc(lists[name], func(a attempt) bool { return a.end == view.Hung && foreseen(a.job) }))
		}
		from, reduced = to, len(s.answers)
	}
}

// isolateHangs asks for small jobs that may hang as others did, and takes the answers as further ones to the
// fingerprint. It returns them as cases.
func (s *session) isolateHangs(ctx context.Context) (cases []proof.Case) {
	if s.Against != nil || s.isolated { // nothing is proved
		return nil
	}
	s.foreteller.Isolate(ctx, func(job *pica.Job) *view.View {
		a := s.askEach(ctx, []*pica.Job{job}, shared)
		s.answers = append(s.answers, a...)
		cases = append(cases, proof.Case{Job: job, Got: a[0].Got})
		return a[0].Got
	})
	return cases
}

// proveHangs isolates the hangs among answers, adds what the core answers then, and proves them. It returns the number
// of known hangs.
func (s *session) proveHangs(ctx context.Context, answered *[]proof.Case) int {
	*answered = append(*answered, s.isolateHangs(ctx)...)
	s.prove(ctx, *answered, true)
	return s.knownHangs(*answered)
}

// knownHangs counts the hangs among answers, and the jobs that were not asked for because they will hang.
func (s *session) knownHangs(cases []proof.Case) int {
	n := s.foretold
	for i := range cases {
		if cases[i].Got.End == view.Hung {
			n++
		}
	}
	return n
}

// foresight returns a function that reports whether the model, with the proved faults, predicts that a job hangs.
func (s *session) foresight() func(job *pica.Job) bool {
	predict := fingerprint.PredictorOf(s.engine())
	var want view.View
	return func(job *pica.Job) bool {
		predict.View(job, &s.model, &want)
		return want.End == view.Hung
	}
}

// attempts asks for some of the first jobs of a suite, without known and foreseen hangs and the opcodes of which the
// core dies, and adds their answers to others.
func (s *session) attempts(ctx context.Context, makeJob func(n uint64) *pica.Job, from, to uint64,
	answered *[]proof.Case) (list []attempt) {
	foreseen, w := s.foresight(), s.newWatcher()
	known := slices.Concat(s.hangs, s.dying())
	var jobs []*pica.Job
	for k := from; k < to; k++ {
		if job, clean := known.avoid(under(makeJob(k), s.model), w); clean && !foreseen(job) {
			jobs = append(jobs, reduce.Clone(job))
			list = append(list, attempt{number: k, job: jobs[len(jobs)-1]})
		}
	}
	for i, a := range s.askAll(ctx, jobs) {
		list[i].end = a.Got.End
		*answered = append(*answered, proof.Case{Job: jobs[i], Got: s.evident(jobs[i], a.Got)})
	}
	return list
}

// attempt is a job with the end of its answer.
type attempt struct {
	number uint64
	job    *pica.Job
	end    view.End
}

// maxInstead limits the number of wrong values that are reduced because something hangs.
const maxInstead = 20

// reduceHung reduces jobs that hang and bring no known trigger about. If a job hangs, jobs with
// wrong values are reduced first, because a wrong value, such as a wrong condition, explains
// more than the hang that it causes. The shortest jobs come first.
func (s *session) reduceHung(ctx context.Context, suite string, list []attempt) {
	if !slices.ContainsFunc(list, func(a attempt) bool { return a.end == view.Hung }) {
		return
	}
	slices.SortStableFunc(list, func(a, b attempt) int { return len(a.job.Code) - len(b.job.Code) })
	w, j := s.newWatcher(), s.newJudge(ctx)
	known := func(a attempt) *cause { return s.attributed(a.job, w, triggersOf(s.causes)) }
	explain := func(a attempt, outcome string) *cause {
		s.Progress("reducing a job that hangs")
		f, ok := s.reduced(ctx, a.job, suite, nil)
		if ctx.Err() != nil && outcome == Hang {
			f, ok = notReduced(a.job, outcome), true
		}
		if !ok || f.outcome != outcome && f.outcome != Flaky {
			return nil
		}
		key := bucketKey{suite: suite, class: outcome, parts: []string{"job", fmt.Sprint(a.number)}}
		s.record(&bucket{Member: report.Member{Key: key.String(), Suite: suite, Number: a.number, Count: 1},
			finding: f.failedAs(outcome, "")})
		if f.outcome == Flaky {
			return nil
		}
		return s.causes[slices.IndexFunc(s.causes, func(c *cause) bool { return c.Key == f.subject })]
	}
	values := 0
	for _, a := range list {
		a.job.Initial = nil
		if a.end == view.Ended && values < maxInstead && ctx.Err() == nil && j.ask(a.job, false) == Differ &&
			known(a) == nil && explain(a, Differ) != nil {
			values++
		}
	}
	for _, a := range list {
		if a.end != view.Hung || ctx.Err() != nil {
			continue
		}
		c := known(a)
		if c == nil {
			c = explain(a, Hang)
		}
		if c != nil {
			c.hangs = true
		}
	}
	s.hangs = nil
	for i, t := range triggersOf(s.causes) {
		if s.causes[i].hangs {
			s.hangs = append(s.hangs, t)
		}
	}
}

// visit is the first execution of a word.
type visit struct {
	reduce.Witness
	word uint32
}

// visitor lists the words that a run executes, in the order of their first execution.
type visitor struct {
	visits []visit
	vertex int
	before pica.State
	format pica.NumberFormat
	seen   map[int]bool
}

func (v *visitor) Start(job *pica.Job, vertex int, state *pica.State) {
	if vertex == 0 {
		v.visits, v.seen, v.format = nil, map[int]bool{}, job.Profile.Storage
	}
	v.vertex, v.before = vertex, *state
}

func (v *visitor) Step(s *pica.Step) {
	if !v.seen[s.PC] && s.Trap.Cause == pica.TrapNone {
		v.seen[s.PC] = true
		v.visits = append(v.visits,
			visit{reduce.Witness{Vertex: v.vertex, PC: s.PC, Before: v.before, Sources: s.Sources, Storage: v.format},
				s.Word})
	}
	v.before = *s.State
}

// visitsOf returns the first execution of each word of a job, without words behind the program.
func (s *session) visitsOf(job *pica.Job) []visit {
	var v visitor
	if !s.watched(job, &v) {
		return nil
	}
	return slices.DeleteFunc(v.visits, func(w visit) bool { return w.PC >= len(job.Code) })
}

// shortened returns a program that hangs without the code behind the hanging instruction and, if
// it still hangs, without the computations before it. It also returns that instruction. A
// reduction starts from there, because it has few tries that hang.
func (s *session) shortened(ctx context.Context, job *pica.Job) (*pica.Job, func(*pica.Job) (reduce.Witness, bool)) {
	j := s.newJudge(ctx)
	visits := s.visitsOf(job)
	if len(visits) < 2 {
		return job, nil
	}
	ended := func(k int) *pica.Job {
		c := reduce.Clone(job)
		c.Code[visits[k].PC] = uint32(pica.END) << 26
		return c
	}
	n := 1 + sort.Search(len(visits)-1, func(k int) bool { return j.ask(ended(k+1), false) == Hang })
	culprit := visits[n-1]
	if n < len(visits) {
		job = ended(n)
	}
	c := reduce.Clone(job)
	end := 0
	for _, v := range visits[:min(n+1, len(visits))] {
		end = max(end, v.PC+1)
	}
	c.Code = c.Code[:end]
	for at, word := range c.Code {
		if pica.Opcodes[pica.OpcodeOf(word)].Sources > 0 && at != culprit.PC {
			c.Code[at] = nop
		}
	}
	if j.ask(c, false) == Hang {
		job = c
	}
	return job, func(job *pica.Job) (reduce.Witness, bool) {
		for _, v := range s.visitsOf(job) {
			if v.word == culprit.word && v.Sources == culprit.Sources {
				return v.Witness, true
			}
		}
		return reduce.Witness{}, false
	}
}
