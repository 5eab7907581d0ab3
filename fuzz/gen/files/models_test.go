package files_test

import (
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/dvojgen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
	"github.com/picaproof/picaproof/fuzz/gen/zpshgen"
	"github.com/picaproof/picaproof/internal/long"
)

// TestNoChoicesMakeTheSmallestFile: the end of a fuzz input gives zeros, and a simpler file.
func TestNoChoicesMakeTheSmallestFile(t *testing.T) {
	sizes := map[string]int{
		"dvoj":    0x58 + 4,                                     // header, word
		"zpsh":    12 + 4 + 4 + 28,                              // header, word, name, entry
		"gsh":     0x20 + 0x20 + 0x134 + 0x28 + 0x20 + 8 + 0x20, // one vertex shader without tables
		"sharcfb": 0x18 + 1 + 8 + 8,                             // header, empty name, two empty lists
	}
	const runs = 200
	for _, format := range files.Formats {
		smallest := len(format.File(gen.From(gen.NewBytes(nil))))
		if want := sizes[format.Name]; want > 0 && smallest != want {
			t.Errorf("%s: %d bytes without choices, want %d", format.Name, smallest, want)
		}
		for n := range uint64(runs) {
			if size := len(format.File(gen.From(gen.Seed(seed, n)))); size < smallest {
				t.Errorf("%s, seed %d, file %d: %d bytes, without choices %d", format.Name, seed, n, size, smallest)
			}
		}
	}
}

// TestModelsAreOdd: every rule that only warns is broken by some model or other odd file, and no
// other rule.
func TestModelsAreOdd(t *testing.T) {
	const runs = 3000
	for name, model := range map[string]func(c *gen.Choices) ([]byte, error){
		"dvoj": func(c *gen.Choices) ([]byte, error) { return dvojgen.Model(c).AppendBinary(nil) },
		"zpsh": func(c *gen.Choices) ([]byte, error) { return zpshgen.Model(c).AppendBinary(nil) },
	} {
		from, _ := files.ByName(name)
		known, _ := registry.ByName(name)
		broken := map[string]bool{}
		wrong := func(rule diag.Rule) bool {
			onlyWarns := rule.Severity != diag.Error
			return onlyWarns != broken[rule.ID] && !slices.Contains(rule.Also, diag.Warning)
		}
		enough := func() bool { return !slices.ContainsFunc(known.Rules, wrong) }
		for n := range long.Until(t, runs, long.Few(500, 300), enough) {
			c := gen.From(gen.Seed(seed, uint64(n)))
			b, err := model(c)
			if err != nil {
				t.Fatalf("%s, seed %d, model %d: %v", name, seed, n, err)
			}
			for _, f := range append(known.Check(b), known.Check(from.Odd(c))...) {
				broken[f.Rule] = true
			}
		}
		for _, rule := range known.Rules {
			if wrong(rule) {
				t.Errorf("seed %d, %d models: %s is broken: %v", seed, runs, rule.ID, broken[rule.ID])
			}
		}
	}
}
