package asm_test

import (
	"slices"
	"testing"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

// TestPartKeepsLengths: a procedure keeps its unreached words, so that its length holds; words between are left out,
// and targets move.
func TestPartKeepsLengths(t *testing.T) {
	a, err := asm.Assemble([]asm.Source{{Text: `.pad off
nop
nop
main:
call L6, 3
end
nop
nop
L6:
jmpu b0, L8
nop
L8:
nop
L9:
nop
`}}, asm.AssembleOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s := pica.Shader{Program: a.Program, Entry: 2, Labels: []pica.Label{{Name: "main", Word: 2}, {Name: "other", Word: 9}}}
	reached := make([]bool, len(s.Code))
	for _, pc := range []int{2, 3, 6, 8} {
		reached[pc] = true
	}
	p := asm.NewPart(&s, reached)
	if want := []int{2, 3, 6, 7, 8}; !slices.Equal(p.Places, want) {
		t.Errorf("places %v, want %v", p.Places, want)
	}
	target := func(word uint32) uint32 { return pica.OpcodeOf(word).Layout().Dst.Get(word) }
	if call, jump := target(p.Code[0]), target(p.Code[2]); p.Entry != 0 || call != 2 || jump != 4 {
		t.Errorf("entry %d, call of %d, jump to %d, want 0, 2, 4", p.Entry, call, jump)
	}
	if num := pica.OpcodeOf(p.Code[0]).Layout().Num.Get(p.Code[0]); num != 3 {
		t.Errorf("the procedure has %d words, want 3", num)
	}
	if want := []pica.Label{{Name: "main", Word: 0}, {Name: "other", Word: 5}}; !slices.Equal(p.Labels, want) {
		t.Errorf("labels %v, want %v", p.Labels, want)
	}
}
