package sweep_test

import (
	"slices"
	"testing"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/sweep"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/fuzz/mutants"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// views runs the programs on an engine.
func views(t *testing.T, engine pica.Engine, p pica.Profile, jobs []*pica.Job, differs func(n int, v *view.View) bool) {
	t.Helper()
	var out pica.Outcome
	var v view.View
	for n, job := range jobs {
		j := *job
		j.Profile = p
		if err := engine.Run(&j, &out); err != nil {
			t.Fatal(err)
		}
		v.Set(&j, &out)
		if differs(n, &v) {
			return
		}
	}
}

// fixed lists the programs that every run of every core gets: from the sweep, the fingerprint
// and the corpus.
func fixed(t *testing.T) (jobs []*pica.Job) {
	t.Helper()
	for _, job := range sweep.Jobs() {
		jobs = append(jobs, job.Job)
	}
	prints, err := fingerprint.Jobs()
	if err != nil {
		t.Fatal(err)
	}
	jobs = append(jobs, prints...)
	fingerprint.Corpus(func(job *pica.Job) bool {
		jobs = append(jobs, job)
		return true
	})
	return jobs
}

// unseen are executors that no program for a foreign core shows: all NaNs count as equal, and
// b15 is set before a geometry program runs twice (a core that says that it sets b15 is asked).
var unseen = map[string]bool{"add-keeps-nan-payloads": true, "raw24-nan-payloads-are-lost": true,
	"uploads-lose-the-sign-of-nan": true,
	"b15-is-not-set":               true, "b0-is-set-for-b15": true, "booleans-are-cleared-but-b15": true}

// TestExecutors: an executor with one fault answers some program differently than the oracle.
func TestExecutors(t *testing.T) {
	jobs := fixed(t)
	shown := 0
	executors := long.Items(t, mutants.Executors(), long.Few(90, 15))
	for _, name := range []string{"hw", "f24", "f32"} {
		p, _ := profile.ByName(name)
		var healthy []*view.View
		views(t, impl.New(), p, jobs, func(_ int, v *view.View) bool {
			healthy = append(healthy, v.Clone())
			return false
		})
		for _, m := range executors {
			if m.Equivalent != "" || m.Profiles != nil && m.Profiles[0] != name || m.Profiles == nil &&
				name != "hw" {
				continue
			}
			found := false
			views(t, m.New(), p, jobs, func(n int, v *view.View) bool {
				found = view.Compare(healthy[n], v, nil) == view.Differs
				return found
			})
			if found == unseen[m.Name] {
				t.Errorf("%s: %s (%s): shown %v, want %v", name, m.Name, m.Rule, found, !found)
			}
			if found {
				shown++
			}
		}
	}
	t.Logf("%d programs show %d executors", len(jobs), shown)
}

// TestEnds: most programs end on the console, each within its budget.
func TestEnds(t *testing.T) {
	p := profile.HW()
	var jobs []*pica.Job
	for _, job := range sweep.Jobs() {
		jobs = append(jobs, job.Job)
	}
	ends := [view.NumEnds]int{}
	names := map[string]bool{}
	views(t, impl.New(), p, jobs, func(n int, v *view.View) bool {
		if ends[v.End]++; v.End == view.Hung {
			names[sweep.Jobs()[n].Name] = true
		}
		return false
	})
	if ends[view.Hung] > 0 || ends[view.Ended] < len(jobs)*9/10 {
		t.Errorf("ends of %d programs: %v; those without end: %v", len(jobs), ends, slices.Sorted(keys(names)))
	}
}

func keys(m map[string]bool) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}
