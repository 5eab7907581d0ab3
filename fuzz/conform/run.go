package conform

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/picaproof/picaproof/fuzz/conform/fingerprint"
	"github.com/picaproof/picaproof/fuzz/conform/sweep"
	"github.com/picaproof/picaproof/fuzz/conform/view"
	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/fuzz/hunt"
	"github.com/picaproof/picaproof/fuzz/hunt/pool"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/fuzz/report"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// Options of a run. Cases and Suites must be set.
type Options struct {
	// Model is the profile that the core is compared with; nil means its fingerprint.
	Model *pica.Profile
	// Against, unless it is nil, is a second core. The run then compares the answers of the two
	// cores; the rules of the console say which of them is right.
	Against adapter.Core
	Suites  []string
	Seed    uint64
	// Cases is the number of generated jobs of a suite.
	Cases uint64
	// MaxTime ends the run; the report omits the rest. 0 means no limit.
	MaxTime time.Duration
	Jobs    int // the number of concurrent jobs; 0 means 8
	// Shard of Shards takes part of the jobs behind the core set. Shards is 0 or 1 for
	// all of them.
	Shard, Shards uint64
	// State is the directory from which an interrupted run resumes; "" stores nothing.
	State string
	// Arguments names the core on the command line: "--exec 'mycore'".
	Arguments string
	// Progress is called with a line about the present work. It may be nil.
	Progress func(text string)
}

// CoreSet is the number of jobs of a suite that every shard runs.
const CoreSet = 512

// session is one run.
type session struct {
	Options
	core    adapter.Core
	model   pica.Profile
	answers []fingerprint.Answer
	stored  int // the number of answers to the stored jobs, which come first
	print   *fingerprint.Result
	// unstable lists jobs with two different answers.
	unstable []*pica.Job
	leaks    []*leak
	isolated bool        // each job has a process of its own
	unknown  bool        // no model was found: most answers change each time, or the time ran out
	doubtful bool        // a process may run the code of an earlier request
	initial  *pica.State // the initial values of registers, nil for zeros
	messages *fingerprint.Messages
	evidence []fingerprint.Answer // further answers that show the meaning of messages

	mu     sync.Mutex
	damage *adapter.Damage // the first crash that an earlier job may have caused

	findings
	touched   cover.Set // by the core set
	remodeled bool      // the model was inferred a second time
}

// Run judges a core. It returns the report so far when the context ends.
func Run(ctx context.Context, core adapter.Core, o Options) (*Report, error) {
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	o.Shards = max(o.Shards, 1)
	o.Jobs = cmp.Or(max(o.Jobs, 0), 8)
	ctx, cancel := pool.Within(ctx, o.MaxTime)
	defer cancel()
	s := &session{Options: o, core: core}
	info, err := core.Info(ctx)
	if err != nil {
		info = adapter.Reply{Core: core.Name()}
	}
	if err := s.responds(ctx); err != nil {
		return nil, err
	}
	if err := s.fingerprint(ctx); err != nil {
		return nil, err
	}
	if s.unknown {
		s.model = s.print.Profile
		return s.report(ctx, &info), nil
	}
	s.learnMessages(ctx)
	rest, err := s.learn(ctx)
	if err != nil {
		return nil, err
	}
	if s.remodel(ctx) {
		if rest, err = s.learn(ctx); err != nil {
			return nil, err
		}
	}
	s.touch()
	if err := s.judge(ctx, rest); err != nil {
		return nil, err
	}
	r := s.report(ctx, &info)
	if err := ctx.Err(); err != nil && len(s.suites) > 0 && r.Jobs() == 0 && len(s.leaks) == 0 {
		return nil, tooEarly(err, "a program was judged")
	}
	return r, nil
}

// A round is the core set, or the jobs behind it, together with the triggers that its jobs
// avoid.
type round struct {
	number int
	core   bool
	masks  masks
}

// maxLearning limits the rounds of the core set.
const maxLearning = 4

// findings are the findings of a run under one model.
type findings struct {
	suites  []*Suite
	logged  []report.Message
	causes  []*cause
	hangs   masks // of causes that no suite runs into, because each time costs a time limit
	buckets []*bucket
	// notReduced lists buckets that were not reduced because they were too many, or time ran
	// out.
	notReduced []report.Member
	judged     cover.Set // by jobs without a failure
}

