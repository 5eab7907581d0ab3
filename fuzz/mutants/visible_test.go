package mutants_test

import (
	"testing"

	"github.com/picaproof/picaproof/fuzz/mutants"
)

// TestLongProgramsShow: the outputs of a long program show nearly every mutant that
// the program triggers.
func TestLongProgramsShow(t *testing.T) {
	const seed = 1
	measure := func(suites string, steps int) []mutants.Visibility {
		list, err := mutants.Measure(t.Context(), mutants.MeasureOptions{Seed: seed, Steps: steps, Suites: suites})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range list {
			t.Logf("%s: %d jobs, %d of %d shown, %.1f %%; %d killed, %d instructions each",
				v.Programs, v.Jobs, v.Shown, v.Triggered, v.Share(), v.Killed, v.PerKill())
		}
		return list
	}
	suites, steps := "long", 6_000
	if testing.Short() {
		suites, steps = "long hw", 1_500
	}
	for _, v := range measure(suites, steps) {
		if v.Hidden != nil && v.Share() < 95 {
			t.Errorf("seed %d: %s: %.1f %% of the triggered mutants are shown, want 95: hidden %v", seed,
				v.Programs, v.Share(), v.Hidden)
		}
	}
}
