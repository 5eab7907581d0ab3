package hunt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/adapter/command"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

// Engines are two engines that should agree: a reference and an engine under
// test. The functions return new engines that are not safe for concurrent use.
type Engines struct {
	Want, Got func() pica.Engine
	// Foreign is set if Got is a core in another process. Guard, if it is not nil, means that
	// Want is one, too: it makes the engine that decides which jobs trap.
	Foreign bool
	Guard   func() pica.Engine
	// Thorough asks a core in another process for jobs without a defined outcome, too. It may answer
	// them as it likes, but a crash is a difference, and a hang is one if the console ends. No message of
	// the core excuses a difference.
	Thorough bool
	// Referee, if it is not nil, says of a job with a difference which engine is right.
	Referee func(ctx context.Context, job *pica.Job) string
	// Arguments are the flags of these engines, such as " --engine vm", in the commands that
	// repeat a finding.
	Arguments string
}

func (e Engines) judge() compare.Pair {
	j := compare.Pair{Want: e.Want(), Got: e.Got(), Foreign: e.Foreign}
	if e.Guard != nil {
		j.Guard = e.Guard()
	}
	if e.Thorough {
		j.Fatal = fatal
	}
	return j
}

// fatal reports whether an error of a core is a difference on a job without a defined outcome.
func fatal(job *pica.Job, err error) bool {
	var fate *adapter.FateError
	if !errors.As(err, &fate) {
		return true
	}
	return fate.Answer.Fate == adapter.Crashed || fate.Answer.Fate == adapter.Hung && endsOnConsole(job)
}

// endsOnConsole reports whether the console ends a job.
func endsOnConsole(job *pica.Job) bool {
	c, out := *job, pica.Outcome{}
	c.Profile, c.Budget = profile.HW(), max(job.Budget, pica.DefaultBudget)
	c.Profile.Hazards = pica.HazardsWarn // an unreliable value ends no run
	return impl.New().Run(&c, &out) == nil && !slices.ContainsFunc(out.Vertices, func(v pica.VertexOutcome) bool {
		return v.Trap.Cause == pica.TrapBudget || v.Trap.Cause == pica.TrapHang
	})
}

// Sent returns the job for the engines, in a form that a core in another process understands. It
// sets b15 where the job would ask who sets it (adapter.AsksB15).
func (e Engines) Sent(job *pica.Job) *pica.Job {
	if !e.Foreign {
		return job
	}
	job = adapter.AsSent(job)
	if adapter.AsksB15(job) {
		c := *job
		c.Bools |= 1 << 15
		job = &c
	}
	return job
}

// unanswered turns the error of a core without an answer into a finding, or into an outcome to
// be counted. It returns other errors.
func unanswered(err error) (key, outcome, text string, _ error) {
	var fate *adapter.FateError
	if !errors.As(err, &fate) {
		return "", "", "", err
	}
	text = fate.Error()
	if words := strings.TrimSpace(fate.Answer.Stderr); words != "" {
		text += ": " + words[strings.LastIndexByte(words, '\n')+1:]
	}
	if a := &fate.Answer; a.Fate == adapter.Unsupported || a.Fate == adapter.Hung && a.Kind == adapter.KindInterrupted {
		return "", a.Fate.String(), text, nil
	}
	return fate.Answer.Key(), "", text, nil
}

// Comparison is a target: jobs from a source that run on two engines.
type Comparison struct {
	Engines
	Name  string
	Cases uint64 // 0 means no limit
	// Source returns a function, for one goroutine, that makes job number n of a seed. The next
	// call may change the job.
	Source func(seed uint64) func(n uint64) *pica.Job
	// Watch records the coverpoints that every eighth job reaches on the oracle, which is then
	// the reference, whatever Want is.
	Watch bool
}

// Generated returns the source of the generated jobs of a mode under a profile.
func Generated(mode gen.Mode, p pica.Profile) func(seed uint64) func(n uint64) *pica.Job {
	return func(seed uint64) func(n uint64) *pica.Job {
		var g gen.Generator
		return func(n uint64) *pica.Job {
			job := g.Job(gen.Seed(seed, n), mode)
			job.Profile = p
			return job
		}
	}
}

// Target returns the comparison as a target of a hunt. Its findings are reduced while the cause
// stays the same. Jobs without a prediction by the reference have the outcome "undefined".
func (c Comparison) Target() Target {
	return Target{
		Name: c.Name, Extension: ".json", Cases: c.Cases, Reduce: c.reduceFound,
		New: func(seed uint64) (Worker, error) {
			source := c.Source(seed)
			w := &jobWorker{judge: c.judge(), job: func(n uint64) *pica.Job { return c.Sent(source(n)) }}
			if c.Watch {
				watched := w.judge
				watched.Want = impl.Watched(&w.recorder)
				w.watched = &watched
			}
			return w, nil
		},
	}
}

