package csdrgen_test

import (
	"bytes"
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/csdrgen"
)

// TestOutlineIsWritten: what this package writes on its own is, byte for byte,
// what the writer makes of the model.
func TestOutlineIsWritten(t *testing.T) {
	const seed, runs = 1, 300
	for n := range uint64(runs) {
		f := csdrgen.Model(gen.From(gen.Seed(seed, n)))
		got, err := f.AppendBinary(nil)
		if want := csdrgen.Outline(f); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("seed %d, file %d: %v\ngot  %s\nwant %s", seed, n, err, got, want)
		}
	}
}
