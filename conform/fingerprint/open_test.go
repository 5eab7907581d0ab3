package fingerprint_test

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/internal/pool"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// open is a value that no stored job separates from a named profile's value while the other
// knobs are as in the profile.
type open struct {
	p            pica.Profile
	names        []string // "hw: dp left, seeded"
	knobs        []*fingerprint.Dimension
	alternatives []pica.Profile
}

// openKnobs lists the profiles with open knobs.
func openKnobs(t *testing.T) (list []open) {
	jobs, err := fingerprint.Jobs()
	if err != nil {
		t.Fatal(err)
	}
	named, other := fingerprint.NewPredictor(), fingerprint.NewPredictor()
	want := make([]view.View, len(jobs))
	for _, name := range profile.Names() {
		o := open{}
		o.p, _ = profile.ByName(name)
		for i, job := range jobs {
			named.View(job, &o.p, &want[i])
		}
		for d := range fingerprint.Dimensions {
			dim := &fingerprint.Dimensions[d]
			for v := range dim.Values {
				q, ok := dim.With(o.p, v)
				if !dim.IsKnob() || !ok || v == dim.Get(&o.p) {
					continue
				}
				separated := false
				for i, job := range jobs {
					if !dim.Concerns(job) {
						continue
					}
					var got view.View
					other.View(job, &q, &got)
					if separated = fingerprint.Tells(job, &want[i], &got); separated {
						break
					}
				}
				if !separated {
					o.names = append(o.names, name+": "+dim.Name+" "+dim.Values[dim.Get(&o.p)].Name+", "+
						dim.Values[v].Name)
					o.knobs = append(o.knobs, dim)
					o.alternatives = append(o.alternatives, q)
				}
			}
		}
		if len(o.names) > 0 {
			t.Logf("%d open: %q", len(o.names), o.names)
			list = append(list, o)
		}
	}
	return list
}

// prober compares open values on jobs, for one goroutine. Each profile has its own predictor,
// because a predictor that changes profiles builds the rules again.
type prober struct {
	predictors map[*pica.Profile]*fingerprint.Predictor
	want, got  view.View
	generator  gen.Generator
}

func newProber() *prober { return &prober{predictors: map[*pica.Profile]*fingerprint.Predictor{}} }

func (w *prober) predict(job *pica.Job, p *pica.Profile, v *view.View) {
	if w.predictors[p] == nil {
		w.predictors[p] = fingerprint.NewPredictor()
	}
	w.predictors[p].View(job, p, v)
}

// separated calls found for each open value that a job separates from its profile. Unless all
// are compared, knobs that do not concern the job are left out.
func (w *prober) separated(job *pica.Job, list []open, all bool, found func(o *open, k int)) {
	for i := range list {
		o, predicted := &list[i], false
		for k := range o.alternatives {
			if !all && !o.knobs[k].Concerns(job) {
				continue
			}
			if !predicted {
				w.predict(job, &o.p, &w.want)
				predicted = true
			}
			if w.want.End == view.Hung || w.want.End == view.Missing {
				break // no value separates anything
			}
			w.predict(job, &o.alternatives[k], &w.got)
			if fingerprint.Tells(job, &w.want, &w.got) {
				found(o, k)
			}
		}
	}
}

// TestOpenKnobs: no vector of the corpus and no generated job shows a value that the fingerprint
// leaves open for a named profile.
func TestOpenKnobs(t *testing.T) {
	const seed = 12
	numbers := slices.Collect(long.Numbers(t, 20_000, long.Few(700, 14)))
	const unlimited = 1_000 // jobs that are compared for all of them
	list := openKnobs(t)
	var mu sync.Mutex
	seen := map[string]bool{}
	found := func(job *pica.Job, where string) func(o *open, k int) {
		return func(o *open, k int) {
			mu.Lock()
			defer mu.Unlock()
			if seen[o.names[k]] {
				return
			}
			seen[o.names[k]] = true
			small := fingerprint.Reduced(context.Background(), job, &o.p, &o.alternatives[k])
			small.Profile = pica.Profile{}
			data, _ := json.Marshal(small)
			line, _ := json.Marshal(fingerprint.Stored{Separates: o.names[k], Job: data})
			t.Errorf("%s separates what the stored jobs do not: %s", where, line)
		}
	}
	corpus, vectors := newProber(), 0
	for job := range fingerprint.Corpus {
		if vectors++; testing.Short() && vectors%4 != 0 {
			continue
		}
		corpus.separated(job, list, true, found(job, "the corpus"))
	}
	var next, done atomic.Uint64
	err := pool.Run(t.Context(), 0, func() (*prober, error) { return newProber(), nil },
		func(ctx context.Context, w *prober) (bool, error) {
			i := next.Add(1) - 1
			if i >= uint64(len(numbers)) || ctx.Err() != nil {
				return false, ctx.Err()
			}
			n := uint64(numbers[i])
			modes := uint64(len(gen.Modes))
			mode := gen.Modes[n%modes]
			job := w.generator.Job(gen.Seed(seed, n/modes), mode)
			job.Budget = min(job.Budget, fingerprint.Budget)
			portable := view.Portable(job)
			w.separated(portable, list, n < unlimited,
				found(portable, "seed "+strconv.Itoa(seed)+", "+string(mode)+" job "+strconv.FormatUint(n/modes, 10)))
			if d := done.Add(1); d%50_000 == 0 {
				t.Logf("%d of %d jobs, %d answers separated", d, len(numbers), len(seen))
			}
			return true, nil
		})
	if err != nil {
		t.Fatal(err)
	}
}
