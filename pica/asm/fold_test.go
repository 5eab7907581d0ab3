package asm_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

// TestFold: a run of NOPs is one line, which is split at a label.
func TestFold(t *testing.T) {
	const text = "jmpu b0, far\n.nop 600\nfar:\n.nop 8\nnop\nend\n.nop 7\n"
	a, err := asm.Assemble([]asm.Source{{Text: ".limit 4096\n" + text}}, asm.AssembleOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if want := 1 + 600 + 9 + 1 + 7; len(a.Code) != want {
		t.Fatalf("got %d words, want %d", len(a.Code), want)
	}
	s := &pica.Shader{Program: a.Program}
	folded, again := reassemble(t, s, asm.Options{Fold: true})
	if !slices.Equal(again.Code, a.Code) {
		t.Errorf("other words after a round trip:\n%s", folded)
	}
	if strings.Count(folded, "\t.nop ") != 2 || !strings.Contains(folded, "\t.nop 600\n") ||
		!strings.Contains(folded, "\t.nop 9\n") {
		t.Errorf("want .nop 600 and .nop 9 alone:\n%s", folded)
	}
}