// learn finds the hangs, the exceeded limits and the causes of the core set under the present
// model. The core set first avoids only hangs, then all known triggers, as long as a round shows
// a new one. learn returns the round of the jobs behind the core set.
func (s *session) learn(ctx context.Context) (rest round, err error) {
	s.model = s.print.Profile
	if s.Model != nil {
		s.model = *s.Model
	}
	s.findings = findings{}
	for _, name := range s.Suites {
		if name != Bench { // it judges nothing
			s.suites = append(s.suites, &Suite{Name: name})
		}
	}
	s.stuck(ctx)
	rest.masks = s.hangs
	s.limits(ctx)
	var avoided []trigger
	for rest.number < maxLearning {
		if err := s.judge(ctx, round{rest.number, true, rest.masks}); err != nil {
			return rest, err
		}
		known := triggersOf(s.causes)
		rest = round{number: rest.number + 1, masks: newMasks(known)}
		if reflect.DeepEqual(avoided, known) {
			break
		}
		avoided = known
	}
	return rest, nil
}

// manyUnexplained: if faults may have led to a wrong model, one unexplained answer in so many is
// enough to infer it again.
const manyUnexplained = 16

// remodel infers the model again if many answers fit no model, from jobs of the fingerprint that
// avoid faults of single instructions and of uploads. It does not avoid faults of flow control,
// because a wrong model looks like one. It reports whether the model changed.
func (s *session) remodel(ctx context.Context) bool {
	if len(s.print.Unexplained)*manyUnexplained < len(s.answers) || ctx.Err() != nil {
		return false
	}
	masks := newMasks(slices.DeleteFunc(triggersOf(s.causes), trigger.flows))
	if len(masks) == 0 {
		return false
	}
	s.Progress("finding the core's model again, without the known faults")
	w := newWatcher()
	var jobs []*pica.Job
	for i := range s.answers {
		job := under(s.answers[i].Job, s.model)
		job.Initial = nil
		if job, clean := masks.avoid(job, w); clean {
			jobs = append(jobs, job)
		}
	}
	answers := s.askAll(ctx, jobs)
	found, unexplained := fingerprint.Infer(ctx, answers)
	if ctx.Err() != nil || found == s.print.Profile ||
		unexplained >= len(fingerprint.Decide(answers, s.print.Profile).Unexplained) {
		return false
	}
	s.answers, s.stored, s.remodeled = answers, len(answers), true
	s.print = fingerprint.Decide(answers, found)
	return true
}

// tooEarly says why a run without results ended: its time was over, or it was interrupted.
func tooEarly(err error, before string) error {
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("interrupted before %s: %w", before, err)
	}
	return fmt.Errorf("the time was over before %s: %w", before, err)
}

// newJudge returns a judge that compares the core with its model, or with the second core.
func (s *session) newJudge(ctx context.Context) *judge {
	j := s.newJudgeOf(ctx, s.model)
	j.against = s.Against
	return j
}

// newJudgeOf returns a judge that compares the core with a model.
func (s *session) newJudgeOf(ctx context.Context, model pica.Profile) *judge {
	return &judge{ctx: ctx, core: s.core, model: model, predict: fingerprint.NewPredictor(), initial: s.initial,
		damaged:  s.note,
		messages: s.messages, fresh: s.doubtful}
}

// asked returns the answer to one job.
func (s *session) asked(ctx context.Context, job *pica.Job) adapter.Answer {
	return answerOf(ctx, s.core, job, s.doubtful)
}

// note records the first damage.
func (s *session) note(d *adapter.Damage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.damage == nil {
		s.damage = d
	}
}

// newJob returns a portable job of a program, with one vertex without inputs.
func newJob(p pica.Program) *pica.Job {
	return &pica.Job{Program: p, OutMask: 0xFFFF, Budget: budget, InputFormat: pica.Float32,
		Vertices: [][]pica.Vec4{{}}}
}

// empty is a program that does nothing.
func empty() *pica.Job { return newJob(pica.Program{Code: []uint32{uint32(pica.END) << 26}}) }

