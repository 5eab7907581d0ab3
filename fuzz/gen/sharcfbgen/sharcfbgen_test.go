package sharcfbgen_test

import (
	"testing"

	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
	"github.com/picaproof/picaproof/fuzz/gen/sharcfbgen"
)

// TestSmallest: choices of zero give the smallest file: header, empty name, two
// empty lists.
func TestSmallest(t *testing.T) {
	const want = 0x18 + 1 + 8 + 8
	if got := len(sharcfbgen.File(gen.From(gen.NewBytes(nil)))); got != want {
		t.Errorf("got %d bytes, want %d", got, want)
	}
}

// TestFaultsOfNoChoices: the end of a fuzz input leaves every fault possible.
func TestFaultsOfNoChoices(t *testing.T) {
	known, _ := registry.ByName(sharcfbgen.Format.Name)
	for _, fault := range sharcfbgen.Faults {
		x := files.Faulty(sharcfbgen.Format, fault, gen.From(gen.NewBytes(nil)))
		r := files.Read(known, x.Data)
		if d := x.Judge(&r); d != nil {
			t.Errorf("%s: %v", fault.Rule, d)
		}
	}
}
