package vm_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/vm"
)

// Comparison with the oracle on generated jobs finds every fault that is planted in the fast tiers. By default
// a sample is planted, in long runs all.
func TestFaultsAreFound(t *testing.T) {
	const seed, most = 3, 400000
	faults := vm.Faults()
	t.Logf("seed %d, %d faults", seed, len(faults))
	if len(faults) < 60 && vm.Native() {
		t.Errorf("%d faults, want 60 at least", len(faults))
	}
	var plain, masked []vm.Fault
	for n, f := range faults {
		switch {
		case !vm.Native() && n > 14:
		case f.Masked:
			masked = append(masked, f)
		default:
			plain = append(plain, f)
		}
	}
	plain, masked = long.Items(t, plain, long.Few(16, 5)), long.Items(t, masked, long.Few(3, 1))
	left := notFound(t, seed, most, plain, []gen.Mode{gen.Alu, gen.Alu, gen.Mixed}, 4,
		func(*pica.Job) bool { return true })
	left = append(left, notFound(t, seed, most, masked, []gen.Mode{gen.Mixed}, 64, parts)...)
	for _, f := range left {
		t.Errorf("%s: not found by %d jobs", f.Name, most)
	}
}

// parts reports whether vertices may take different paths through a program.
func parts(job *pica.Job) bool {
	return slices.ContainsFunc(job.Code,
		func(word uint32) bool { return pica.Opcodes[pica.OpcodeOf(word)].Condition == pica.OnFlags })
}

// notFound returns the faults with which the fast tiers agree with the oracle on every job. The oracle runs a
// job once for all faults.
func notFound(t *testing.T, seed, most uint64, faults []vm.Fault, modes []gen.Mode, vertices int,
	fit func(*pica.Job) bool) []vm.Fault {
	t.Helper()
	reference := impl.New()
	tiers := []pica.Engine{vm.NewTier(vm.TierBatch), vm.NewTier(vm.TierNative)}
	var g gen.Generator
	var want, got pica.Outcome
	for n := uint64(0); n < most && len(faults) > 0; n++ {
		job := g.Job(gen.Seed(seed, n), modes[n%uint64(len(modes))])
		job.Profile, job.Initial = *profiles[n/3%3], nil
		if job.Stage != pica.Vertex || !fit(job) {
			continue
		}
		job.Budget = 2000
		random := rand.New(rand.NewPCG(seed, n))
		manyVertices(job, vertices, kindMiddling, random)
		if err := reference.Run(job, &want); err != nil {
			t.Fatal(err)
		}
		faults = slices.DeleteFunc(faults, func(f vm.Fault) bool {
			defer f.Plant()()
			return slices.ContainsFunc(tiers, func(e pica.Engine) bool {
				if err := e.Run(job, &got); err != nil {
					t.Fatal(err)
				}
				return !sameStates(&want, &got)
			})
		})
	}
	return faults
}

func sameStates(want, got *pica.Outcome) bool {
	for k := range want.Vertices {
		if want.Vertices[k].State != got.Vertices[k].State || want.Vertices[k].Trap != got.Vertices[k].Trap {
			return false
		}
	}
	return true
}
