package reduce_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/hunt"
	"github.com/picaproof/picaproof/fuzz/mutants"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/internal/testmain"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

func TestMain(m *testing.M) { testmain.Run(m) }

type fault struct {
	name  string
	mode  gen.Mode
	limit int
}

// faults are mutants that the tests reduce, with the mode whose jobs show them
// and the largest reduced program in words. The tests of fuzz/mutants reduce
// every mutant once.
var faults = []fault{
	{"mul-does-not-flush", gen.Mixed, 2},
	{"add-keeps-nan-payloads", gen.Mixed, 2},
	{"dp3-reads-w", gen.Mixed, 2},
	{"jmpu-ignores-its-inversion", gen.Mixed, 8},
	{"condition-or-is-and", gen.Mixed, 8},
	{"one-pass-more", gen.Mixed, 8},
	{"al-restored-is-the-inner-start", gen.Flow, 8},
	{"if-stack-of-7", gen.Flow, 12},
	{"loop-stack-of-3", gen.Flow, 12},
}

// maxJobs bounds the jobs that are drawn to show a fault.
const maxJobs = 40_000

// maxTries bounds the candidates that a reduction judges.
const maxTries = 1000

// against judges jobs by the bucket of the difference between a mutant and the oracle.
func against(t testing.TB, name string) reduce.Jobs {
	t.Helper()
	zoo := mutants.Executors()
	at := slices.IndexFunc(zoo, func(m mutants.Mutant) bool { return m.Name == name })
	if at < 0 {
		t.Fatalf("no mutant %s", name)
	}
	return hunt.Engines{Want: impl.New, Got: zoo[at].New}.Keys()
}

// draw returns job n of a mode in profile hw, in which every fault shows.
func draw(g *gen.Generator, mode gen.Mode, n uint64) *pica.Job {
	job := g.Job(gen.Seed(1, n), mode)
	job.Profile = profile.HW()
	return job
}

func assembly(job *pica.Job) (text string) {
	for line := range asm.Lines(&pica.Shader{Program: job.Program}) {
		text += fmt.Sprintf("\n\t%2d  %s", line.PC, line.Text)
	}
	return text
}

// TestReducedFaults reduces jobs that show a fault, the first of each bucket. The reduced job
// must be small, minimal, and in the same bucket; a fault may have only a handful of buckets.
func TestReducedFaults(t *testing.T) {
	const wanted, maxBuckets = 60, 12
	for i, fault := range faults {
		if testing.Short() && i%3 != 0 {
			continue
		}
		t.Run(fault.name, func(t *testing.T) {
			how := against(t, fault.name)
			keyOf := how.NewKey()
			var g gen.Generator
			buckets := map[string]*pica.Job{}
			var order []string
			seen, failing := 0, 0
			for n := uint64(0); n < maxJobs && failing < wanted; n++ {
				seen++
				job := draw(&g, fault.mode, n)
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
				r, err := reduce.Job(t.Context(), buckets[key], how, reduce.Options{})
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%s: %d to %d words, %d tries%s", key, len(buckets[key].Code), len(r.Job.Code),
					r.Tries, assembly(r.Job))
				if again := keyOf(r.Job); again != key || r.Key != key {
					t.Errorf("bucket: got %q, said %q, want %q", again, r.Key, key)
				}
				if r.End != reduce.Minimal || len(r.Job.Code) > fault.limit {
					t.Errorf("%s: %v at %d words, want minimal at %d at most", key, r.End,
						len(r.Job.Code), fault.limit)
				}
				if r.Tries > maxTries {
					t.Errorf("%s: %d tries, want %d at most", key, r.Tries, maxTries)
				}
			}
		})
	}
}

// BenchmarkReduce reduces one failing job of each of several mutants.
func BenchmarkReduce(b *testing.B) {
	for _, name := range []string{"mul-does-not-flush", "jmpu-ignores-its-inversion", "if-stack-of-7"} {
		b.Run(name, func(b *testing.B) {
			job, how := failing(b, name)
			b.ReportAllocs()
			tries := 0
			for b.Loop() {
				r, err := reduce.Job(b.Context(), job, how, reduce.Options{})
				if err != nil {
					b.Fatal(err)
				}
				tries += r.Tries
			}
			b.ReportMetric(float64(tries)/float64(b.N), "tries/op")
		})
	}
}
