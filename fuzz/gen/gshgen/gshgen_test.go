package gshgen_test

import (
	"testing"

	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
	"github.com/picaproof/picaproof/fuzz/gen/gshgen"
)

// TestSmallest: choices of zero give one vertex shader without tables and 8 bytes of
// code.
func TestSmallest(t *testing.T) {
	const want = 0x20 + 0x20 + 0x134 + 0x28 + 0x20 + 8 + 0x20
	if got := len(gshgen.File(gen.From(gen.NewBytes(nil)))); got != want {
		t.Errorf("got %d bytes, want %d", got, want)
	}
}

// TestFaultsOfNoChoices: the end of a fuzz input leaves every fault possible.
func TestFaultsOfNoChoices(t *testing.T) {
	known, _ := registry.ByName(gshgen.Format.Name)
	for n, fault := range gshgen.Faults {
		x := files.Faulty(gshgen.Format, fault, gen.From(gen.NewBytes(nil)))
		r := files.Read(known, x.Data)
		if d := x.Judge(&r); d != nil {
			t.Errorf("fault %d, %s: %v", n, fault.Rule, d)
		}
	}
}
