package conform

import (
	"testing"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// TestFlawless: a right answer does not speak against a core, whatever is known of its faults, and what is expected of
// a wrong one is what the model says without them.
func TestFlawless(t *testing.T) {
	faulty := func(flag bool) func(r *oracle.Rules) { // DP3 and DP4 give 1, or 2
		return func(r *oracle.Rules) {
			r.Unit.Ops.Dot = func(u *oracle.Unit, _, _ pica.Vec4, _ int) uint32 {
				if flag {
					return u.One
				}
				return u.Ops.Add(u, u.One, u.One)
			}
		}
	}
	dp3 := pica.DP3.Layout()
	code := []uint32{dp3.Src[1].Put(uint32(pica.DP3)<<26, pica.SourceInput), uint32(pica.END) << 26}
	job := newJob(pica.Program{Code: code, Descriptors: []uint32{uint32(pica.IdentityDescriptor)}})
	job.Profile = profile.F24()
	for _, x := range []struct {
		name   string
		change func(r *oracle.Rules)
		want   string
	}{
		{"right", func(*oracle.Rules) {}, Equal}, {"as the faults have it", faulty(true), Equal},
		{"wrong", faulty(false), Differ},
	} {
		core := adapter.InProcess(x.name, job.Profile, func() pica.Engine { return impl.NewWith(x.change, nil) })
		j := (&session{core: core}).newJudgeOf(t.Context(), job.Profile)
		j.faultless, j.predict = j.predict, fingerprint.PredictorOf(impl.NewWith(faulty(true), nil))
		if got := j.ask(job, false); got != x.want {
			t.Errorf("%s: %s, want %s", x.name, got, x.want)
		}
		if d := j.unlikeModel(job); x.want == Differ && d.Expected != "0 (0x00000000)" {
			t.Errorf("%s: expected %q", x.name, d.Expected)
		}
	}
}
