package cgfxgen_test

import (
	"bytes"
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/cgfxgen"
)

// TestPlainIsWritten: what this package lays out on its own is, byte for byte,
// what the writer makes of the model.
func TestPlainIsWritten(t *testing.T) {
	const seed, runs = 1, 1000
	for n := range uint64(runs) {
		f := cgfxgen.Model(gen.From(gen.Seed(seed, n)))
		if len(f.Objects) == 0 {
			continue // nothing to lay out
		}
		got, err := f.AppendBinary(nil)
		if want := cgfxgen.Plain(f); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("seed %d, file %d: %v\ngot  % x\nwant % x", seed, n, err, got, want)
		}
	}
}
