package conform_test

import (
	"context"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/picaproof/picaproof/conform"
	"github.com/picaproof/picaproof/fuzz/mutants"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/profile"
)

// TestMutants runs the suites on executors with one fault each: every fault must be found, as a
// cause or as an answer of the fingerprint, in few causes.
func TestMutants(t *testing.T) {
	if testing.Short() {
		t.Skip("long: a run for each of several faults; TestAgainst and TestLastBoolean have one each")
	}
	every, cases := 60, uint64(700)
	if s := os.Getenv("PICAPROOF_MUTANTS_EVERY"); s != "" {
		every, _ = strconv.Atoi(s)
	}
	var counts []int
	missed := 0
	for i, m := range mutants.Executors() {
		if i%every != every/2 || m.Equivalent != "" {
			continue
		}
		name := "f24"
		if m.Profiles != nil {
			name = m.Profiles[0]
		}
		p, _ := profile.ByName(name)
		r, err := conform.Run(context.Background(), adapter.InProcess(m.Name, p, m.New),
			conform.Options{Suites: suites(), Cases: cases, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		var shown []string
		longest := 0
		for _, d := range r.Deviations {
			if len(d.Members) > 0 {
				shown = append(shown, string(d.Verdict)+": "+d.Bucket)
				longest = max(longest, d.Instructions)
			}
		}
		t.Logf("%s (%s): %d causes, longest %d, model %s: %q", m.Name, name, len(shown), longest, r.Profile.Nearest,
			shown)
		if len(shown) == 0 && r.Profile.Nearest == name {
			t.Logf("%s: not found", m.Name)
			missed++
		}
		counts = append(counts, len(shown))
	}
	slices.Sort(counts)
	t.Logf("%d faults, %d missed, median %d causes, most %d", len(counts), missed, counts[len(counts)/2],
		counts[len(counts)-1])
	if missed > len(counts)/10 || counts[len(counts)/2] > 2 {
		t.Errorf("%d missed, median %d: want at most a tenth, and 2", missed, counts[len(counts)/2])
	}
}

// TestLastBoolean: a core that does not change b15 after a geometry program is distinguished
// from a core that sets it.
func TestLastBoolean(t *testing.T) {
	for _, m := range mutants.Executors() {
		if m.Name != "b15-is-not-set" {
			continue
		}
		r, err := conform.Run(context.Background(), adapter.InProcess(m.Name, profile.HW(), m.New),
			conform.Options{Suites: []string{"upload"}, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Deviations) != 1 || r.Deviations[0].Bucket != "b15 after a geometry program" {
			t.Errorf("got %+v", r.Deviations)
		}
		return
	}
	t.Fatal("the mutant is gone")
}
