package oracle_test

import (
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// A benchJob is a benchmark program with its input vertices.
type benchJob struct {
	samples.Benchmark
	job pica.Job
}

func benchJobs(tb testing.TB) (list []benchJob) {
	tb.Helper()
	for _, b := range samples.Benchmarks(tb) {
		job, err := pica.ParseJob(b.JSON, func(string) (pica.Profile, error) { return pica.Profile{}, nil })
		check(tb, err)
		job.Vertices = samples.Inputs[pica.Vec4](tb, b)
		list = append(list, benchJob{b, *job})
	}
	return list
}

func check(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// checksum folds the outputs of all vertices, as float32 patterns.
func (b *benchJob) checksum(tb testing.TB, engine pica.Engine, p pica.Profile) (c uint64) {
	tb.Helper()
	if p.Knobs.Hazards == pica.HazardsTrap {
		p.Knobs.Hazards = pica.HazardsWarn // g2_litp_dst reads two inputs at once
	}
	b.job.Profile = p
	var out pica.Outcome
	check(tb, engine.Run(&b.job, &out))
	for i := range out.Vertices {
		v := &out.Vertices[i]
		if v.Trap.Cause != pica.TrapNone {
			tb.Fatalf("%s: vertex %d: trap %v", b.Name, i, v.Trap)
		}
		for k := range v.O {
			if b.job.OutMask>>k&1 != 0 {
				var wide pica.Vec4
				out.Storage.WidenVector(&wide, &v.O[k])
				c = samples.Fold(c, wide)
			}
		}
	}
	return c
}

func TestBenchChecksums(t *testing.T) {
	for _, b := range benchJobs(t) {
		t.Run(b.Name, func(t *testing.T) {
			if len(b.Checksum) < 2 {
				t.Fatal("no checksums for this program")
			}
			for k, p := range []pica.Profile{profile.HW(), profile.F24(), profile.F32()} {
				want, ok := b.Checksum[p.Name]
				if !ok || testing.Short() && k != len(b.Name)%2 { // short tests take one of two profiles
					continue
				}
				if got := b.checksum(t, impl.New(), p); got != want {
					t.Errorf("%s: got %016x, want %016x", p.Name, got, want)
				}
			}
		})
	}
}

// BenchmarkOracle measures instructions a second over the benchmark programs.
func BenchmarkOracle(b *testing.B) {
	for _, j := range benchJobs(b) {
		for _, p := range []pica.Profile{profile.F24(), profile.HW(), profile.F32()} {
			b.Run(j.Name+"/"+p.Name, func(b *testing.B) {
				if p.Knobs.Hazards == pica.HazardsTrap {
					p.Knobs.Hazards = pica.HazardsWarn
				}
				job, engine := j.job, impl.New()
				job.Profile, job.Vertices = p, job.Vertices[:256]
				var out pica.Outcome
				check(b, engine.Run(&job, &out))
				steps := 0
				for i := range out.Vertices {
					steps += out.Vertices[i].Steps
				}
				b.ReportAllocs()
				for b.Loop() {
					check(b, engine.Run(&job, &out))
				}
				b.ReportMetric(float64(steps)*float64(b.N)/b.Elapsed().Seconds(), "instr/s")
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(job.Vertices)), "ns/vertex")
			})
		}
	}
}