// responds returns an error if the core answers none of a few jobs that have little in common,
// each in its own process. After a hang fewer jobs are enough, because each costs a time limit.
func (s *session) responds(ctx context.Context) error {
	const few, fewHangs = 8, 2
	jobs, err := fingerprint.Jobs()
	if err != nil {
		return err
	}
	a := s.core.AskFresh(ctx, empty())
	asked, hangs := 1, 0
	for ; a.Fate >= adapter.Crashed; asked++ {
		if a.Fate == adapter.Hung {
			hangs++
		}
		if asked == few || hangs == fewHangs {
			break
		}
		a = s.core.AskFresh(ctx, jobs[asked*len(jobs)/few])
	}
	if a.Fate < adapter.Crashed || ctx.Err() != nil {
		return nil
	}
	err = &adapter.FateError{Core: s.core.Name(), Answer: a}
	if text := strings.TrimSpace(a.Stderr); text != "" {
		err = fmt.Errorf("%w; it wrote: %s", err, text)
	}
	return fmt.Errorf("the core answers none of %d requests: %w", asked, err)
}

// fingerprint asks the core for the jobs of the fingerprint, twice and in both orders, and
// infers its model. An answer that is not repeated is ignored.
func (s *session) fingerprint(ctx context.Context) error {
	s.Progress("finding the core's model")
	jobs, err := fingerprint.Jobs()
	if err != nil {
		return err
	}
	jobs = slices.Concat(jobs, uploads())
	s.initial = s.background(ctx)
	if s.findLeaks(ctx); len(s.leaks) > 0 {
		if err := s.stop(ctx); err != nil {
			return err
		}
	}
	s.askTwice(ctx, jobs)
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
		s.unknown = s.changes(ctx, jobs)
	}
	if ctx.Err() != nil && len(s.leaks) == 0 {
		return tooEarly(ctx.Err(), "the core's model was found")
	}
	if s.unknown = s.unknown || ctx.Err() != nil; s.unknown {
		s.print = fingerprint.Decide(nil, profile.HW())
		return nil
	}
	found, _ := fingerprint.Infer(ctx, s.answers)
	s.stored = len(s.answers)
	if more := fingerprint.Confirming(&found, s.answers); len(more) > 0 {
		s.askTwice(ctx, more)
		found, _ = fingerprint.Infer(ctx, s.answers)
	}
	s.print = fingerprint.Decide(s.answers, found)
	return nil
}

// otherAnswer reports whether two answers to a job differ.
func otherAnswer(a, b *view.View) bool {
	return a.End != b.End || a.End == view.Ended && view.Compare(a, b, nil) != view.Same
}