type jobWorker struct {
	job      func(n uint64) *pica.Job
	judge    compare.Pair
	watched  *compare.Pair // its oracle reports to the recorder
	recorder cover.Recorder
}

// watchEvery: one in so many jobs is watched for its coverpoints, which costs as much as a run.
const watchEvery = 8

func (w *jobWorker) Case(n uint64, r *Result) error {
	job, judge := w.job(n), &w.judge
	if w.watched != nil && n%watchEvery == 0 {
		judge, w.recorder.Reached = w.watched, cover.Set{}
		defer func() { r.Reached = w.recorder.Reached }()
	}
	verdict, d, err := judge.Run(job)
	switch {
	case err != nil:
		r.Key, r.Outcome, r.Text, err = unanswered(err)
		return err
	case verdict == compare.Undefined, verdict == compare.NotComparable:
		r.Outcome = verdict.String()
	case verdict == compare.Differ:
		at, err := w.judge.Locate(job, d)
		r.Key, r.Text = at.Key(), d.String()
		return err
	}
	return nil
}

func (w *jobWorker) Data(n uint64) ([]byte, error) { return json.Marshal(w.job(n)) }

// ParseJob reads a job with its profile; the default is f24.
func ParseJob(data []byte) (*pica.Job, error) {
	return pica.ParseJob(data, func(name string) (pica.Profile, error) {
		if name == "" {
			name = "f24"
		}
		return profile.Parse(name)
	})
}

// finder finds differences of jobs.
type finder struct {
	Engines
	judge compare.Pair
}

// find returns the key of a job's difference, its place, and a sentence about it. A job that an
// engine refuses has no difference. After a panic the engines are replaced, because their state
// is unknown.
func (f *finder) find(job *pica.Job) (key string, at compare.Location, text string) {
	panicked, why := guard(func() {
		found, differ, err := f.judge.Find(job)
		if k, _, why, other := unanswered(err); err != nil && other == nil {
			key, at, text = k, compare.Location{Step: -1}, why
		}
		if differ && err == nil {
			key, at, text = found.Key(), found, found.Difference.String()
		}
	})
	if panicked != "" {
		f.judge = f.Engines.judge()
		return panicked, compare.Location{Step: -1}, why
	}
	return key, at, text
}

func (e Engines) finder() *finder { return &finder{e, e.judge()} }

// Keys returns the way to judge jobs during a reduction: they keep their key.
func (e Engines) Keys() reduce.Jobs {
	witness := e.finder()
	return reduce.Jobs{
		NewKey: func() reduce.Key {
			f := e.finder()
			return func(job *pica.Job) string {
				if e.Foreign && adapter.AsksB15(job) {
					return ""
				}
				key, _, _ := f.find(job)
				return key
			}
		},
		Witness: func(job *pica.Job) (reduce.Witness, bool) {
			key, at, _ := witness.find(job)
			return reduce.Witness{Vertex: at.Vertex, PC: at.PC, Before: at.Before, Sources: at.Sources,
					Storage: at.Storage},
				key != "" && at.Step >= 0
		},
	}
}

// maxTries limits the reduction of one bucket.
const maxTries = 20_000

// reduceFound reduces a job. A job without a difference on new engines stays as it is.
func (e Engines) reduceFound(ctx context.Context, f Found) (Reduced, error) {
	job, err := ParseJob(f.Data)
	if err != nil {
		return Reduced{}, err
	}
	r, err := reduce.Job(ctx, e.Sent(job), e.Keys(), reduce.Options{Workers: 1, MaxTries: maxTries})
	var c *JobCase
	switch {
	case errors.Is(err, reduce.ErrNothing):
		c, err = NewJobCase(reduce.JobResult{Job: job, Report: asFound(f).Report})
		if err == nil {
			c.Text = "only after other jobs: alone, on new engines, it shows no difference"
			c.Reproduce = e.reproduce(c)
		}
	case err == nil:
		c, err = e.Case(ctx, r)
	}
	if err != nil {
		return Reduced{}, err
	}
	return Reduced{Data: c.Job, Text: c.String(), Job: c, Report: c.Reduction}, nil
}

// Case returns a reduced job with its difference.
func (e Engines) Case(ctx context.Context, r reduce.JobResult) (*JobCase, error) {
	c, err := NewJobCase(r)
	if err != nil {
		return nil, err
	}
	_, at, text := e.finder().find(r.Job)
	c.Text = text
	if at.Step >= 0 {
		c.Text += " after " + asm.Format(at.Word, r.Job.Descriptors)
	}
	if e.Referee != nil {
		c.Text += "; " + e.Referee(ctx, r.Job)
	}
	c.Reproduce = e.reproduce(c)
	return c, nil
}

// reproduce returns the command that shows the difference of a job again.
func (e Engines) reproduce(c *JobCase) string {
	return fmt.Sprintf("picaproof compare%s --job %s", e.Arguments, command.Quoted(string(c.Job)))
}
