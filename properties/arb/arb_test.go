package arb_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
	"github.com/picaproof/picaproof/fuzz/mutants"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/properties/arb"
)

// falsified returns the shrunk counterexample of a property that does not hold.
func falsified[T any](t *testing.T, seed int64, from gopter.Gen, holds func(v T) bool) T {
	t.Helper()
	p := gopter.DefaultTestParametersWithSeed(seed)
	p.MinSuccessfulTests = 5000
	result := prop.ForAll(holds, from).Check(p)
	if result.Status != gopter.TestFailed {
		t.Fatalf("seed %d: %v after %d runs", seed, result.Status, result.Succeeded)
	}
	arg := result.Args[0]
	t.Logf("%v, from %v in %d steps", arg.ArgFormatted, arg.OrigArgFormatted, arg.Shrinks)
	return arg.Arg.(T)
}

// TestJobsShrink: jobs that show a fault of an executor shrink as far as the reducer shrinks
// them.
func TestJobsShrink(t *testing.T) {
	for _, c := range []struct {
		mutant string
		words  int
	}{
		{"mul-does-not-flush", 2},
		{"dsti-has-its-sources-exchanged", 2},
		{"al-restored-is-the-inner-start", 8},
	} {
		t.Run(c.mutant, func(t *testing.T) {
			zoo := mutants.Executors()
			at := slices.IndexFunc(zoo, func(m mutants.Mutant) bool { return m.Name == c.mutant })
			if at < 0 {
				t.Fatal("no such mutant")
			}
			pair := compare.Pair{Want: impl.New(), Got: zoo[at].New()}
			job := falsified(t, 1, arb.Jobs(gen.Modes, profile.HW()), func(j arb.Job) bool {
				verdict, _, err := pair.Run(j.Job)
				return err == nil && verdict != compare.Differ
			})
			if len(job.Code) > c.words || len(job.Vertices) > 1 {
				t.Errorf("%d words, %d vertices, want %d words at most: %08x", len(job.Code),
					len(job.Vertices), c.words, job.Code)
			}
		})
	}
}

// TestFilesShrink: accepted files shrink to little more than headers; of a few at least one,
// because some faults hold on to more.
func TestFilesShrink(t *testing.T) {
	for name, limit := range map[string]int{"shbin": 120, "zpsh": 60} {
		t.Run(name, func(t *testing.T) {
			from, _ := files.ByName(name)
			format, _ := registry.ByName(name)
			smallest := math.MaxInt
			for seed := int64(1); seed <= 8 && smallest > limit; seed++ {
				f := falsified(t, seed, arb.Files(from), func(f arb.File) bool {
					return diag.FirstError(format.Check(f.Data)) != nil
				})
				smallest = min(smallest, len(f.Data))
			}
			if smallest > limit {
				t.Errorf("%d bytes, want %d at most", smallest, limit)
			}
		})
	}
}

// TestFormatsAreShort: because gopter formats every value that it draws.
func TestFormatsAreShort(t *testing.T) {
	for _, from := range []gopter.Gen{arb.Jobs(gen.Modes, profile.F24()), arb.Files(files.Formats[0])} {
		v, _ := from(gopter.DefaultGenParameters()).Retrieve()
		if s := fmt.Sprintf("%+v", v); len(s) > 100 {
			t.Errorf("%q", s)
		}
	}
}
