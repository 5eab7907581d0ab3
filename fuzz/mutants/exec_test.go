package mutants_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/mutants"
	"github.com/picaproof/picaproof/internal/golden"
	"github.com/picaproof/picaproof/internal/testmain"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

func TestMain(m *testing.M) { testmain.Run(m) }

// modes are the modes of jobs that show the faults of a group, the best first.
var modes = map[string][]gen.Mode{
	"arithmetic":   {gen.Alu},
	"rounding":     {gen.Alu},
	"decoding":     {gen.Alu, gen.Flow, gen.Mixed},
	"operands":     {gen.Alu, gen.Mixed},
	"addressing":   {gen.Alu, gen.Mixed, gen.Flow},
	"control flow": {gen.Flow, gen.Mixed},
	"geometry":     {gen.Geometry},
	"state":        {gen.Flow, gen.Mixed, gen.Geometry},
}

// maxJobs is the largest number of jobs of each mode that a mutant may need.
const maxJobs = 20_000

var profiles = []string{"f24", "hw", "f32"}

// profilesOf returns the profiles in which a mutant shows.
func profilesOf(m *mutants.Mutant) []string {
	if m.Profiles == nil {
		return profiles
	}
	return m.Profiles
}

// firstKill runs a mutant on generated jobs, one of each mode in turn, until one tells it
// from the oracle.
func firstKill(t testing.TB, m *mutants.Mutant, profileName string) (job *pica.Job, jobs int) {
	p, err := profile.Parse(profileName)
	if err != nil {
		t.Fatal(err)
	}
	pair := compare.Pair{Want: impl.New(), Got: m.New()}
	var g gen.Generator
	for n := range uint64(maxJobs) {
		for _, mode := range modes[m.Group] {
			jobs++
			job := g.Job(gen.Seed(1, n), mode)
			job.Profile = p
			verdict, _, err := pair.Run(job)
			if err != nil {
				t.Fatal(err)
			}
			if verdict == compare.Differ {
				return job, jobs
			}
		}
	}
	return nil, jobs
}

// TestExecutorsAreKilled: generated jobs notice every mutant, in every profile
// in which it shows.
func TestExecutorsAreKilled(t *testing.T) {
	var mu sync.Mutex
	var needed []int
	first := map[string]int{} // the jobs needed in the first profile
	t.Run("all", func(t *testing.T) {
		for _, m := range mutants.Executors() {
			t.Run(m.Name, func(t *testing.T) {
				t.Parallel()
				list := profilesOf(&m)
				if testing.Short() {
					list = list[:1]
				}
				for k, p := range list {
					job, jobs := firstKill(t, &m, p)
					if job == nil {
						t.Errorf("%s survives %d jobs in %s", m.Name, jobs, p)
						continue
					}
					t.Logf("%s: %d jobs in %s", m.Name, jobs, p)
					mu.Lock()
					needed = append(needed, jobs)
					if k == 0 {
						first[m.Name] = jobs
					}
					mu.Unlock()
				}
			})
		}
	})
	var text strings.Builder
	for _, m := range mutants.Executors() {
		fmt.Fprintln(&text, first[m.Name], m.Name)
	}
	golden.Text(t, "first-jobs.txt", text.String())
	slices.Sort(needed)
	if n := len(needed); n > 0 {
		t.Logf("%d mutants; median %d jobs, most %d", len(mutants.Executors()), needed[n/2], needed[n-1])
	}
}

// TestExecutorsAreNamed: names are unique, and each mutant names its rule.
func TestExecutorsAreNamed(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range mutants.Executors() {
		if seen[m.Name] || m.Rule == "" || modes[m.Group] == nil {
			t.Errorf("%+v", m)
		}
		seen[m.Name] = true
	}
}
