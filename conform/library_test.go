package conform_test

import (
	"testing"

	"github.com/picaproof/picaproof/conform"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// ofLibrary returns a core that follows a profile, but some of its results of EX2 and LG2 are a
// number of steps of float32 off.
func ofLibrary(p pica.Profile, steps uint32) adapter.Core {
	off := func(f func(u *oracle.Unit, a uint32) uint32) func(u *oracle.Unit, a uint32) uint32 {
		return func(u *oracle.Unit, a uint32) uint32 {
			x := f(u, a)
			if x<<1 != 0 && x<<1 < 0xFF000000-2*steps && a*0x9E3779B1>>31 != 0 {
				x += steps
			}
			return x
		}
	}
	return adapter.InProcess("library", p, func() pica.Engine {
		return impl.NewWith(func(r *oracle.Rules) {
			r.Unit.Ops.Exp2, r.Unit.Ops.Log2 = off(r.Unit.Ops.Exp2), off(r.Unit.Ops.Log2)
		}, nil)
	})
}

// TestLibrary: results of EX2 and LG2 that are one unit off, and what is computed from them, count
// against no core, whichever profile it is compared with. Two units off do.
func TestLibrary(t *testing.T) {
	type model struct {
		name  string
		asked bool
		steps uint32
	}
	list := []model{{"azahar-interp", false, 1}, {"azahar-interp", true, 1}, {"f32", true, 1}, {"azahar-interp", true, 2},
		{"panda-interp", false, 1}, {"citra-2021", true, 1}, {"hw,storage=f32,upload=exact,ex2=libm", true, 1}}
	for _, x := range long.Items(t, list, 2) {
		p, err := profile.Parse(x.name)
		if err != nil {
			t.Fatal(err)
		}
		o := conform.Options{Suites: conform.Suites, Cases: 300, Seed: 1}
		if x.asked {
			o.Model = &p
		}
		r, err := conform.Run(t.Context(), ofLibrary(p, x.steps), o)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, d := range r.Deviations {
			fails := len(d.Members) > 0 && !foreseen(&d)
			if found = found || fails; fails && x.steps == 1 {
				t.Errorf("%+v: %s: %s: %s\n%s%v", x, d.Verdict, d.Bucket, d.Summary(), d.Assembly, d.Inputs)
			}
		}
		for _, s := range r.Suites {
			if x.steps == 1 && s.Differ > 0 {
				t.Errorf("%+v: %d jobs of suite %s differ", x, s.Differ, s.Name)
			}
		}
		if !found && x.steps > 1 {
			t.Errorf("%+v: not found", x)
		}
	}
}
