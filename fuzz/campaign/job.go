package campaign

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/pica"
)

// Jobs returns the target that runs generated jobs on the oracle and on an
// engine, which implements the profile. The reducer may be nil.
func Jobs(mode gen.Mode, profile pica.Profile, newEngine func() pica.Engine, reducer func(ctx context.Context, f Found) (Reduced, error)) Target {
	return Target{
		Name: string(mode) + " " + profile.Name, Extension: ".json",
		Reduce: func(ctx context.Context, f Found) (Reduced, error) {
			if reducer == nil || strings.HasPrefix(f.Key, panicKey) { // it would panic again, where nobody catches it
				return Reduced{Data: f.Data, Text: f.Text + "\n", End: reduce.Minimal}, nil
			}
			return reducer(ctx, f)
		},
		New: func() (Worker, error) {
			w := &jobWorker{mode: mode, profile: profile}
			w.judge.Want, w.judge.Got = oracle.New(), newEngine()
			w.watched.Want, w.watched.Got = oracle.Watched(&w.recorder), w.judge.Got
			return w, nil
		},
	}
}

type jobWorker struct {
	mode     gen.Mode
	profile  pica.Profile
	gen      gen.Generator
	judge    compare.Judge
	watched  compare.Judge // its oracle tells the recorder what it does
	recorder cover.Recorder
}

// traced is how rarely a job is watched for its coverpoints, which costs as much
// as to run it.
const traced = 8

func (w *jobWorker) job(seed, n uint64) *pica.Job {
	job := w.gen.Job(gen.Seed(seed, n), w.mode)
	job.Profile = w.profile
	return job
}

func (w *jobWorker) Case(seed, n uint64, reached *cover.Set) (key, text string, err error) {
	return guarded(func() (string, string, error) {
		job := w.job(seed, n)
		judge := &w.judge
		if n%traced == 0 {
			judge = &w.watched
		}
		w.recorder.Reached = cover.Set{}
		verdict, d, err := judge.Run(job)
		reached.Union(&w.recorder.Reached)
		if err != nil || verdict != compare.Differ {
			return "", "", err
		}
		at, err := w.judge.Locate(job, d)
		return at.Key(), d.String(), err
	})
}

func (w *jobWorker) Data(seed, n uint64) ([]byte, error) { return json.Marshal(w.job(seed, n)) }
