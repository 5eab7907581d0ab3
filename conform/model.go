package conform

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/proof"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/internal/pool"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// responds returns an error if the core runs none of a few jobs that have little in common, each in its own
// process: a program that does nothing, programs that move, and others. After a hang fewer jobs are enough,
// because each costs a time limit.
func (s *session) responds(ctx context.Context) error {
	const few, fewHangs = 8, 2
	jobs, err := fingerprint.Jobs()
	if err != nil {
		return err
	}
	list := []*pica.Job{empty(), uploads()[0], uploads()[1], shownBehind("")}
	for k := len(list); k < few; k++ {
		list = append(list, jobs[k*len(jobs)/few])
	}
	asked, hangs := 0, 0
	var a adapter.Answer
	for _, job := range list {
		if a = s.core.AskFresh(ctx, job); a.Fate == adapter.Answered || ctx.Err() != nil {
			s.heard = a.Fate == adapter.Answered
			return nil
		}
		asked++
		if a.Fate == adapter.Hung {
			if hangs++; hangs == fewHangs {
				break
			}
		}
	}
	how := "answers none of"
	if a.Fate < adapter.Crashed {
		how = "refuses each of"
	}
	return fmt.Errorf("the core %s %d requests: %w", how, asked, s.fate(a))
}

// fate returns an answer as an error, with what the core wrote.
func (s *session) fate(a adapter.Answer) error {
	var err error = &adapter.FateError{Core: s.core.Name(), Answer: a}
	if text := strings.TrimSpace(a.Stderr); text != "" {
		err = fmt.Errorf("%w; it wrote: %s", err, text)
	}
	return err
}

// enough is the least share of requests, one in so many, that a core must run to be judged.
const enough = 10

// runsEnough returns an error if the core runs hardly any of the fingerprint's jobs, with its most frequent
// message, or if no output shows what it runs.
func (s *session) runsEnough(ctx context.Context) error {
	var failed []*pica.Job
	for i := range s.answers {
		if end := s.answers[i].Got.End; end == view.Refused || end == view.Unpredictable || end == view.Crashed {
			failed = append(failed, s.answers[i].Job)
		}
	}
	if ran := len(s.answers) - len(failed); ran*enough >= len(s.answers) {
		wrote := func(a fingerprint.Answer) bool { return slices.ContainsFunc(a.Got.Vertices, writes) }
		if !slices.ContainsFunc(s.answers, wrote) {
			return fmt.Errorf("the core ran %d requests, and not one wrote an output: does the adapter copy o0 to o15 back?",
				ran)
		}
		return nil
	}
	const some = 16
	times := map[string]int{}
	var most adapter.Answer
	for k := range some {
		job := reduce.Clone(failed[k*len(failed)/some])
		job.Initial = nil
		if a := s.core.Ask(ctx, job); a.Fate > adapter.Trapped {
			if times[a.String()]++; times[a.String()] > times[most.String()] {
				most = a
			}
		}
	}
	return fmt.Errorf("the core fails %d of %d requests, most like this one: %w", len(failed), len(s.answers),
		s.fate(most))
}

// writes reports whether a run left anything in an output or emitted a primitive.
func writes(v view.Vertex) bool { return len(v.Primitives) > 0 || v.O != [pica.NumOutputs]pica.Vec4{} }

// fingerprint asks the core for the jobs of the fingerprint, twice and in both orders, and
// infers its model. An answer that is not repeated is ignored.
func (s *session) fingerprint(ctx context.Context) error {
	s.Progress("finding the core's model")
	jobs, err := fingerprint.Jobs()
	if err != nil {
		return err
	}
	jobs = slices.Concat(jobs, uploads())
	if err := s.protect(ctx); err != nil {
		return err
	}
	s.foreteller = proof.NewForeteller(profile.HW(), s.initial, smaller)
	s.askTwice(ctx, jobs)
	if err := s.runsEnough(ctx); err != nil && ctx.Err() == nil {
		return err
	}
	if len(s.leaks) == 0 && len(s.unstable) > 0 {
		smallest := slices.MinFunc(s.unstable, func(a, b *pica.Job) int { return len(a.Code) - len(b.Code) })
		if l := s.earlier(ctx, smallest, jobs); l != nil {
			s.leaks = append(s.leaks, l)
		}
	}
	if s.isolated {
		s.findDamage(ctx)
	}
	if len(s.unstable) > len(jobs)/4 { // the core keeps state: each job gets a process of its own
		for i := range jobs {
			s.answers[i].Got = view.OfAnswer(s.core.AskFresh(ctx, jobs[i]))
		}
		if s.unknown = s.changes(ctx, jobs); s.unknown {
			s.leaks, s.initial = nil, nil // answers at random may have looked like state
		}
	}
	if s.unknown || ctx.Err() != nil {
		return s.undecided(ctx)
	}
	s.findUnreported(ctx)
	found, _ := s.costs.Infer(ctx, s.answers, fingerprint.Faults{})
	s.stored = len(s.answers)
	if more := fingerprint.Confirming(&found, s.answers); len(more) > 0 {
		s.askTwice(ctx, more)
		found, _ = s.costs.Infer(ctx, s.answers, fingerprint.Faults{})
	}
	if ctx.Err() != nil { // a model that was found half is another one
		return s.undecided(ctx)
	}
	s.isolateHangs(ctx)
	s.witnessAll("fingerprint", s.answers)
	found = fingerprint.Defaults(found, s.answers)
	s.print = fingerprint.Decide(s.answers, found)
	return nil
}

