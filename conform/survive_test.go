package conform

import (
	"slices"
	"testing"

	"github.com/picaproof/picaproof/conform/hypothesis"
	"github.com/picaproof/picaproof/conform/proof"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// TestMortal: programs lose the instructions at which a proved crash ends them, also behind a read of which the model
// predicts nothing. They keep what hangs without the proved crash.
func TestMortal(t *testing.T) {
	model, err := profile.Parse("mikage-interp")
	if err != nil {
		t.Fatal(err)
	}
	deaths := hypothesis.Deaths(pica.Trap{Cause: pica.TrapUnsupported, Refusal: pica.RefusalCrash}, nil, nil, nil)
	n := slices.IndexFunc(deaths, func(h *hypothesis.Hypothesis) bool {
		return h.String() == "the core crashes, an index that leads before v0"
	})
	crash := deaths[n]
	s := &session{findings: findings{}, model: model, faults: []*hypothesis.Hypothesis{crash},
		proved: []proof.Cause{{Hypothesis: crash, Got: &view.View{End: view.Crashed}}}}
	m := s.newMortal()
	const mova0, mova1, v0indexed, c6indexed, end = 0x48000000, 0x48001000, 0x4c100000, 0x4c126000, 0x88000000
	const always = 0xb4000000 // jmpu b0, word 0
	for _, c := range []struct {
		name       string
		code, want []uint32
		bools      uint16
	}{
		{"no crash", []uint32{mova0, v0indexed, end}, []uint32{mova0, v0indexed, end}, 0},
		{"crash", []uint32{mova1, v0indexed, end}, []uint32{mova1, nop, end}, 0},
		{"behind foreign memory", []uint32{mova0, c6indexed, mova1, v0indexed, end},
			[]uint32{mova0, c6indexed, mova1, nop, end}, 0},
		{"hang of the model", []uint32{always, end}, []uint32{always, end}, 1},
	} {
		job := newJob(pica.Program{Code: c.code, Descriptors: []uint32{0x0d86c36f}})
		job.Bools = c.bools
		job.Vertices = [][]pica.Vec4{{{0, 0x42b40000, 0, 0}, {0, 0xbf800000, 0, 0}}} // indices 90 and -1
		if got := m.survivor(job).Code; !slices.Equal(got, c.want) {
			t.Errorf("%s: got %08x, want %08x", c.name, got, c.want)
		}
		if dies := !slices.Equal(c.code, c.want); m.explains(job, Crash) != dies || m.explains(job, Hang) {
			t.Errorf("%s: explained: a crash %v, a hang %v", c.name, m.explains(job, Crash), m.explains(job, Hang))
		}
	}
}
