package conform_test

import (
	"slices"
	"testing"

	"github.com/picaproof/picaproof/conform"
	"github.com/picaproof/picaproof/fuzz/mutants"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/profile"
)

// TestMutants runs the suites on executors with one fault each, a third of all: every fault must be
// found, as a cause or as an answer of the fingerprint, in few causes.
func TestMutants(t *testing.T) {
	list := slices.DeleteFunc(mutants.Executors(), func(m mutants.Mutant) bool { return m.Equivalent != "" })
	for i := range len(list) / 3 {
		list[i] = list[3*i+1]
	}
	var counts []int
	missed := 0
	for _, m := range long.Items(t, list[:len(list)/3], long.Few(2, 1)) {
		_, p := mutant(m.Name)
		r, err := conform.Run(t.Context(), executor(m.Name), conform.Options{Suites: suites(), Cases: 200, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		var shown []string
		for _, d := range r.Deviations {
			if len(d.Members) > 0 {
				shown = append(shown, string(d.Verdict)+": "+d.Bucket)
			}
		}
		t.Logf("%s (%s): model %s: %q", m.Name, p.Name, r.Profile.Nearest, shown)
		if len(shown) == 0 && r.Profile.Nearest == p.Name {
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
	m, _ := mutant("b15-is-not-set")
	r, err := conform.Run(t.Context(), adapter.InProcess(m.Name, profile.HW(), m.New),
		conform.Options{Suites: []string{"upload"}, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Deviations) != 1 || r.Deviations[0].Bucket != "b15 after a geometry program" {
		t.Errorf("got %+v", r.Deviations)
	}
}
