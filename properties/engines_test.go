package properties_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/vm"
	"github.com/picaproof/picaproof/properties/arb"
)

// profiles are the profiles that both engines implement.
var profiles = []pica.Profile{profile.F24(), profile.HW(), profile.F32()}

// jobs draws jobs of every mode in every profile.
var jobs = arb.Jobs(gen.Modes, profiles...)

// engines are the engines that must have every property of a run.
var engines = []func() pica.Engine{impl.New, func() pica.Engine { return vm.New() }}

// ofEngines checks a property of each engine. One engine serves all runs, so that state that a
// run leaves behind shows in the next run.
func ofEngines(t *testing.T, property func(t *testing.T, engine pica.Engine)) {
	for _, make := range engines {
		engine := make()
		t.Run(engine.Name(), func(t *testing.T) { property(t, engine) })
	}
}

// outcome runs a job; the outcome stays valid after other runs.
func outcome(engine pica.Engine, job *pica.Job) (*pica.Outcome, error) {
	out := new(pica.Outcome)
	return out, engine.Run(job, out)
}

// same returns an error about the first difference of two outcomes, with the text of the first job.
func same(job *pica.Job, want, got *pica.Outcome) error {
	if verdict, d := compare.Outcomes(want, got); verdict == compare.Differ {
		return failure(job, "%v", d)
	}
	return nil
}

// failure returns an error with the text of a job, from which the job can be run again.
func failure(job *pica.Job, format string, args ...any) error {
	text, err := json.Marshal(job)
	if err != nil {
		text = []byte(err.Error())
	}
	return fmt.Errorf("%s\njob %s", fmt.Sprintf(format, args...), text)
}
