package conform_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/conform"
	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/fuzz/hunt"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica/decode"
)

// TestReproduce: the job of a cause names its profile, and shows the difference again if it
// counts against the core. A job whose answer has a message, or cannot be predicted, is not
// comparable alone. The command has no field that changes nothing.
func TestReproduce(t *testing.T) {
	names := []string{"citra-2021", "mikage-interp"}
	if testing.Short() {
		names = names[:1]
	}
	for _, name := range names {
		p, _ := profile.ByName(name)
		again := fingerprint.AsEngine(adapter.InProcess(name, p, impl.New))
		for _, d := range judge(t, name, conform.Options{Cases: fewCases}).Deviations {
			job, err := hunt.ParseJob(d.Job)
			if err != nil {
				t.Fatalf("%s: %v", d.Bucket, err)
			}
			if _, pasted, ok := strings.Cut(d.Reproduce, " --job "); ok {
				again, err := hunt.ParseJob([]byte(strings.Trim(pasted, "'")))
				if err != nil || len(pasted) >= len(d.Job) || !reflect.DeepEqual(again, job) {
					t.Errorf("%s: the command has another job, %v, or no shorter one:\n%s\n%s", d.Bucket, err, d.Job, pasted)
				}
			}
			j := compare.Pair{Want: impl.New(), Got: again, Foreign: true}
			verdict, _, err := j.Run(job)
			if (d.Verdict.Bad() || d.Verdict == report.Precision) && verdict == compare.Equal {
				t.Errorf("%s: %s, profile %s: %v, %v\n%s", name, d.Bucket, job.Profile.Name, verdict, err, d.Assembly)
			}
		}
	}
}

// TestNoise: no program of a cause has bits that no reader uses, if these are not the fault.
func TestNoise(t *testing.T) {
	for _, d := range judge(t, "panda-x64", conform.Options{Suites: []string{"upload"}}).Deviations {
		job, err := hunt.ParseJob(d.Job)
		if err != nil {
			t.Fatalf("%s: %v", d.Bucket, err)
		}
		for _, w := range job.Code {
			if bits := decode.Ignored(w) & w; bits != 0 {
				t.Errorf("%s has unused bits %#08x:\n%s", d.Bucket, bits, d.Assembly)
			}
		}
	}
}

// TestTrace: the trace of a difference of the model ends with the instruction under both rules.
func TestTrace(t *testing.T) {
	r := judge(t, "f32", conform.Options{Suites: []string{"upload"}})
	d, err := r.Find("model: storage")
	if err != nil {
		t.Fatal(err)
	}
	if d.Trace == nil || len(d.Trace.Steps) < 2 {
		t.Fatalf("got %+v", d.Trace)
	}
	steps := d.Trace.Steps[len(d.Trace.Steps)-2:]
	core, console := steps[0], steps[1]
	if core.Whose != "core" || console.Whose != "console" || core.Number != console.Number ||
		core.Instruction != console.Instruction || core.Effect == console.Effect {
		t.Errorf("got %+v", steps)
	}
}
