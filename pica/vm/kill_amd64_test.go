package vm_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/vm"
)

// Every fault that is planted in the fast tiers is found by generated jobs, in a
// comparison with the oracle. Without -prove a sample is planted.
func TestFaultsAreFound(t *testing.T) {
	const seed, most = 3, 400000
	faults := vm.Faults()
	t.Logf("seed %d, %d faults", seed, len(faults))
	if len(faults) < 60 && vm.Native() {
		t.Errorf("%d faults, want 60 at least", len(faults))
	}
	for n, f := range faults {
		if !*prove && n%4 != 0 || testing.Short() && n%16 != 0 || !vm.Native() && n > 14 {
			continue
		}
		modes, vertices, fit := []gen.Mode{gen.Alu, gen.Alu, gen.Mixed}, 4, func(*pica.Job) bool { return true }
		if f.Masked {
			modes, vertices, fit = []gen.Mode{gen.Mixed}, 64, parts
		}
		mend := f.Plant()
		jobs := found(t, seed, most, modes, vertices, fit)
		mend()
		if jobs == most {
			t.Errorf("fault %d, %s: not found by %d jobs", n, f.Name, most)
		}
	}
}

// parts reports whether vertices may take different ways through a program.
func parts(job *pica.Job) bool {
	return slices.ContainsFunc(job.Code, func(word uint32) bool { return pica.Opcodes[pica.OpcodeOf(word)].Condition == pica.OnFlags })
}

// found returns how many jobs it takes until a fast tier parts from the oracle.
func found(t *testing.T, seed, most uint64, modes []gen.Mode, vertices int, fit func(*pica.Job) bool) uint64 {
	t.Helper()
	reference := impl.New()
	tiers := []pica.Engine{vm.NewTier(vm.TierBatch), vm.NewTier(vm.TierNative)}
	var g gen.Generator
	var want, got pica.Outcome
	for n := range most {
		job := g.Job(gen.Seed(seed, n), modes[n%uint64(len(modes))])
		job.Profile, job.Initial = *profiles[n/3%3], nil
		if job.Stage != pica.Vertex || !fit(job) {
			continue
		}
		job.Budget = 2000
		random := rand.New(rand.NewPCG(seed, n))
		manyVertices(job, vertices, 1, random)
		if err := reference.Run(job, &want); err != nil {
			t.Fatal(err)
		}
		for _, e := range tiers {
			if err := e.Run(job, &got); err != nil {
				t.Fatal(err)
			}
			if same := sameStates(&want, &got); !same {
				return n
			}
		}
	}
	return most
}

func sameStates(want, got *pica.Outcome) bool {
	for k := range want.Vertices {
		if want.Vertices[k].State != got.Vertices[k].State || want.Vertices[k].Trap != got.Vertices[k].Trap {
			return false
		}
	}
	return true
}
