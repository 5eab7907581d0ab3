package mutants_test

import (
	"context"
	"testing"

	"github.com/picaproof/picaproof/fuzz/mutants"
)

// TestEveryMutantIsKilled: generated programs alone tell every mutant from the oracle. A
// survivor means that the harness would not notice a fault of its kind.
func TestEveryMutantIsKilled(t *testing.T) {
	const seed = 1
	opts := mutants.Options{Seed: seed, Cases: 500, Once: true}
	if testing.Short() {
		opts.Every = 16 // TestExecutorsAreKilled holds each mutant in one profile
	}
	m, err := mutants.Make(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range m.Groups() {
		t.Logf("%-20s %4d of %4d killed, %d equivalent; cases: median %d, most %d (%s)", g.Name, g.Killed, len(g.Rows),
			g.Equivalent, g.Median, g.Most, g.Hardest)
	}
	for _, name := range m.Survivors {
		t.Errorf("seed %d: survives: %s", seed, name)
	}
	seen := map[string]bool{}
	for _, r := range m.Rows {
		if seen[r.Name] || r.Name == "" || r.Rule == "" {
			t.Errorf("mutant %q, rule %q: seen before, or nameless", r.Name, r.Rule)
		}
		seen[r.Name] = true
	}
}
