package bnshgen_test

import (
	"testing"

	"github.com/picaproof/picaproof/formats/bnsh"
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

// TestFaultsOfTheSmallestFile: every fault finds its place in the smallest file,
// and is reported there once.
func TestFaultsOfTheSmallestFile(t *testing.T) {
	for i, fault := range bnshgen.Faults {
		b, off := fault.File(gen.From(gen.NewBytes(nil)))
		reports := 0
		for _, f := range bnsh.Check(b) {
			if f.Rule == fault.Rule && f.Off == off {
				reports++
			}
		}
		if reports != 1 {
			t.Errorf("fault %d, %s: %d reports at %#x, want 1", i, fault.Rule, reports, off)
		}
	}
}
