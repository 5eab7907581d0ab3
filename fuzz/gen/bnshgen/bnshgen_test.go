package bnshgen_test

import (
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/bnshgen"
)

// TestNoChoicesMakeTheSmallestFile: a fuzz input that ends leaves zeros.
func TestNoChoicesMakeTheSmallestFile(t *testing.T) {
	const seed, runs = 1, 200
	smallest := len(bnshgen.File(gen.From(gen.NewBytes(nil))))
	for n := range uint64(runs) {
		if size := len(bnshgen.File(gen.From(gen.Seed(seed, n)))); size < smallest {
			t.Errorf("seed %d, file %d: %d bytes, without choices %d", seed, n, size, smallest)
		}
	}
}
