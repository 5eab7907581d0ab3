package proof_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/conform/proof"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// TestUntrue: what answers many programs as a core does is no cause if it is not what the core does.
func TestUntrue(t *testing.T) {
	for _, x := range []struct {
		name   string
		model  string
		change func(r *oracle.Rules)
		never  []string // in the name of a cause
	}{
		{"lg2 takes a subnormal for a normal number", "f32", result(pica.LG2,
			func(u *oracle.Unit, s *[3]pica.Vec4, v *pica.Vec4) {
				x := s[0][0]
				if u.Exponent(x) != 0 || u.IsNaN(x) {
					return
				}
				one := u.Ops.Log2(u, x&(1<<u.Mantissa-1)|u.One)
				bias := oracle.Number{Class: oracle.Finite, Neg: true, Sig: 127}
				y := u.Ops.Add(u, one, u.Round(bias, oracle.Nearest, false))
				*v = pica.Vec4{y, y, y, y}
			}), []string{"where it is below", "-127 where source 1 is subnormal"}},
		{"breakc that leaves a nested loop clears cc.y", "f32", within(is(pica.BREAKC), func(r *oracle.Rules) {
			leave := r.Flow.BREAK
			r.Flow.BREAK = func(c *oracle.Control) {
				leave(c)
				c.CC[1] = c.CC[1] && c.Stacks.LoopDepth < 2
			}
		}), []string{"becomes false, in"}},
	} {
		p, _ := profile.ByName(x.model)
		causes, rest := explain(impl.NewWith(x.change, nil), p)
		t.Logf("%s: %d left: %s", x.name, len(rest), texts(causes))
		for _, c := range causes {
			if slices.ContainsFunc(x.never, func(text string) bool { return strings.Contains(c.String(), text) }) {
				t.Errorf("%s: untrue: %s", x.name, c)
			}
		}
	}
}

// TestBothUploads: what all uploads do is not blamed on reading alone, because no program tells them apart.
func TestBothUploads(t *testing.T) {
	flush := func(u *oracle.Unit, _ int, _ pica.NumberFormat, v pica.Vec4) pica.Vec4 {
		for i, x := range v {
			if u.Exponent(x) == 0 {
				v[i] = x & u.Sign
			}
		}
		return v
	}
	causes, rest := explain(impl.NewWith(func(r *oracle.Rules) { r.Upload.Input, r.Upload.Float = flush, flush }, nil),
		profile.HW(), proof.Specials()...)
	const want = "subnormals become zeros of their sign in uploads of float uniforms and inputs"
	if len(causes) != 1 || !slices.Contains(names(causes[0]), want) {
		t.Errorf("%d left: %s", len(rest), texts(causes))
	}
}
