package arb_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
	"github.com/picaproof/picaproof/fuzz/mutants"
	"github.com/picaproof/picaproof/fuzz/reduce"
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

// TestFilesShrink: accepted files shrink until no step of fuzz/reduce leads to an accepted file;
// SHBIN, whose offsets the steps correct, to little more than headers. Large files are left out,
// because gopter ends after 1000 steps.
func TestFilesShrink(t *testing.T) {
	const large = 1000
	for name, limit := range map[string]int{"shbin": 120, "zpsh": large} {
		t.Run(name, func(t *testing.T) {
			from, _ := files.ByName(name)
			format, _ := registry.ByName(name)
			accepted := func(b []byte) bool { return diag.FirstError(format.Check(b)) == nil }
			for seed := range int64(4) {
				f := falsified(t, seed, arb.Files(from), func(f arb.File) bool {
					return len(f.Data) > large || !accepted(f.Data)
				})
				if len(f.Data) > limit {
					t.Errorf("seed %d: %d bytes, want %d at most: %q", seed, len(f.Data), limit, f.Data)
				}
				next := reduce.FileSteps(f.Data, reduce.Position{})
				for b, _, ok := next(); ok; b, _, ok = next() {
					if accepted(b) {
						t.Fatalf("seed %d: %q is not the smallest file, %q is smaller", seed, f.Data, b)
					}
				}
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
