package dvojgen_test

import (
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/dvojgen"
)

// TestNothingDrawnIsTheSmallest: an input that is cut gives a simpler file.
func TestNothingDrawnIsTheSmallest(t *testing.T) {
	const header, word = 0x58, 4
	if n := len(dvojgen.File(gen.From(gen.NewBytes(nil)))); n != header+word {
		t.Errorf("got %d bytes, want %d", n, header+word)
	}
}

// TestModelsAreOdd: every rule that only warns is broken by some model or other odd
// file, and no other rule.
func TestModelsAreOdd(t *testing.T) {
	const seed, runs = 1, 3000
	broken := map[string]bool{}
	for n := range uint64(runs) {
		c := gen.From(gen.Seed(seed, n))
		b, err := dvojgen.Model(c).AppendBinary(nil)
		if err != nil {
			t.Fatalf("seed %d, model %d: %v", seed, n, err)
		}
		for _, f := range append(dvoj.Check(b), dvoj.Check(dvojgen.Format.Odd(c))...) {
			broken[f.Rule] = true
		}
	}
	for _, rule := range dvoj.Rules {
		onlyWarns := rule.Severity != diag.Error
		if onlyWarns != broken[rule.ID] && !slices.Contains(rule.Also, diag.Warning) {
			t.Errorf("seed %d, %d models: %s is broken: %v", seed, runs, rule.ID, broken[rule.ID])
		}
	}
}
