package proof

import (
	"testing"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/hypothesis"
	"github.com/picaproof/picaproof/conform/view"
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
