package mutants_test

import (
	"context"
	"testing"

	"github.com/picaproof/picaproof/fuzz/mutants"
	"github.com/picaproof/picaproof/internal/long"
)

// TestEveryMutantIsKilled: generated programs alone tell every mutant from the oracle. A
// survivor means that the harness would not notice a fault of its kind.
func TestEveryMutantIsKilled(t *testing.T) {
	const parts = 20 // TestExecutorsAreKilled holds each mutant in its profiles
	seen := map[string]bool{}
	for first := range long.Numbers(t, parts, long.Few(2, 1)) {
		killAll(t, mutants.Options{Seed: 1, Cases: 500, Once: true, First: first, Every: parts}, seen)
	}
}

func killAll(t *testing.T, opts mutants.Options, seen map[string]bool) {
	t.Helper()
	m, err := mutants.Make(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range m.Groups() {
		t.Logf("%-20s %4d of %4d killed, %d equivalent; cases: median %d, most %d (%s)", g.Name, g.Killed, len(g.Rows),
			g.Equivalent, g.Median, g.Most, g.Hardest)
	}
	for _, name := range m.Survivors {
		t.Errorf("seed %d: survives: %s", opts.Seed, name)
	}
	for _, r := range m.Rows {
		if seen[r.Name] || r.Name == "" || r.Rule == "" {
			t.Errorf("mutant %q, rule %q: seen before, or nameless", r.Name, r.Rule)
		}
		seen[r.Name] = true
	}
}
