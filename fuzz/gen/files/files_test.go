package files_test

import (
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/internal/testmain"
)

func TestMain(m *testing.M) { testmain.Run(m) }

const seed = 1

// TestFilesAreValid: Check has nothing to say about a valid file, only warns of
// an odd one, and both are written back byte for byte. Length finds the end of a valid file if it is there.
func TestFilesAreValid(t *testing.T) {
	for _, format := range files.Formats {
		t.Run(format.Name, func(t *testing.T) {
			known, _ := registry.ByName(format.Name)
			for n := range long.Numbers(t, 200, long.Few(60, 20)) {
				for _, draw := range []func(gen.Format, *gen.Choices) files.Case{files.Valid, files.Odd} {
					x := draw(format, gen.From(gen.Seed(seed, uint64(n))))
					r := files.Read(known, x.Data)
					if d := x.Judge(&r); d != nil {
						t.Fatalf("seed %d, file %d, %d bytes: %v", seed, n, len(x.Data), d)
					}
					if known.Length == nil || x.Odd {
						continue
					}
					long, _ := known.Length(append(x.Data, x.Data...))
					short, _ := known.Length(x.Data[:len(x.Data)-1])
					if size := uint64(len(x.Data)); long != size || short >= size {
						t.Fatalf("seed %d, file %d of %d bytes: found %d, and %d when cut", seed, n, size, long, short)
					}
				}
			}
		})
	}
}

// TestEveryRuleHasAFault: a rule that no generated file breaks is tested by
// hand-written vectors only.
func TestEveryRuleHasAFault(t *testing.T) {
	for _, format := range files.Formats {
		known, _ := registry.ByName(format.Name)
		for _, rule := range known.Rules {
			if !rule.Retired && !slices.ContainsFunc(format.Faults(),
				func(f gen.Fault) bool { return f.Rule == rule.ID }) {
				t.Errorf("%s: no fault breaks %s: %s", format.Name, rule.ID, rule.Title)
			}
		}
	}
}

// TestFaultsOfShortInputs: faults and near misses are made of inputs that end,
// too. What a fault does to many files is tested with each format.
func TestFaultsOfShortInputs(t *testing.T) {
	sizes := []int{0, 16, 32, 48, 64, 80, 96, 112, 128}
	for _, format := range files.Formats {
		known, _ := registry.ByName(format.Name)
		for k, fault := range format.Faults() {
			for _, size := range long.Items(t, sizes, long.Few(3, 2)) {
				choices := func() *gen.Choices { return gen.From(gen.NewBytes(gen.Input(seed, 0, size))) }
				for kind, x := range map[string]files.Case{
					"fault": files.Faulty(format, fault, choices()), "near miss": files.NearMiss(fault, choices()),
				} {
					r := files.Read(known, x.Data)
					if d := x.Judge(&r); d != nil {
						t.Errorf("%s, %s %d, %s, input of %d bytes: %v", format.Name, kind, k, fault.Rule, size, d)
					}
				}
			}
		}
	}
}

// TestFilesDiffer: a generator that ignores its choices makes the same file
// again and again.
func TestFilesDiffer(t *testing.T) {
	const runs = 100
	for _, format := range files.Formats {
		seen := map[string]bool{}
		for n := range uint64(runs) {
			seen[string(format.File(gen.From(gen.Seed(seed, n))))] = true
		}
		if len(seen) < runs*9/10 {
			t.Errorf("%s: %d different files among %d", format.Name, len(seen), runs)
		}
	}
}