// changes reports whether most of some jobs, each in a process of its own, have another answer
// than before.
func (s *session) changes(ctx context.Context, jobs []*pica.Job) bool {
	const some = 64
	asked, changed := 0, 0
	for i := 0; i < len(jobs); i += max(1, len(jobs)/some) {
		asked++
		if otherAnswer(s.answers[i].Got, view.OfAnswer(s.core.AskFresh(ctx, jobs[i]))) {
			changed++
		}
	}
	return changed > asked/2
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
	for i, second := range s.askAll(ctx, list) {
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
		v := view.OfAnswer(s.core.AskFresh(ctx, empty()))
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

// learnMessages finds out which messages of the core report a skipped instruction. A core
// without messages so far is not asked.
func (s *session) learnMessages(ctx context.Context) {
	if !slices.ContainsFunc(s.answers, func(a fingerprint.Answer) bool { return len(a.Log) > 0 }) {
		return
	}
	s.evidence = s.askAll(ctx, fingerprint.Evidence())
	s.messages = fingerprint.Learn(slices.Concat(s.answers, s.evidence), &s.print.Profile)
	s.print.Unexplained = slices.DeleteFunc(s.print.Unexplained,
		func(i int) bool { return s.messages.Excuse(s.answers[i].Log) })
}

// askAll asks the core for jobs and returns the answers in their order.
func (s *session) askAll(ctx context.Context, jobs []*pica.Job) []fingerprint.Answer {
	answers := make([]fingerprint.Answer, len(jobs))
	// Every job gets an answer, without an outcome if the context has ended.
	_ = pool.Each(context.WithoutCancel(ctx), s.Jobs, len(jobs), func(_ context.Context, i int) error {
		a := s.asked(ctx, jobs[i])
		if a.Damaged != nil {
			s.note(a.Damaged)
		}
		begun := *jobs[i]
		begun.Initial = s.initial
		answers[i] = fingerprint.Answer{Job: &begun, Got: view.OfAnswer(a), Log: a.Log}
		return nil
	})
	return answers
}

// judge judges the jobs of a round, then reduces the first of each bucket.
func (s *session) judge(ctx context.Context, r round) error {
	name := fmt.Sprintf("round%d", r.number)
	if s.remodeled {
		name = "model2-" + name
	}
	state, matrix, err := s.hunted(ctx, r, name)
	if matrix != nil && r.number == 0 && s.relearnMessages(ctx, state) {
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
	for _, suite := range s.suites {
		if n := s.cases(suite.Name, r); n > 0 {
			targets = append(targets, s.target(ctx, suite.Name, r, n))
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

// relearnMessages asks for the jobs of the suites that have the first occurrence of a message,
// and reports whether the message excuses wrong answers without reason.
func (s *session) relearnMessages(ctx context.Context, state *hunt.State) (changed bool) {
	var jobs []*pica.Job
	var texts []string
	for _, suite := range s.suites {
		fresh := false
		for text, outcomes := range state.Progress(suite.Name).Messages {
			if outcomes[NotComparable] > 0 && !s.messages.Known(text) {
				fresh = true
				texts = append(texts, text)
			}
		}
		job, _ := source(suite.Name, s.Seed)
		for n := uint64(0); fresh && n < s.cases(suite.Name, round{core: true}); n++ {
			jobs = append(jobs, reduce.Clone(job(n)))
		}
	}
	if len(jobs) == 0 {
		return false
	}
	s.Progress("learning the meaning of messages")
	learnt := fingerprint.Learn(slices.Concat(s.answers, s.evidence, s.askAll(ctx, jobs)), &s.print.Profile)
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

// target returns a suite as a target of a hunt.
func (s *session) target(ctx context.Context, suite string, r round, cases uint64) hunt.Target {
	return hunt.Target{Name: suite, Extension: ".json", Cases: cases, New: func(seed uint64) (hunt.Worker, error) {
		job, _ := source(suite, seed)
		w := &worker{session: s, suite: suite, round: r, judge: s.newJudge(context.WithoutCancel(ctx)),
			watcher: newWatcher()}
		w.judge.fresh, w.judge.confirm, w.judge.suspicious = false, s.doubtful, true
		w.recorded = impl.Watched(&w.recorder)
		w.job = func(n uint64) *pica.Job { return s.jobOf(r, job, w.watcher, n) }
		return w, nil
	}}
}

// jobOf returns job n of a round. The job avoids the masks, unless its number is one in
// unmasked; jobs of the core set were judged without masks before.
func (s *session) jobOf(r round, job func(n uint64) *pica.Job, w *watcher, n uint64) *pica.Job {
	n = s.number(r, n)
	j := under(job(n), s.model)
	if r.core || n%unmasked != 0 {
		j, _ = r.masks.avoid(j, w)
	}
	return j
}

// worker judges the jobs of a suite.
type worker struct {
	*session
	suite    string
	round    round
	job      func(n uint64) *pica.Job
	judge    *judge
	watcher  *watcher
	recorder cover.Recorder
	recorded pica.Engine
	out      pica.Outcome
}

// watchEvery: the coverpoints of one in so many jobs are recorded.
const watchEvery = 8

func (w *worker) Case(n uint64, r *hunt.Result) error {
	job := w.job(n)
	if len(w.hangs) > 0 && w.hangs.hit(job, w.watcher.uses(job)) {
		r.Outcome = NotComparable // another time limit would show nothing new
		return nil
	}
	r.Outcome = w.judge.ask(job, false)
	for _, text := range w.judge.answer.Log {
		r.Messages = append(r.Messages, fingerprint.Message(text))
	}
	if r.Outcome == Equal && w.number(w.round, n)%watchEvery == 0 {
		w.recorder.Reached = cover.Set{}
		if w.recorded.Run(job, &w.out) == nil {
			r.Reached = w.recorder.Reached
		}
	}
	if fails(r.Outcome) {
		r.Key = w.key(n, job, r.Outcome)
		r.Text = w.judge.diff.String()
	}
	return nil
}

func (w *worker) Data(n uint64) ([]byte, error) { return json.Marshal(w.job(n)) }

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
				parts = append(parts, u.op.String(),
					lowest(u.features&(hasInfinity|hasNaN|hasSubnormal|hasZero)).String())
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
	return w.suite + ": " + class + ": " + strings.Join(parts, " ")
}

// lastComputing names the last instruction of a run that is not a move.
func lastComputing(uses []use) string {
	for _, u := range slices.Backward(uses) {
		if info := &pica.Opcodes[u.op]; info.Sources > 0 && !info.Copies {
			return u.op.String()
		}
	}
	return ""
}

// maxBuckets limits the number of reduced buckets of a round. The report lists the others.
const maxBuckets = 80

// explain reduces the first job of each bucket, in the order of the suites, and merges the
// results. In a round of the core set, a bucket whose job brings about the trigger of an earlier
// cause belongs to that cause; behind the core set each bucket stays on its own, so that every
// shard explains it alike.
func (s *session) explain(ctx context.Context, state *hunt.State, r round) error {
	buckets := slices.Clone(state.Buckets)
	order := func(b *hunt.Bucket) int { return slices.Index(Suites, b.Target) }
	slices.SortStableFunc(buckets, func(a, b *hunt.Bucket) int {
		return cmp.Or(cmp.Compare(order(a), order(b)), cmp.Compare(gravity(a.Key), gravity(b.Key)),
			cmp.Compare(a.Key, b.Key))
	})
	w := newWatcher()
	tries := 0
	for _, b := range buckets {
		member := report.Member{Key: b.Key, Suite: b.Target, Number: s.number(r, b.Number), Count: b.Count}
		reduced := member
		switch {
		case !r.core:
			reduced.Key += ", avoiding known causes"
		case r.number > 0:
			reduced.Key += fmt.Sprintf(", avoiding the causes of round %d", r.number-1)
		}
		makeJob, _ := source(b.Target, s.Seed)
		job := s.jobOf(r, makeJob, w, b.Number)
		known := r.masks
		if r.core {
			known = newMasks(triggersOf(s.causes))
		}
		if gravity(b.Key) == gravityOfCrash {
			known = s.crashing(known)
		}
		if c := s.attributed(job, w, known); c != nil {
			if first := c.Buckets[0]; r.core {
				first.also = append(first.also, member)
			}
			continue
		}
		if ctx.Err() != nil || tries >= maxBuckets {
			s.notReduced = append(s.notReduced, reduced)
			continue
		}
		s.Progress(fmt.Sprintf("round %d: reducing %s", r.number, b.Key))
		f, ok := s.reduced(ctx, job, b.Target, known)
		tries++
		if ok {
			s.record(&bucket{Member: reduced, finding: f})
		}
	}
	return nil
}

// gravity orders the buckets of a suite: wrong values, which explain themselves best, then
// crashes, then failures that cost a time limit.
func gravity(key string) int {
	_, rest, _ := strings.Cut(key, ": ")
	class, _, _ := strings.Cut(rest, ":")
	return slices.Index([]string{Crash, Hang}, class)
}

// gravityOfCrash is the gravity of crashes, which a wrong value does not explain.
const gravityOfCrash = 0

// attributed returns the cause whose trigger a job brings about.
func (s *session) attributed(job *pica.Job, w *watcher, known masks) *cause {
	if len(known) == 0 {
		return nil
	}
	uses := w.uses(job)
	for i, m := range known {
		if m.hitsJob(job) || len(m.hits(job, uses)) > 0 {
			return s.causes[i]
		}
	}
	return nil
}

// crashing returns the masks of a list whose causes are crashes: a wrong value does not explain
// a crash.
func (s *session) crashing(known masks) masks {
	list := slices.Clone(known)
	for i := range list {
		if s.causes[i].Buckets[0].outcome != Crash {
			list[i] = newMask(trigger{})
		}
	}
	return list
}

// touch collects the coverpoints of the core set, judged or not.
func (s *session) touch() {
	var r cover.Recorder
	engine := impl.Watched(&r)
	var out pica.Outcome
	for _, suite := range s.suites {
		job, _ := source(suite.Name, s.Seed)
		for n := uint64(0); n < s.cases(suite.Name, round{core: true}); n += watchEvery {
			r.Reached = cover.Set{}
			if engine.Run(under(job(n), s.model), &out) == nil {
				s.touched.Union(&r.Reached)
			}
		}
	}
}

// nameOf returns the text of a profile.
func nameOf(p pica.Profile) string { return profile.String(p) }
