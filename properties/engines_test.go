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

// profiles are those that both engines implement.
var profiles = []pica.Profile{profile.F24(), profile.HW(), profile.F32()}

// jobs draws jobs of every mode in every profile.
var jobs = arb.Jobs(gen.Modes, profiles...)

// engines are those that must have every property of a run.
var engines = []func() pica.Engine{impl.New, func() pica.Engine { return vm.New() }}

// ofEngines checks a property of each engine. An engine serves all runs, so
// that what one leaves behind shows in the next.
func ofEngines(t *testing.T, property func(t *testing.T, engine pica.Engine)) {
	for _, make := range engines {
		engine := make()
		t.Run(engine.Name(), func(t *testing.T) { property(t, engine) })
	}
}

// outcome runs a job; the outcome stays valid.
func outcome(engine pica.Engine, job *pica.Job) (*pica.Outcome, error) {
	out := new(pica.Outcome)
	return out, engine.Run(job, out)
}

// same says where two outcomes of jobs differ, with the first job's text.
func same(job *pica.Job, want, got *pica.Outcome) error {
	if verdict, d := compare.Outcomes(want, got); verdict == compare.Differ {
		return failure(job, "%v", d)
	}
	return nil
}

// failure is an error with the text of a job, from which it can be run again.
func failure(job *pica.Job, format string, args ...any) error {
	text, err := json.Marshal(job)
	if err != nil {
		text = []byte(err.Error())
	}
	return fmt.Errorf("%s\njob %s", fmt.Sprintf(format, args...), text)
}
