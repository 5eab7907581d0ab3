package adapter

import (
	"testing"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

// TestFew: the instructions of all vertices count, on the first core on which the run ends.
func TestFew(t *testing.T) {
	for _, x := range []struct {
		text     string
		vertices int
		few      bool
	}{
		{"mov o0, v0\nend", fewSteps / 2, true}, {"mov o0, v0\nend", fewSteps/2 + 1, false},
		{"loop i0, L0\nnop\nL0: end", fewSteps / 5, true}, {"loop i0, L0\nnop\nL0: end", fewSteps/5 + 1, false},
		{"L0: jmpu !b0, L0\nend", 1, false},
		{"breakc cmp.x\nend", 1, true}, // the console hangs
	} {
		a, err := asm.Assemble([]asm.Source{{Text: x.text}}, asm.AssembleOptions{})
		if err != nil {
			t.Fatal(err)
		}
		job := pica.Job{Program: a.Program, Vertices: make([][]pica.Vec4, x.vertices)}
		job.Ints[0] = [4]uint8{2}
		q, err := newRequest(1, &job, true, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := few(q); got != x.few {
			t.Errorf("%s, %d vertices: got %v", x.text, x.vertices, got)
		}
	}
	if few(newInfo(1)) {
		t.Error("a request for information is a job")
	}
}