// undecided notes that the model is not known. It returns an error if the run has ended before the core answered.
func (s *session) undecided(ctx context.Context) error {
	if ctx.Err() != nil {
		s.deaths = s.asks.fatal
		if !s.heard && len(s.deaths) == 0 {
			return s.tooEarly(ctx.Err(), "the core answered")
		}
	}
	s.unknown = true
	s.print = fingerprint.Decide(nil, profile.HW())
	return nil
}

// protect finds the state that the core begins with and that passes between requests, and protects later requests from
// it.
func (s *session) protect(ctx context.Context) error {
	s.initial = s.background(ctx)
	s.tellSlowStart()
	s.findLeaks(ctx)
	s.ended(ctx, "state between requests")
	if len(s.leaks) == 0 {
		return nil
	}
	return s.stop(ctx)
}

// otherAnswer reports whether two answers to a job differ.
func otherAnswer(a, b *view.View) bool {
	return a.End != b.End || a.End == view.Ended && view.Compare(a, b, nil) != view.Same
}

// changes reports whether most of some jobs have an answer that changes, although each request for them has a process
// of its own. If some have, every job is asked for again, and answers that change are dropped.
func (s *session) changes(ctx context.Context, jobs []*pica.Job) bool {
	const some = 64
	every := max(1, len(jobs)/some)
	asked, changed := 0, 0
	for i := 0; i < len(jobs); i += every {
		if asked++; s.changesFresh(ctx, jobs, i) {
			changed++
		}
	}
	if changed > asked/2 {
		return true
	}
	for i := range jobs {
		if changed > 0 && i%every != 0 {
			s.changesFresh(ctx, jobs, i)
		}
	}
	return false
}

// changesFresh asks again for job number i, in processes of their own, and reports whether its answer changes. It drops
// such an answer. Of two answers at random every second one is the answer before, so one request is not enough.
func (s *session) changesFresh(ctx context.Context, jobs []*pica.Job, i int) bool {
	const times = 3
	got := s.answers[i].Got
	for range times {
		if a := view.OfAnswer(s.core.AskFresh(ctx, jobs[i])); ctx.Err() == nil && otherAnswer(got, a) {
			got.End = view.Missing
			return true
		}
	}
	return false
}

// If answers change, jobs are asked again until this many rounds show no further change, or up
// to this many times: random answers may be equal by chance.
const (
	quietRounds = 4
	maxRounds   = 20
)

// askTwice adds the answers to jobs, which it asks for in both orders. Answers that change are
// ignored.
func (s *session) askTwice(ctx context.Context, jobs []*pica.Job) {
	first := len(s.answers)
	s.answers = append(s.answers, s.askAll(ctx, jobs)...)
	order := make([]int, len(jobs))
	for k := range jobs {
		order[k] = len(jobs) - 1 - k
	}
	s.again(ctx, jobs, order, first)
	for quiet, rounds := 0, 0; len(s.unstable) > 0 && quiet < quietRounds && rounds < maxRounds; rounds++ {
		quiet++
		if slices.Reverse(order); s.again(ctx, jobs, order, first) {
			quiet = 0
		}
	}
}

// again asks for jobs in an order; the first job has answer number first. It drops answers that
// change, and reports whether any did. Jobs that hung are not asked again, because one time
// limit for each is enough.
func (s *session) again(ctx context.Context, jobs []*pica.Job, order []int, first int) (changed bool) {
	order = slices.DeleteFunc(slices.Clone(order), func(k int) bool {
		end := s.answers[first+k].Got.End
		return end == view.Hung || end == view.Missing
	})
	var list []*pica.Job
	for _, k := range order {
		list = append(list, jobs[k])
	}
	died := func(i int) bool { return s.answers[first+order[i]].Got.End == view.Crashed }
	for i, second := range s.askEach(ctx, list, died) {
		if ctx.Err() != nil && second.Got.End == view.Missing {
			continue // it was not asked for
		}
		got := s.answers[first+order[i]].Got
		if otherAnswer(got, second.Got) {
			s.unstable = append(s.unstable, list[i])
			got.End, changed = view.Missing, true
		}
	}
	return changed
}

