package conform_test

import (
	"testing"

	"github.com/picaproof/picaproof/conform"
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
		if got := conform.Referee(t.Context(), &job, [2]adapter.Core{x.a, x.b}); got != x.want {
			t.Errorf("%s under %s:\ngot  %s\nwant %s", x.text, x.profile, got, x.want)
		}
	}
}
