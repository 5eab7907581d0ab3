package proof

import (
	"context"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/hypothesis"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// TestContradictions: of each cause the answers count that are predicted without it, but not with it.
func TestContradictions(t *testing.T) {
	s := &Search{Profile: profile.F24()}
	s.begin()
	one := pica.Float24.One()
	j := &pica.Job{Budget: 64, OutMask: 0xFFFF, InputFormat: pica.Float24, Vertices: [][]pica.Vec4{{{0, 0, 0, one}}},
		Program: pica.Program{Descriptors: []uint32{uint32(pica.IdentityDescriptor)},
			Code: []uint32{uint32(pica.DP3) << 26, uint32(pica.END) << 26}}}
	var right view.View
	fingerprint.NewPredictor().View(j, &s.Profile, &right)
	s.add(j, &right)
	for _, h := range hypothesis.Table(&s.Profile) {
		if h.Name == "dp3-reads-w" || h.Name == "flr-flushes-always" {
			s.causes, s.model = append(s.causes, Cause{Hypothesis: h}), append(s.model, h)
		}
	}
	left, _ := s.split()
	if s.contradict(left); len(s.causes) != 2 {
		t.Fatalf("%d causes", len(s.causes))
	}
	for _, c := range s.causes {
		want := 0
		if c.Name == "dp3-reads-w" {
			want = 1
		}
		if c.Contradictions != want {
			t.Errorf("%s: %d, want %d", c, c.Contradictions, want)
		}
	}
}

// TestEndsEarly: that a run has ended is not blamed on the one instruction that is left of it.
func TestEndsEarly(t *testing.T) {
	p := profile.F24()
	one := p.Storage.One()
	seed := &pica.Job{Budget: 64, OutMask: 0xFFFF, InputFormat: p.Storage, Vertices: [][]pica.Vec4{{{one, one, one, one}}},
		Program: pica.Program{Descriptors: []uint32{uint32(pica.IdentityDescriptor)}, Code: []uint32{
			pica.CALL.Layout().Dst.Put(uint32(pica.CALL)<<26, 1), uint32(pica.ADD) << 26, uint32(pica.END) << 26}}}
	predict := fingerprint.PredictorOf(impl.NewWith(func(r *oracle.Rules) {
		finish := r.Flow.Finish
		r.Flow.Finish = func(c *oracle.Control) {
			finish(c)
			c.Ended = c.Ended || c.Op == pica.CALL
		}
	}, nil))
	s := &Search{Profile: p, Ask: func(_ context.Context, j *pica.Job) *view.View {
		v := new(view.View)
		predict.View(j, &p, v)
		return v
	}, Hung: new(int), mayHang: 1, refuted: map[string]bool{}, lenient: true}
	s.begin()
	sight := s.sight(seed)
	h := sight.Families[slices.IndexFunc(sight.Families, func(h *hypothesis.Hypothesis) bool {
		return h.Name == "nothing is written"
	})]
	behind := slices.IndexFunc(sight.Conditions, func(c hypothesis.Condition) bool { return c.Text == "behind call" })
	h = h.Within(sight.Conditions[behind])
	if c := s.add(seed, s.Ask(t.Context(), seed)); !s.predicts(h, seed, c.Got) {
		t.Fatal("the seed is not predicted")
	} else if s.test(t.Context(), []score{{h: h, fits: 30}}, c, 0); !s.refuted[h.String()] {
		t.Errorf("untrue: %s", h)
	}
}
