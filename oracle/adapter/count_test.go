package adapter

import (
	"testing"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

// TestCount: the instructions of all vertices count, on the first core on which the run ends.
func TestCount(t *testing.T) {
	for text, want := range map[string]int{
		"mov o0, v0\nend": 2 * 2, "loop i0, L0\nnop\nL0: end": 2 * (1 + 3 + 1), "L0: jmpu !b0, L0\nend": endless,
		"breakc cmp.x\nend": 2 * 2, // the console hangs
	} {
		a, err := asm.Assemble([]asm.Source{{Text: text}}, asm.AssembleOptions{})
		if err != nil {
			t.Fatal(err)
		}
		job := pica.Job{Program: a.Program, Vertices: make([][]pica.Vec4, 2)}
		job.Ints[0] = [4]uint8{2}
		q, err := newRequest(1, &job, true, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := count(q, 10); got != want {
			t.Errorf("%s: got %d, want %d", text, got, want)
		}
		if got := count(q, max(want-1, 2)); got != endless {
			t.Errorf("%s: got %d, want more than %d", text, got, want-1)
		}
	}
	if count(newInfo(1), 10) != 0 {
		t.Error("a request for information is a job")
	}
}
