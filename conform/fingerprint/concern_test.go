package fingerprint_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// TestConditions: each condition is a knob's.
func TestConditions(t *testing.T) {
	for _, name := range fingerprint.Conditions() {
		if !slices.ContainsFunc(impl.Catalogue, func(k impl.Knob) bool { return k.Name == name }) {
			t.Errorf("no knob %s", name)
		}
	}
}

// TestConcerns: another answer to a question does not change the prediction for a job that the
// question does not concern. The stored jobs, which separate all answers, run under all named
// profiles; candidates run under random ones, a third of them with an initial state.
func TestConcerns(t *testing.T) {
	base, other := fingerprint.NewPredictor(), fingerprint.NewPredictor()
	var want, got view.View
	compared := map[string]int{}
	check := func(job *pica.Job, p pica.Profile) {
		base.View(job, &p, &want)
		for d := range fingerprint.Dimensions {
			dim := &fingerprint.Dimensions[d]
			if dim.Concerns(job) {
				continue
			}
			for v := range dim.Values {
				q, ok := dim.With(p, v)
				if !ok || v == dim.Get(&p) {
					continue
				}
				compared[dim.Name]++
				other.View(job, &q, &got)
				if got.End != want.End || got.Skips != want.Skips || !slices.Equal(got.Estimated, want.Estimated) ||
					view.Compare(&want, &got, nil) != view.Same {
					t.Errorf("%s: %s=%s changes a job that it does not concern: %+v", profile.String(p), dim.Name,
						dim.Values[v].Name, job)
				}
			}
		}
	}
	jobs, err := fingerprint.Jobs()
	if err != nil {
		t.Fatal(err)
	}
	// A job runs under a few of the profiles, another job under others.
	names, few := profile.Names(), long.Few(3, 1)
	extra := long.Extra(t, names)
	for n, job := range jobs {
		for k, name := range names {
			if (n+k)%len(names) < few || slices.Contains(extra, name) {
				p, _ := profile.ByName(name)
				check(job, p)
			}
		}
	}
	const seed, generated = 9, 10
	random := rand.New(rand.NewPCG(seed, 0))
	n := 0
	every := long.Few(3, 8)
	if len(extra) > 0 {
		every = 1
	}
	for job := range fingerprint.Candidates(seed, generated) {
		if n++; n%every != 0 {
			continue
		}
		if n%3 == 0 {
			job.Initial = &pica.State{CC: [2]bool{true, false}, Address: [2]int32{3, -1}, AL: 2}
			for r := range job.Initial.R {
				job.Initial.R[r][r%4] = random.Uint32()
			}
		}
		check(job, fingerprint.Random(random))
	}
	t.Logf("predictions compared: %v", compared)
}
