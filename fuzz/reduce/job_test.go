package reduce_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/picaproof/picaproof/fuzz/campaign"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
	"github.com/picaproof/picaproof/pica/vm"
)

// against holds an engine against the VM.
func against(engine func() *broken) reduce.Jobs {
	return campaign.Difference(vm.New, func() pica.Engine { return engine() })
}

func assembly(job *pica.Job) (text string) {
	for line := range asm.Lines(&pica.Shader{Program: job.Program}) {
		text += fmt.Sprintf("\n\t%2d  %s", line.PC, line.Text)
	}
	return text
}

// TestReducedFaults reduces what shows each fault of the zoo: the first job of
// each of its buckets. The reduced job must be small, minimal, in the same
// bucket, and the buckets of a fault a handful.
func TestReducedFaults(t *testing.T) {
	const wanted, maxJobs, maxBuckets = 60, 40_000, 12
	var times []time.Duration
	for _, fault := range zoo {
		t.Run(fault.name, func(t *testing.T) {
			how := against(fault.make)
			keyOf := how.NewKey()
			var g gen.Generator
			buckets := map[string]*pica.Job{}
			var order []string
			seen, failing := 0, 0
			for n := uint64(0); n < maxJobs && failing < wanted; n++ {
				seen++
				job := fault.jobs(&g, n)
				key := keyOf(job)
				if key == "" {
					continue
				}
				failing++
				if buckets[key] == nil {
					buckets[key] = reduce.Clone(job)
					order = append(order, key)
				}
			}
			t.Logf("%d of %d jobs show it, in %d buckets: %q", failing, seen, len(order), order)
			if failing == 0 || len(order) > maxBuckets {
				t.Errorf("%d failing jobs in %d buckets", failing, len(order))
			}
			for _, key := range order[:min(len(order), 3)] {
				start := time.Now()
				r, err := reduce.Job(t.Context(), buckets[key], how, reduce.Options{})
				took := time.Since(start)
				times = append(times, took)
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%s: %d to %d words, %d tries, %v%s", key, len(buckets[key].Code), len(r.Job.Code), r.Tries,
					took.Round(time.Millisecond), assembly(r.Job))
				if again := keyOf(r.Job); again != key || r.Key != key {
					t.Errorf("bucket: got %q, said %q, want %q", again, r.Key, key)
				}
				if r.End != reduce.Minimal || len(r.Job.Code) > fault.limit {
					t.Errorf("%s: %v at %d words, want minimal at %d at most", key, r.End, len(r.Job.Code), fault.limit)
				}
			}
		})
	}
	if len(times) > 0 {
		slices.Sort(times)
		median := times[len(times)/2]
		t.Logf("%d reductions, median %v, longest %v", len(times), median, times[len(times)-1])
		if median > 2*time.Second {
			t.Errorf("median of %v, want 2 s", median)
		}
	}
}
