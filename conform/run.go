package conform

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/hypothesis"
	"github.com/picaproof/picaproof/conform/proof"
	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/internal/pool"
	"github.com/picaproof/picaproof/oracle/adapter"
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
	// Shard of Shards takes part of the jobs behind the core set. Shards is 0 or 1
	// for all of them.
	Shard, Shards uint64
	// Learnt is the report of a run on the core set alone, from which this run takes the core's model and its causes.
	// It then judges only the jobs behind the core set. nil means that the run finds them itself.
	Learnt *report.Report
	// State is the directory from which an interrupted run resumes; "" stores nothing. A run with
	// other options is an error. Jobs and MaxTime may change.
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
	core    adapter.Core // its answers are stored
	direct  pair         // without the store, for jobs of the suites
	model   pica.Profile
	answers []fingerprint.Answer
	stored  int               // the number of answers to the stored jobs, which come first
	costs   fingerprint.Costs // of the answers
	print   *fingerprint.Result
	// unstable lists jobs with two different answers.
	unstable []*pica.Job
	leaks    []*leak
	isolated bool          // each job has a process of its own
	unknown  bool          // no model was found: most answers change each time, or the time ran out
	remains  remains       // leaks from which no program protects a request
	start    time.Duration // the least that an answer of a new process took
	proved   []proof.Cause
	faults   []*hypothesis.Hypothesis // of the model: those of proved
	hung     int                      // programs of proofs that took a time limit
	// foreteller knows the answers to the first jobs, and which others will hang.
	foreteller *proof.Foreteller
	foretold   int            // jobs that were not asked for because they will hang
	initial    *pica.State    // the initial values of registers, nil for zeros
	setsB15    bool           // the core says that b15 is set after each geometry run
	unreported pica.Registers // for which the core always answers 0
	messages   *fingerprint.Messages
	evidence   []fingerprint.Answer // further answers that show the meaning of messages
	// disproved are the questions whose answer in the model a cause contradicts.
	disproved map[*fingerprint.Dimension]bool

	mu     sync.Mutex
	deaths []death         // outside the suites
	damage *adapter.Damage // the first crash that an earlier job may have caused

	findings
	models int  // the number of models before the present one
	heard  bool // the core has answered
	asks   asked
	// incomplete names the parts of the run that the end of the context cut off.
	incomplete []string
}

// Run judges a core. It returns the report so far when the context ends, and together with an error
// when the state of the run cannot be stored or read any more.
func Run(ctx context.Context, core adapter.Core, o Options) (*Report, error) {
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	o.Shards = max(o.Shards, 1)
	o.Jobs = cmp.Or(max(o.Jobs, 0), 8)
	ctx, cancel := pool.Within(ctx, o.MaxTime)
	defer cancel()
	s := &session{Options: o, core: core, direct: pair{core, o.Against}}
	if o.State != "" {
		return s.resume(ctx)
	}
	return s.run(ctx)
}

// run judges the core.
func (s *session) run(ctx context.Context) (*Report, error) {
	s.core, s.direct.core = s.asks.noting(s.core), s.asks.noting(s.direct.core)
	info, err := s.core.Info(ctx)
	if err != nil {
		info = adapter.Reply{Core: s.core.Name()}
	}
	s.setsB15 = info.SetsB15 && s.Against == nil // the other core may not set it
	if err := s.responds(ctx); err != nil {
		return nil, err
	}
	if s.Learnt != nil {
		return s.judgeOnly(ctx, &info)
	}
	if err := s.fingerprint(ctx); err != nil {
		return nil, err
	}
	if s.unknown {
		s.model = s.print.Profile
		s.explainDeaths(ctx)
		return s.report(ctx, &info), nil
	}
	s.learnMessages(ctx)
	s.ended(ctx, "the meaning of messages")
	rest, err := s.learn(ctx)
	if err != nil {
		return nil, err
	}
	for s.models < maxModels && s.refine(ctx) {
		if rest, err = s.learn(ctx); err != nil {
			return nil, err
		}
	}
	s.explainDeaths(ctx)
	if ctx.Err() == nil {
		if err := s.judge(ctx, rest); err != nil {
			return nil, err
		}
	}
	r := s.report(ctx, &info)
	r.Learnt = s.learnt(ctx, rest.masks)
	return r, nil
}

