package hunt_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/fuzz/hunt"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

// TestJobCaseOfManyWords: a program with many NOPs has few instructions, and its text is the
// same program.
func TestJobCaseOfManyWords(t *testing.T) {
	for _, p := range []struct {
		text                string
		instructions, words int
	}{
		{"jmpu b0, far\n.nop 512\nfar:\nmov o0, v0\nend\n", 4, 515},
		{"nop\nmov o0, v0\nend\n", 3, 0},
	} {
		a, err := asm.Assemble([]asm.Source{{Text: ".limit 4096\n" + p.text}}, asm.AssembleOptions{})
		if err != nil {
			t.Fatal(err)
		}
		c, err := hunt.NewJobCase(reduce.JobResult{Job: &pica.Job{Program: a.Program}})
		if err != nil {
			t.Fatal(err)
		}
		if c.Instructions != p.instructions || c.Words != p.words {
			t.Errorf("got %d instructions in %d words, want %d in %d\n%s", c.Instructions, c.Words, p.instructions,
				p.words, c.Assembly)
		}
		if told := strings.Contains(c.String(),
			fmt.Sprintf("program of %d words", len(a.Code))); told != (p.words > 0) {
			t.Errorf("the words are named: %v, want %v:\n%s", told, p.words > 0, c)
		}
		again, err := asm.Assemble([]asm.Source{{Text: c.Assembly}}, asm.AssembleOptions{})
		if err != nil {
			t.Fatalf("%v\n%s", err, c.Assembly)
		}
		if !slices.Equal(again.Code, a.Code) {
			t.Errorf("the text is another program:\n%s", c.Assembly)
		}
	}
}
