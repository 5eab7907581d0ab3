package properties_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
	"github.com/picaproof/picaproof/pica/lint"
)

// TestPartMeansTheSame executes generated programs from a random entry point, and the part of them that it reaches.
func TestPartMeansTheSame(t *testing.T) {
	const seed = 1
	var g gen.Generator
	smaller, runs := 0, 0
	for _, mode := range gen.Modes {
		for k := range long.Numbers(t, 300, long.Few(60, 20)) {
			job := g.Job(gen.Seed(seed, uint64(k)), mode)
			job.Budget = 5000
			r := rand.New(rand.NewPCG(seed, uint64(k)))
			job.Entry = r.IntN(len(job.Code))
			s := pica.Shader{Program: job.Program, Entry: job.Entry, Stage: job.Stage}
			reached := lint.NewGraph(&s).Reached()
			if reached == nil {
				continue
			}
			runs++
			part := asm.NewPart(&s, reached)
			if len(part.Code) < len(job.Code) {
				smaller++
			}
			again := *job
			again.Program, again.Entry = part.Program, part.Entry
			var want, got pica.Outcome
			if err := impl.New().Run(job, &want); err != nil {
				t.Fatal(err)
			}
			if err := impl.New().Run(&again, &got); err != nil {
				t.Fatal(err)
			}
			for i := range want.Vertices {
				a, b := &want.Vertices[i], &got.Vertices[i]
				a.Stacks, b.Stacks = pica.Stacks{}, pica.Stacks{} // they hold addresses
				if a.State != b.State || a.Steps != b.Steps || a.Trap.Cause != b.Trap.Cause ||
					!slices.Equal(a.Primitives, b.Primitives) {
					t.Fatalf("%s, case %d of seed %d, entry %d: the part differs: %v after %d steps, want %v after %d\n%v",
						mode, k, seed, job.Entry, b.Trap, b.Steps, a.Trap, a.Steps, part.Places)
				}
			}
		}
	}
	if smaller == 0 || smaller < runs/4 {
		t.Errorf("%d of %d parts are smaller than their program", smaller, runs)
	}
	t.Logf("%d parts, %d smaller than their program", runs, smaller)
}
