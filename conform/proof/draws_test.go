package proof_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/fuzz/mutants"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/impl"
)

// TestDraws: one to three faults at once, under a random profile, need no more hypotheses than faults, and nearly
// always leave no answer unexplained.
func TestDraws(t *testing.T) {
	const all, few, oneIn = 500, 6, 12
	draws, left := 0, 0
	table := slices.DeleteFunc(mutants.Executors(), func(m mutants.Mutant) bool { return m.Equivalent != "" || m.Group == "state" })
	for n := range long.Numbers(t, all, few) {
		r := rand.New(rand.NewPCG(seed, uint64(n)))
		p := fingerprint.Random(r)
		var list []mutants.Mutant
		var names []string
		for range 1 + r.IntN(3) {
			m := table[r.IntN(len(table))]
			list, names = append(list, m), append(names, m.Name)
		}
		engine := impl.NewWith(func(rules *oracle.Rules) {
			for _, m := range list {
				m.Change(rules)
			}
		}, nil)
		causes, rest := explain(engine, p)
		if draws++; len(rest) > 0 {
			left++
			t.Logf("draw %d of seed %d, %v under %s: %d answers are left: %s", n, seed, names, p.Name, len(rest),
				texts(causes))
		}
		if len(causes) > len(list) {
			t.Errorf("draw %d of seed %d, %v under %s: %s", n, seed, names, p.Name, texts(causes))
		}
	}
	most := float64(draws) / oneIn
	if draws < all { // a sample may hold more by chance
		most += 3 * math.Sqrt(most)
	}
	if float64(left) > most {
		t.Errorf("%d of %d draws are not explained", left, draws)
	}
}
