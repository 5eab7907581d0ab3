package gsh_test

import (
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
)

// TestAgreement mutates every sample at random.
func TestAgreement(t *testing.T) {
	bases := [][]byte{}
	for _, name := range samples.Glob(t, "gsh/*.gsh") {
		bases = append(bases, samples.Read(t, name))
	}
	format.Random(t, bases, 20_000, 20)
}
