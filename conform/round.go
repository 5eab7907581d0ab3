package conform

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/sweep"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/fuzz/hunt"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// A round is the core set, or the jobs behind it, together with the triggers that its jobs
// avoid.
type round struct {
	number int
	core   bool
	masks  triggers
}

// judge judges the jobs of a round, then reduces the first of each bucket. The jobs behind the core set have a state of
// their own: an interrupted run reaches them after fewer rounds of the core set than the whole run.
func (s *session) judge(ctx context.Context, r round) error {
	name := "rest"
	if r.core {
		name = fmt.Sprintf("round%d", r.number)
	}
	if s.models > 0 {
		name = fmt.Sprintf("model%d-%s", s.models+1, name)
	}
	state, matrix, err := s.hunted(ctx, r, name)
	if matrix != nil && r.number == 0 && s.relearnMessages(ctx, state, r) {
		state.Close()
		state, matrix, err = s.hunted(ctx, r, name+"-again")
	}
	if err != nil || matrix == nil {
		return err
	}
	defer state.Close()
	for _, p := range cover.Points() {
		if matrix.Count(p.Point) > 0 {
			s.judged.Add(p.Point)
		}
	}
	for _, suite := range s.suites {
		suite.add(state.Progress(suite.Name), r.core)
		if !r.core || r.number == 0 {
			suite.asked += state.Progress(suite.Name).Next
		}
		s.addMessages(state.Progress(suite.Name), r.core)
	}
	return s.explain(ctx, state, r)
}

// hunted judges the jobs of a round; name is the name of the directory of its state. The matrix
// is nil if there are no jobs.
func (s *session) hunted(ctx context.Context, r round,
	name string) (state *hunt.State, matrix *cover.Matrix, err error) {
	dir := ""
	if s.State != "" {
		dir = filepath.Join(s.State, name)
	}
	var targets []hunt.Target
	panics := s.panics()
	for _, suite := range s.suites {
		if n := s.cases(suite.Name, r); n > 0 {
			targets = append(targets, s.target(ctx, suite.Name, r, n, panics))
		}
	}
	if len(targets) == 0 {
		return nil, nil, nil
	}
	if state, err = hunt.Open(dir, s.Seed); err != nil {
		return nil, nil, err
	}
	var mu sync.Mutex
	matrix, err = hunt.Run(ctx, state, targets, hunt.Options{Workers: s.Jobs, Progress: func(st hunt.Status) {
		mu.Lock()
		defer mu.Unlock()
		s.Progress(fmt.Sprintf("round %d: %d jobs, %.0f/s, %d buckets", r.number, st.Cases, st.PerSecond, st.Buckets))
	}})
	if err != nil {
		state.Close()
		return nil, nil, err
	}
	return state, matrix, nil
}

// relearnMessages asks for the jobs of the suites in which a message occurred first in a round, and reports whether the
// message excuses wrong answers without reason.
func (s *session) relearnMessages(ctx context.Context, state *hunt.State, r round) (changed bool) {
	var jobs []*pica.Job
	var texts []string
	predict, want := fingerprint.NewPredictor(), new(view.View)
	jobOf, dying, w := s.jobsOf(r), s.dying(), s.newWatcher()
	for _, suite := range s.suites {
		fresh := false
		for text, outcomes := range state.Progress(suite.Name).Messages {
			if outcomes[NotComparable] > 0 && !s.messages.Known(text) {
				fresh = true
				texts = append(texts, text)
			}
		}
		for n := uint64(0); fresh && n < s.cases(suite.Name, r); n++ {
			// Each job that hangs would cost a time limit, each crash a start; they show no message.
			job := jobOf(suite.Name, n)
			if predict.View(job, &s.model, want); want.End != view.Hung && !dying.hit(job, w.uses(job)) {
				jobs = append(jobs, reduce.Clone(job))
			}
		}
	}
	if len(jobs) == 0 {
		return false
	}
	s.Progress("learning the meaning of messages")
	learnt := fingerprint.Learn(slices.Concat(s.answers, s.evidence, s.askEach(ctx, jobs, shared)), &s.print.Profile)
	if !slices.ContainsFunc(texts, learnt.Habit) {
		return false
	}
	s.messages = learnt
	return true
}

// cases is the number of jobs of a suite in a round.
func (s *session) cases(suite string, r round) uint64 {
	_, all := source(suite, s.Seed)
	switch first := min(s.Cases, CoreSet); {
	case all > 0 && r.core:
		return all // a list is part of the core set
	case all > 0:
		return 0
	case r.core:
		return first
	}
	rest := s.Cases - min(s.Cases, CoreSet)
	if n := rest / s.Shards; s.Shard < rest%s.Shards {
		return n + 1
	} else {
		return n
	}
}

// number converts the number of a job in a round to its number in the whole suite.
func (s *session) number(r round, n uint64) uint64 {
	if r.core {
		return n
	}
	return CoreSet + n*s.Shards + s.Shard
}

// unmasked: one in so many jobs behind the core set avoids nothing.
const unmasked = 8

// target returns a suite as a target of a hunt; panics is that of the session.
func (s *session) target(ctx context.Context, suite string, r round, cases uint64, panics bool) hunt.Target {
	return hunt.Target{Name: suite, Extension: ".json", Cases: cases, New: func(uint64) (hunt.Worker, error) {
		w := &worker{session: s, suite: suite, round: r, judge: s.newJudge(ctx), job: s.jobsOf(r),
			watcher: s.newWatcher(), shaper: newShaper(), dying: s.dying(), panics: panics}
		w.judge.core, w.judge.against = s.direct.core, s.direct.against
		w.judge.confirm = len(s.leaks) > 0
		w.judge.isolating, w.judge.apart = r.core && r.number == 0, true
		w.recorded = impl.Watched(&w.recorder)
		return w, nil
	}}
}