// maxModels limits the models of a run.
const maxModels = 4

// maxLearning limits the rounds of the core set.
const maxLearning = 4

// findings are the findings of a run under one model.
type findings struct {
	suites  []*Suite
	logged  []report.Message
	causes  []*cause
	hangs   triggers // of causes that no suite runs into, because each time costs a time limit
	limited triggers // of limits
	buckets []*bucket
	fatal   []fatal // of the core set
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
	s.findings, s.faults = findings{}, nil // the proved causes are tried again
	for _, name := range s.Suites {
		s.suites = append(s.suites, &Suite{Name: name})
	}
	s.deadly(ctx)
	s.prove(ctx, s.fingerprinted(), true)
	before := len(s.causes)
	s.limits(ctx)
	s.limited = triggersOf(s.causes[before:])
	s.ended(ctx, "limits")
	s.stuck(ctx)
	s.ended(ctx, "the search for hangs")
	s.refused(ctx)
	s.prove(ctx, append(s.fingerprinted(), s.coreSet(ctx)...), false)
	s.forgive(ctx)
	rest.masks = s.hangs
	s.ended(ctx, "the proof of causes")
	avoided := 0
	for rest.number < maxLearning {
		if err := s.judge(ctx, round{rest.number, true, rest.masks}); err != nil {
			return rest, err
		}
		if ctx.Err() != nil {
			if rest.number > 0 {
				s.ended(ctx, "the core set without the known causes")
			}
			break
		}
		// What the model foresees has no trigger.
		known := slices.DeleteFunc(triggersOf(s.causes), func(t *trigger) bool { return *t == trigger{} })
		rest = round{number: rest.number + 1, masks: known}
		if len(known) == avoided {
			break
		}
		avoided = len(known)
	}
	return rest, nil
}

// tooEarly says why a run without results ended: its time was over, or it was interrupted.
func (s *session) tooEarly(err error, before string) error {
	why := "the time was over"
	if errors.Is(err, context.Canceled) {
		why = "interrupted"
	}
	if text := s.asks.pending(); text != "" {
		before += " (" + text + ")"
	}
	return fmt.Errorf("%s before %s: %w", why, before, err)
}

// newJudge returns a judge that compares the core with its model, or with the second core.
func (s *session) newJudge(ctx context.Context) *judge {
	j := s.newJudgeOf(ctx, s.model)
	if j.against = s.Against; len(s.faults) > 0 {
		j.faults, j.predict, j.faultless = s.faults, fingerprint.PredictorOf(s.engine()), j.predict
	}
	return j
}

// newJudgeOf returns a judge that compares the core with a model.
func (s *session) newJudgeOf(ctx context.Context, model pica.Profile) *judge {
	return &judge{ctx: ctx, core: s.core, model: model, predict: fingerprint.NewPredictor(), initial: s.initial,
		damaged:  s.note,
		messages: s.messages, lacks: s.lacks()}
}

// note records the first damage.
func (s *session) note(d *adapter.Damage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.damage == nil {
		s.damage = d
	}
}

const nop = uint32(pica.NOP) << 26

// newJob returns a portable job of a program, with one vertex without inputs.
func newJob(p pica.Program) *pica.Job {
	return &pica.Job{Program: p, OutMask: 0xFFFF, Budget: budget, InputFormat: pica.Float32,
		Vertices: [][]pica.Vec4{{}}}
}

// empty is a program that does nothing.
func empty() *pica.Job { return newJob(pica.Program{Code: []uint32{uint32(pica.END) << 26}}) }

// nameOf returns the text of a profile.
func nameOf(p pica.Profile) string { return profile.String(p) }
