package files_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
	"github.com/picaproof/picaproof/internal/golden"
	"github.com/picaproof/picaproof/internal/testmain"
)

func TestMain(m *testing.M) { testmain.Run(m) }

const seed = 1

// TestFilesAreValid: Check has nothing to say about a valid file, only warns of
// an odd one, and both are written back byte for byte.
func TestFilesAreValid(t *testing.T) {
	runs := 200
	if testing.Short() {
		runs = 40
	}
	for _, format := range files.Formats {
		t.Run(format.Name, func(t *testing.T) {
			known, _ := registry.ByName(format.Name)
			for n := range uint64(runs) {
				for _, draw := range []func(gen.Format, *gen.Choices) files.Case{files.Valid, files.Odd} {
					x := draw(format, gen.From(gen.Seed(seed, n)))
					r := files.Read(known, x.Data)
					if d := x.Judge(&r); d != nil {
						t.Fatalf("seed %d, file %d, %d bytes: %v", seed, n, len(x.Data), d)
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
			if !rule.Retired && !slices.ContainsFunc(format.Faults,
				func(f gen.Fault) bool { return f.Rule == rule.ID }) {
				t.Errorf("%s: no fault breaks %s: %s", format.Name, rule.ID, rule.Title)
			}
		}
	}
}

// TestFaultsOfShortInputs: faults and near misses are made of inputs that end,
// too. What a fault does to many files is tested with each format.
func TestFaultsOfShortInputs(t *testing.T) {
	for _, format := range files.Formats {
		known, _ := registry.ByName(format.Name)
		for k, fault := range format.Faults {
			for size := 0; size <= 128; size += 16 {
				if testing.Short() && size%128 != 0 {
					continue
				}
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

// TestNothingChangesUnseen freezes what the formats make of generated files:
// bytes, findings with their texts, and models. What is right is said elsewhere:
// severities, places and canonical forms are expected by the generators. A change
// on purpose changes the hashes: go generate ./fuzz/gen/files writes them.
func TestNothingChangesUnseen(t *testing.T) {
	for _, format := range files.Formats {
		t.Run(format.Name, func(t *testing.T) {
			known, _ := registry.ByName(format.Name)
			h := fnv.New64a()
			hash := func(x files.Case) {
				r := files.Read(known, x.Data)
				h.Write(x.Data)
				e := json.NewEncoder(h)
				if err := e.Encode(r.Findings); err != nil {
					t.Fatal(err)
				}
				if !r.Accepted {
					return
				}
				canonical, err := r.Document.Canonical().AppendBinary(nil)
				if errors.Is(err, diag.ErrInvalid) {
					err = nil // there is no canonical form
				}
				h.Write(canonical)
				if err := errors.Join(err, e.Encode(r.Document.Model())); err != nil {
					t.Fatal(err)
				}
			}
			for n := range uint64(20) {
				hash(files.Valid(format, gen.From(gen.Seed(seed, n))))
				hash(files.Odd(format, gen.From(gen.Seed(seed, n))))
			}
			for n, fault := range format.Faults {
				hash(files.Faulty(format, fault, gen.From(gen.Seed(seed, uint64(n)))))
			}
			golden.Hash(t, format.Name, h.Sum64())
		})
	}
}

// TestASeedNamesTheSameFiles freezes what is drawn: a finding is told by its seed, and a value, a
// shape or a place that a fault or its near miss no longer draws is seen by no other test.
func TestASeedNamesTheSameFiles(t *testing.T) {
	if testing.Short() {
		return
	}
	const draws = 8
	for _, format := range files.Formats {
		t.Run(format.Name, func(t *testing.T) {
			h := fnv.New64a()
			for n := range uint64(draws) {
				source := func(k int) *gen.Choices { return gen.From(gen.Seed(seed, n<<32|uint64(k))) }
				file, canonical := format.Twins(source(0))
				h.Write(slices.Concat(format.File(source(0)), format.Odd(source(0)), file, canonical))
				for k, fault := range format.Faults {
					b, at := fault.File(source(k))
					fmt.Fprint(h, at)
					h.Write(append(b, fault.NearMiss(source(k))...))
				}
			}
			golden.Hash(t, format.Name+"-drawn", h.Sum64())
		})
	}
}
