package campaign

import (
	"context"
	"encoding/json"

	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/pica"
)

// Jobs returns the target that runs generated jobs on the oracle and on an
// engine, which implements the profile.
func Jobs(mode gen.Mode, profile pica.Profile, newEngine func() pica.Engine, reduce func(ctx context.Context, f Found) (Reduced, error)) Target {
	return Target{
		Name: string(mode) + " " + profile.Name, Extension: ".json", Reduce: reduce,
		New: func() (Worker, error) {
			return &jobWorker{mode: mode, profile: profile, judge: compare.Judge{Want: oracle.New(), Got: newEngine()}}, nil
		},
	}
}

type jobWorker struct {
	mode    gen.Mode
	profile pica.Profile
	gen     gen.Generator
	judge   compare.Judge
	// What traces a job for its coverpoints.
	machine  oracle.Machine
	recorder cover.Recorder
}

// traced is how rarely a job is traced for its coverpoints, which costs as much
// as to run it twice.
const traced = 8

func (w *jobWorker) job(seed, n uint64) *pica.Job {
	job := w.gen.Job(gen.Seed(seed, n), w.mode)
	job.Profile = w.profile
	return job
}

func (w *jobWorker) Case(seed, n uint64, reached *cover.Set) (key, text string, err error) {
	return guarded(func() (string, string, error) {
		job := w.job(seed, n)
		if n%traced == 0 {
			if err := w.trace(job); err != nil {
				return "", "", err
			}
			reached.Union(&w.recorder.Reached)
		}
		verdict, d, err := w.judge.Run(job)
		if err != nil || verdict != compare.Differ {
			return "", "", err
		}
		at, err := w.judge.Locate(job, d)
		return at.Key(), d.String(), err
	})
}

// trace collects the coverpoints of a job.
func (w *jobWorker) trace(job *pica.Job) error {
	w.recorder.Reached = cover.Set{}
	for i := range job.Vertices {
		if err := w.machine.Load(job, i); err != nil {
			return err
		}
		w.recorder.Start(job, i, w.machine.State())
		for s := w.machine.Step(); s != nil; s = w.machine.Step() {
			w.recorder.Step(s)
		}
	}
	return nil
}

func (w *jobWorker) Data(seed, n uint64) ([]byte, error) { return json.Marshal(w.job(seed, n)) }
