package conform_test

import (
	"testing"

	"github.com/picaproof/picaproof/conform"
	"github.com/picaproof/picaproof/conform/hypothesis"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// strange is an engine with a result that no rule explains.
type strange struct{ pica.Engine }

func (e strange) Run(job *pica.Job, out *pica.Outcome) error {
	err := e.Engine.Run(job, out)
	if len(out.Vertices) > 0 {
		out.Vertices[0].O[3][2] ^= 0x1234
	}
	return err
}

// TestReferee: a rule decides between two cores if it is what they differ in, and the console's is known.
func TestReferee(t *testing.T) {
	parsed := func(name string) pica.Profile {
		p, err := profile.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	as := func(name string) adapter.Core { return adapter.InProcess(name, parsed(name), impl.New) }
	const one, two, tiny, third, inf, minusInf = 0x3F800000, 0x40000000, 0x33C00000, 0x3EAAAAAB, 0x7F800000, 0xFF800000
	for _, x := range []struct {
		text, profile string
		values        pica.Vec4 // v0
		a, b          adapter.Core
		want          string
		agrees        bool // the profile's answer is that of a core
	}{
		{"max o0, v0, v0.yyyy", "hw", pica.Vec4{0, minusInf}, as("hw"), as("hw,maxinf=src2"),
			"hw agrees with hw: maxinf=compare: hw; maxinf=src2: hw,maxinf=src2", true},
		{"mul o0, v0, v0.yyyy", "hw", pica.Vec4{0, inf}, as("f32"), as("f32,zeroinf=nan"),
			"hw agrees with f32: zeroinf=zero: f32; zeroinf=nan: f32,zeroinf=nan", true},
		{"mul o0, v0, v0.yyyy", "hw,zeroinf=nan", pica.Vec4{0, inf}, as("f32"), as("f32,zeroinf=nan"),
			"hw,zeroinf=nan agrees with f32,zeroinf=nan: zeroinf=zero: f32; zeroinf=nan: f32,zeroinf=nan", true},
		// The console's rounding is unknown: the answer of hw is that of the second core by chance.
		{"add o0, v0, v0.yyyy", "hw", pica.Vec4{one, tiny}, as("f32"), as("f32,round=rz"),
			"no known rule of hw decides: nobody has measured it: round=rne: f32; round=rz: f32,round=rz", true},
		{"dp3 o0, v0, v0", "hw", pica.Vec4{one, one, one, two}, as("f24"),
			executor("dp3-reads-w"), "hw agrees with f24: DP3 reads x, y, z (3.2): f24; dp3-reads-w: dp3-reads-w", true},
		{"add o0, v0, v1", "hw", pica.Vec4{}, as("f32"), adapter.InProcess("strange", parsed("f32"),
			func() pica.Engine { return strange{impl.New()} }),
			"no known rule of hw decides: it is undefined there: unreliable-input", true},
		{"mov o0, v0", "hw", pica.Vec4{third}, as("f32"), adapter.InProcess("strange", parsed("f32"),
			func() pica.Engine { return strange{impl.New()} }),
			"no known rule of hw decides: no single rule tells one core from the other", false},
	} {
		job := *conform.Assembled(x.text)
		job.Profile, job.Vertices = parsed(x.profile), [][]pica.Vec4{{x.values}}
		agrees := false
		var out pica.Outcome
		for _, core := range []adapter.Core{x.a, x.b} {
			if a := core.Ask(t.Context(), &job); impl.New().Run(&job, &out) == nil {
				wide := out.Vertices[0].O[0]
				if out.Storage == pica.Float24 {
					pica.Float24.WidenVector(&wide, &out.Vertices[0].O[0])
				}
				agrees = agrees || wide == a.Outcome.Vertices[0].O[0]
			}
		}
		if agrees != x.agrees {
			t.Errorf("%s: the answer of %s is that of a core: %t", x.text, x.profile, agrees)
		}
		if got := conform.NewReferee([2]adapter.Core{x.a, x.b}).Decides(t.Context(), &job); got != x.want {
			t.Errorf("%s under %s:\ngot  %s\nwant %s", x.text, x.profile, got, x.want)
		}
	}
}

// TestRefereeNamesTheFault: what predicts the answers to one program is not named if other programs speak against it.
func TestRefereeNamesTheFault(t *testing.T) {
	f32, err := profile.Parse("f32")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		text, fault, condition, want string
	}{
		{"loop i0, end\nbreakc !cmp.x || !cmp.y\nadd o0, v0, v0\nend:", "breakc: condop 0 is negated", "",
			"hw agrees with f32: a condition compares the flags with its references (1.3): f32; " +
				"breakc: condop 0 is negated: wrong"},
		{"sgei o0, v0, -c0", "negate-2-is-ignored", "source 2 is a float uniform",
			"hw agrees with f32: each source has a negate bit (1.4): f32; " +
				"negate-2-is-ignored, source 2 is a float uniform: wrong"},
	} {
		const one = 0x3F800000
		job := *conform.Assembled(x.text)
		job.Profile, job.Vertices = profile.HW(), [][]pica.Vec4{{{one}}}
		job.Floats = []pica.Upload{{Format: pica.Float32, Values: []pica.Vec4{{one}}}}
		sight := hypothesis.See(&job)
		var fault *hypothesis.Hypothesis
		for _, h := range append(hypothesis.Table(&job.Profile), sight.Families...) {
			if h.String() == x.fault {
				fault = h
			}
		}
		for _, c := range sight.Conditions {
			if c.Text == x.condition {
				fault = fault.Within(c)
			}
		}
		if fault == nil || (x.condition != "") != (len(fault.Scope) > 0 && !fault.Scope[0].OfOpcodes()) {
			t.Fatalf("no hypothesis %q, %q", x.fault, x.condition)
		}
		cores := [2]adapter.Core{adapter.InProcess("f32", f32, impl.New),
			adapter.InProcess("wrong", f32, func() pica.Engine { return hypothesis.Engine(fault) })}
		if got := conform.NewReferee(cores).Decides(t.Context(), &job); got != x.want {
			t.Errorf("%s:\ngot  %s\nwant %s", fault, got, x.want)
		}
	}
}
