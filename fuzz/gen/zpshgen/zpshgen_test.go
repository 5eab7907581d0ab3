package zpshgen_test

import (
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/zpshgen"
)

// TestNothingDrawnIsTheSmallest: an input that is cut gives a simpler file.
func TestNothingDrawnIsTheSmallest(t *testing.T) {
	const header, word, name, entry = 12, 4, 4, 28
	if n := len(zpshgen.File(gen.From(gen.NewBytes(nil)))); n != header+word+name+entry {
		t.Errorf("got %d bytes, want %d", n, header+word+name+entry)
	}
}

// TestModelsAreOdd: every rule that only warns is broken by some model.
func TestModelsAreOdd(t *testing.T) {
	const seed, runs = 1, 3000
	broken := map[string]bool{}
	for n := range uint64(runs) {
		m := zpshgen.Model(gen.From(gen.Seed(seed, n)))
		b, err := m.AppendBinary(nil)
		if err != nil {
			t.Fatalf("seed %d, model %d: %v", seed, n, err)
		}
		for _, f := range zpsh.Check(b) {
			broken[f.Rule] = true
		}
	}
	want := []string{"CODE001", "CODE004", "ZPSH005", "ZPSH011", "ZPSH013", "ZPSH014", "ZPSH016", "ZPSH019", "ZPSH021", "ZPSH022",
		"ZPSH023", "ZPSH025", "ZPSH028", "ZPSH029", "ZPSH030"}
	for _, rule := range want {
		if !broken[rule] {
			t.Errorf("seed %d: no model of %d breaks %s", seed, runs, rule)
		}
	}
	for rule := range broken {
		if !slices.Contains(want, rule) {
			t.Errorf("seed %d: a model breaks %s", seed, rule)
		}
	}
}