// jobsOf returns a function that returns job n of a suite in a round. The job avoids the masks and the proved crashes and
// hangs, unless its number is one in unmasked; jobs of the core set were judged without masks before. The function is
// not safe for concurrent use.
func (s *session) jobsOf(r round) func(suite string, n uint64) *pica.Job {
	w, m, sources := s.newWatcher(), s.newMortal(), map[string]func(n uint64) *pica.Job{}
	return func(suite string, n uint64) *pica.Job {
		if sources[suite] == nil {
			sources[suite], _ = source(suite, s.Seed)
		}
		n = s.number(r, n)
		j := under(sources[suite](n), s.model)
		if r.core || n%unmasked != 0 {
			j, _ = r.masks.avoid(j, w)
			j = m.survivor(j)
		}
		return j
	}
}

// worker judges the jobs of a suite.
type worker struct {
	*session
	suite    string
	round    round
	job      func(suite string, n uint64) *pica.Job
	judge    *judge
	watcher  *watcher
	shaper   *shaper
	dying    triggers // of opcodes of which the core dies
	panics   bool     // what the model refuses ends the process of the core
	recorder cover.Recorder
	recorded pica.Engine
	out      pica.Outcome
}

// watchEvery: the coverpoints of one in so many jobs are recorded.
const watchEvery = 8

// confirmed: of the jobs behind the core set that may find state of an earlier request, one in so many is judged
// whole, and asked for again if it fails.
const confirmed = 8

// panicked: of the jobs that the model refuses, one in so many is asked for, if each costs a start of the core.
const panicked = 8

func (w *worker) Case(n uint64, r *hunt.Result) error {
	job := w.job(w.suite, n)
	w.judge.spares = w.remains.finds(job) && !w.round.core && w.number(w.round, n)%confirmed != 0
	if len(w.hangs) > 0 && (w.hangs.hit(job, w.watcher.uses(job)) ||
		w.judge.isolating && w.hangs.hit(job, w.watcher.uses(under(job, profile.HW())))) {
		r.Outcome = NotComparable // another time limit would show nothing new
		return nil
	}
	dies := len(w.dying) > 0 && w.dying.hit(job, w.watcher.uses(job))
	if dies && leftOut(w.number(w.round, n)) {
		r.Outcome = NotComparable // another start of the core would show nothing new
		return nil
	}
	w.judge.passes = w.panics && w.number(w.round, n)%panicked != 0
	r.Outcome = w.judge.ask(job, dies)
	if w.judge.ctx.Err() != nil { // the answer may be missing
		return hunt.ErrInterrupted
	}
	for _, text := range w.judge.answer.Log {
		r.Messages = append(r.Messages, fingerprint.Message(text))
	}
	if r.Outcome == Equal && w.number(w.round, n)%watchEvery == 0 {
		w.recorder.Reached = cover.Set{}
		if w.recorded.Run(job, &w.out) == nil {
			r.Reached = w.recorder.Reached
		}
	}
	if w.judge.foreseen {
		if w.round.core && w.round.number > 0 { // it was explained before
			return nil
		}
		outcome := r.Outcome
		if !fails(outcome) {
			outcome = Hang // it was not asked for
		}
		if shapes := w.shaper.of(job); len(shapes) > 0 {
			r.Key = bucketKey{suite: w.suite, class: outcome, foreseen: true, parts: shapes}.String()
			return nil
		}
	}
	if fails(r.Outcome) {
		r.Key = w.key(n, job, r.Outcome)
		r.Text = w.judge.failed()
	}
	if r.Outcome == Refusal {
		r.Outcome = Unsupported
	}
	return nil
}

func (w *worker) Data(n uint64) ([]byte, error) { return json.Marshal(w.job(w.suite, n)) }

// key guesses the cause of a failure of job n of the round: the instructions that may be at
// fault, and in which way.
func (w *worker) key(n uint64, job *pica.Job, outcome string) string {
	uses := w.watcher.uses(job)
	var parts []string
	switch w.suite {
	case "upload":
		for _, u := range job.Floats {
			parts = append(parts, upload{"uniform", u.Format}.name(u.Values[0][0]))
		}
		parts = append(parts, upload{"input", job.InputFormat}.name(job.Vertices[0][0][0]))
	case "alu":
		for _, u := range uses {
			if pica.Opcodes[u.op].Sources > 0 {
				parts = append(parts, u.op.String())
			}
		}
		parts = parts[:min(len(parts), 2)]
	case "flow":
		parts = flowKinds(uses)
	case "fields":
		parts = append(parts, sweep.Jobs()[w.number(w.round, n)].Name)
	default:
		parts = append(parts, flowKinds(uses)...)
		if last := lastComputing(uses); last != "" {
			parts = append(parts, last)
		}
	}
	class := w.judge.diff.Class.String()
	if outcome != Differ {
		class = outcome
	}
	return bucketKey{suite: w.suite, class: class, parts: parts}.String()
}

// touched returns the coverpoints of the core set, judged or not, of the suites that this run asked for all of it.
func (s *session) touched() (points cover.Set) {
	if s.Learnt != nil {
		return points
	}
	var r cover.Recorder
	engine := impl.Watched(&r)
	var out pica.Outcome
	for _, suite := range s.suites {
		all := s.cases(suite.Name, round{core: true})
		if suite.asked < all {
			continue
		}
		job, _ := source(suite.Name, s.Seed)
		for n := uint64(0); n < all; n += watchEvery {
			r.Reached = cover.Set{}
			if engine.Run(under(job(n), s.model), &out) == nil {
				points.Union(&r.Reached)
			}
		}
	}
	return points
}
