package bnsh_test

import (
	"math"
	"testing"

	"github.com/picaproof/picaproof/formats/bnsh"
)

// A few bytes of a model can ask for gigabytes; Size says so and allocates little.
func TestSizeOfHugeObjectMemory(t *testing.T) {
	f := &bnsh.File{Header: header("huge"), Variations: []bnsh.Variation{{Binary: &bnsh.Program{ObjectSize: 3 << 30}}}}
	if got := f.Size(); got < 3<<30 {
		t.Errorf("size %d, want at least 3 GiB", got)
	}
	if f.Variations[0].Binary.ObjectSize = math.MaxUint32; f.Size() != 0 {
		t.Errorf("size %d of a file beyond 4 GiB, want 0", f.Size())
	}
	if n := testing.AllocsPerRun(10, func() { f.Size() }); n > 100 {
		t.Errorf("%v allocations", n)
	}
}
