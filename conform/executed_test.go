package conform

import (
	"testing"

	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// TestUsesUndefined: EMIT with vertex id 3, which ends the run in undefined behaviour, is among the instructions that the
// run reaches; END behind it is not.
func TestUsesUndefined(t *testing.T) {
	job := &pica.Job{Stage: pica.Geometry, Profile: profile.F24(), Vertices: make([][]pica.Vec4, 1),
		Program: pica.Program{Code: []uint32{0xAF000000, 0xA8000000, 0x88000000}}} // setemit 3; emit; end
	var got []pica.Opcode
	for _, u := range newWatcher().uses(job) {
		got = append(got, u.op)
	}
	if len(got) != 2 || got[0] != pica.SETEMIT || got[1] != pica.EMIT {
		t.Errorf("got %v, want setemit and emit", got)
	}
}
