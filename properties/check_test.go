// Package properties_test states properties of all values, and lets gopter look for
// counterexamples. A small domain is checked completely.
package properties_test

import (
	"os"
	"strconv"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/internal/testmain"
)

func TestMain(m *testing.M) { testmain.Run(m) }

// seedVariable names the environment variable that replays a property.
const seedVariable = "PICAPROOF_SEED"

// check runs one property with a logged seed, so that a failure can be repeated alone. Each
// property has its own test function, because gopter gives all properties of a set one random
// source. Every run tries a fifth of the cases, or fewer in short tests, with the usual seed. A long run
// tries ten more seeds, a tenth of it one more.
func check(t *testing.T, runs int, prop gopter.Prop) {
	t.Helper()
	seed := int64(20151224)
	if s := os.Getenv(seedVariable); s != "" {
		n, err := strconv.ParseInt(s, 0, 64)
		if err != nil {
			t.Fatalf("%s=%q: %v", seedVariable, s, err)
		}
		seed = n
	}
	runs = min(runs, max(runs/long.Few(5, 10), 10))
	for n := range long.Numbers(t, 11, 1) {
		seed := seed + int64(n)
		p := gopter.DefaultTestParametersWithSeed(seed)
		p.MinSuccessfulTests, p.Workers = runs, 1
		result := prop.Check(p)
		if !result.Passed() {
			t.Errorf("after %d runs with %s=%d: %v\nargs %v\nerror %v", result.Succeeded, seedVariable, seed,
				result.Status, result.Args, result.Error)
		}
	}
}

// holds checks a property of all models of a generator.
func holds[M any](t *testing.T, runs int, models gopter.Gen, judgement func(m M) error) {
	t.Helper()
	check(t, runs, prop.ForAll(func(m M) (string, error) { return "", judgement(m) }, models))
}
