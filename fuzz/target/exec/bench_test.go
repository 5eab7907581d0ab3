package exec_test

import (
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica/vm"
)

// BenchmarkCampaign makes jobs, runs each on the oracle and on the VM, and compares: the work
// of a campaign on one core.
func BenchmarkCampaign(b *testing.B) {
	for _, mode := range gen.Modes {
		b.Run(string(mode), func(b *testing.B) {
			var g gen.Generator
			pair := compare.Pair{Want: impl.New(), Got: vm.New()}
			jobs := uint64(0)
			b.ReportAllocs()
			for b.Loop() {
				job := g.Job(gen.Seed(1, jobs), mode)
				if verdict, d, err := pair.Run(job); err != nil || verdict != compare.Equal {
					b.Fatalf("seed 1, job %d: %v, %v, %v", jobs, verdict, d, err)
				}
				jobs++
			}
			b.ReportMetric(float64(jobs)/b.Elapsed().Seconds(), "jobs/s")
		})
	}
}
