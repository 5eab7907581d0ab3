package mutants_test

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/internal/golden"
	"github.com/picaproof/picaproof/fuzz/mutants"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// TestOutcomes: every executor keeps its fault. A group has one hash of its executors' outcomes of
// generated jobs, and of the numbers of the first jobs that tell them from the oracle. A change of the
// executors, of the generators or of the oracle changes the hashes on purpose: go generate . writes them.
func TestOutcomes(t *testing.T) {
	const seed, cases, budget = 1, 16, 200
	var out pica.Outcome
	groups := map[string]uint64{}
	p := [2]pica.Profile{profile.F24(), profile.F32()}
	jobs := map[gen.Mode][]*pica.Job{}
	for _, mode := range gen.Modes {
		for n := range uint64(cases) {
			job := new(gen.Generator).Job(gen.Seed(seed, n), mode)
			job.Budget, job.Profile = min(job.Budget, budget), p[n&1]
			jobs[mode] = append(jobs[mode], job)
		}
	}
	for _, m := range mutants.Executors() {
		h := fnv.New64a()
		fmt.Fprintln(h, groups[m.Group], m.Name, m.Profiles, m.Equivalent)
		engine := m.New()
		for _, mode := range append([]gen.Mode{gen.Words}, modes[m.Group]...) {
			for _, job := range jobs[mode] {
				if err := engine.Run(job, &out); err != nil {
					t.Fatal(err)
				}
				for i := range out.Vertices {
					v := &out.Vertices[i]
					fmt.Fprintln(h, v.O, v.R[0], v.Address, v.AL, v.CC, v.Trap, v.Steps, v.Stacks, v.Primitives)
				}
			}
		}
		groups[m.Group] = h.Sum64()
	}
	for group, sum := range groups {
		golden.Hash(t, strings.ReplaceAll(group, " ", "-"), sum)
	}
}

// TestCounts: what a matrix and a measurement count is recorded.
func TestCounts(t *testing.T) {
	record := func(key string, value any) {
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		h := fnv.New64a()
		h.Write(text)
		golden.Hash(t, key, h.Sum64())
	}
	for _, once := range []bool{false, true} {
		m, err := mutants.Make(t.Context(), mutants.Options{Seed: 1, Cases: 40, Every: 45, Once: once})
		if err != nil {
			t.Fatal(err)
		}
		record(fmt.Sprintf("matrix-%t", once), m)
		record(fmt.Sprintf("groups-%t", once), m.Groups())
	}
	list, err := mutants.Measure(t.Context(), mutants.MeasureOptions{Seed: 1, Steps: 1200, Suites: "mixed f24"})
	if err != nil {
		t.Fatal(err)
	}
	shares := []any{list}
	for _, v := range list {
		shares = append(shares, v.Share(), v.PerKill())
	}
	record("visibility", shares)
}
