package conform

import (
	"slices"
	"testing"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/hypothesis"
	"github.com/picaproof/picaproof/conform/proof"
	"github.com/picaproof/picaproof/conform/view"
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

// TestNameOfZeros: the entry of an upload of zeros says of what.
func TestNameOfZeros(t *testing.T) {
	if got, want := nameOfUpload(uploads()[0]), "upload of input float32 +0, uniform float24 +0"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestRivalsDiffer: an entry names no rival with the text of its cause.
func TestRivalsDiffer(t *testing.T) {
	list := hypothesis.Table(&pica.Profile{})
	k := slices.IndexFunc(list, func(h *hypothesis.Hypothesis) bool { return h.Name == "dp3-reads-w" })
	h, p := list[k], profile.F24()
	dp3 := pica.DP3.Layout()
	code := []uint32{dp3.Src[1].Put(uint32(pica.DP3)<<26, pica.SourceInput), uint32(pica.END) << 26}
	job := newJob(pica.Program{Code: code, Descriptors: []uint32{uint32(pica.IdentityDescriptor)}})
	job.Vertices[0] = []pica.Vec4{{0, 0, 0, pica.Float32.One()}}
	core := adapter.InProcess("reads w", p, func() pica.Engine { return hypothesis.Engine(h) })
	s := &session{core: core, model: p, proved: []proof.Cause{{Hypothesis: h, Job: job, Got: &view.View{},
		Rivals: []*hypothesis.Hypothesis{h, list[k+1], list[k+1]}}}}
	d, ok := s.provedDeviation(t.Context(), 0, &p)
	if !ok || len(d.Proof.Rivals) != 1 || d.Proof.Rivals[0] != list[k+1].String() {
		t.Errorf("%t: %+v", ok, d.Proof)
	}
}