// background returns the values of registers before the first instruction, nil for zeros and for
// values that change.
func (s *session) background(ctx context.Context) *pica.State {
	var state *pica.State
	for range repeats {
		begun := time.Now()
		v := view.OfAnswer(s.core.AskFresh(ctx, empty()))
		if took := time.Since(begun); s.start == 0 || took < s.start {
			s.start = took
		}
		if v.End != view.Ended {
			return nil
		}
		if now := v.Vertices[0].State(); state != nil && *now != *state || *now == (pica.State{}) {
			return nil
		} else {
			state = now
		}
	}
	return state
}

// slowStart is the time of a start that the progress mentions. Nothing else depends on it.
const slowStart = time.Second / 4

// tellSlowStart adds to each later text of the progress that the core starts slowly, if it does.
func (s *session) tellSlowStart() {
	if s.start <= slowStart {
		return
	}
	tell, took := s.Progress, s.start.Round(slowStart/5)
	s.Progress = func(text string) { tell(fmt.Sprintf("%s; each start of the core takes %v", text, took)) }
	s.Progress("looking for state between requests")
}

// learnMessages finds out which messages of the core report a skipped instruction. A core
// without messages so far is not asked.
func (s *session) learnMessages(ctx context.Context) {
	if !slices.ContainsFunc(s.answers, func(a fingerprint.Answer) bool { return len(a.Log) > 0 }) {
		return
	}
	s.evidence = s.askAll(ctx, fingerprint.Evidence())
	s.witnessAll("messages", s.evidence)
	s.messages = fingerprint.Learn(slices.Concat(s.answers, s.evidence), &s.print.Profile)
	s.excuse()
}

// excuse forgets answers that do not fit the model if the core says that it skipped an instruction.
func (s *session) excuse() {
	s.print.Unexplained = slices.DeleteFunc(s.print.Unexplained,
		func(i int) bool { return s.messages.Excuse(s.answers[i].Log) })
}

// askAll asks the core for jobs and returns the answers in their order. When a job has hung, it does not ask for those
// that will hang, too, and asks alone for each that may: each costs a time limit, and a few are enough for a proof.
func (s *session) askAll(ctx context.Context, jobs []*pica.Job) []fingerprint.Answer {
	const mostAtOnce = 16
	answers := make([]fingerprint.Answer, len(jobs))
	for next := 0; next < len(jobs); {
		var numbers []int
		var part []*pica.Job
		for may, surely := false, false; next < len(jobs) && len(part) < mostAtOnce && !may; next++ {
			if may, surely = s.foreteller.Foretell(jobs[next]); surely {
				begun := *jobs[next]
				begun.Initial, may = s.initial, false
				s.foretold++
				answers[next] = fingerprint.Answer{Job: &begun, Got: &view.View{End: view.Missing}}
				continue
			}
			if may && len(part) > 0 {
				break
			}
			numbers, part = append(numbers, next), append(part, jobs[next])
		}
		var cases []proof.Case
		for i, a := range s.askEach(ctx, part, shared) {
			answers[numbers[i]], cases = a, append(cases, proof.Case{Job: part[i], Got: a.Got})
		}
		s.foreteller.Learn(cases)
	}
	return answers
}

// shared is a question to askEach: no job has a process of its own.
func shared(int) bool { return false }

// askEach asks the core for jobs, for some of them in processes of their own, and returns the answers in their order.
func (s *session) askEach(ctx context.Context, jobs []*pica.Job, fresh func(i int) bool) []fingerprint.Answer {
	answers := make([]fingerprint.Answer, len(jobs))
	// Every job gets an answer, without an outcome if the context has ended.
	_ = pool.Each(context.WithoutCancel(ctx), s.Jobs, len(jobs), func(_ context.Context, i int) error {
		a := answerOf(ctx, s.core, jobs[i], fresh(i))
		if a.Damaged != nil {
			s.note(a.Damaged)
		}
		begun := *jobs[i]
		begun.Initial = s.initial
		answers[i] = fingerprint.Answer{Job: &begun, Got: view.OfAnswer(a), Log: a.Log}
		answers[i].Got.End = endOf(a)
		return nil
	})
	return answers
}
