package cli

import (
	"testing"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

// TestSteps: the instructions of all vertices count; of a run that does not end they are not known.
func TestSteps(t *testing.T) {
	for text, want := range map[string]int{
		"mov o0, v0\nend": 4, "loop i0, L0\nnop\nL0: end": 2 * (1 + 3 + 1), "L0: jmpu !b0, L0\nend": 0,
		"breakc cmp.x\nend": 4, // the console hangs
	} {
		a, err := asm.Assemble([]asm.Source{{Text: text}}, asm.AssembleOptions{})
		if err != nil {
			t.Fatal(err)
		}
		job := pica.Job{Program: a.Program, Vertices: make([][]pica.Vec4, 2)}
		job.Ints[0] = [4]uint8{2}
		if got := steps(&job); got != want {
			t.Errorf("%s: got %d, want %d", text, got, want)
		}
	}
}
