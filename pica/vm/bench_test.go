package vm_test

import (
	"encoding/json"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/vm"
)

// loadBench returns the job of a benchmark program with its input vertices.
func loadBench(t testing.TB, b samples.Benchmark, p pica.Profile) *pica.Job {
	t.Helper()
	job, err := pica.ParseJob(b.JSON, func(string) (pica.Profile, error) { return p, nil })
	if err != nil {
		t.Fatal(err)
	}
	var inputs struct{ Gen adapter.Pool }
	if err := json.Unmarshal(b.JSON, &inputs); err != nil {
		t.Fatal(err)
	}
	if job.Vertices, err = inputs.Gen.Vertices(); err != nil {
		t.Fatal(err)
	}
	return job
}

func TestBenchChecksums(t *testing.T) {
	for _, b := range samples.Benchmarks(t) {
		for _, p := range profiles {
			want, ok := b.Checksum[p.Name]
			if !ok {
				continue // profile f32 skips litp and dst
			}
			t.Run(b.Name+"/"+p.Name, func(t *testing.T) {
				profile := *p
				if b.Name == "g2_litp_dst" && p.Name == "hw" {
					profile = with(profile, func(k *pica.Knobs) { k.Hazards = pica.HazardsWarn })
				}
				job := loadBench(t, b, profile)
				var out pica.Outcome
				if err := vm.New().Run(job, &out); err != nil {
					t.Fatal(err)
				}
				var got uint64
				for k := range out.Vertices {
					v := &out.Vertices[k]
					if v.Trap.Cause != pica.TrapNone {
						t.Fatalf("vertex %d: %v", k, v.Trap)
					}
					got = adapter.Fold(got, out.Storage, job.OutMask, &v.O)
				}
				if got != want {
					t.Errorf("got %016x, want %016x", got, want)
				}
			})
		}
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	for _, b := range samples.Benchmarks(t) {
		job := loadBench(t, b, profileF24)
		job.Vertices = job.Vertices[:16]
		engine, out := vm.New(), new(pica.Outcome)
		if n := testing.AllocsPerRun(10, func() {
			if err := engine.Run(job, out); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations a run", b.Name, n)
		}
	}
}

func BenchmarkVM(b *testing.B) {
	for _, program := range samples.Benchmarks(b) {
		for _, p := range profiles {
			b.Run(program.Name+"/scalar/"+p.Name, func(b *testing.B) {
				profile := with(*p, func(k *pica.Knobs) { k.Hazards = pica.HazardsOff })
				job := loadBench(b, program, profile)
				engine, out := vm.New(), new(pica.Outcome)
				if err := engine.Run(job, out); err != nil {
					b.Fatal(err)
				}
				steps := 0
				for k := range out.Vertices {
					steps += out.Vertices[k].Steps
				}
				b.ReportAllocs()
				runs := 0
				for b.Loop() {
					engine.Run(job, out)
					runs++
				}
				ns := float64(b.Elapsed().Nanoseconds())
				b.ReportMetric(ns/float64(runs*len(job.Vertices)), "ns/vertex")
				b.ReportMetric(float64(runs)*float64(steps)/ns*1e9, "instr/s")
				b.ReportMetric(ns/float64(runs*steps), "ns/instr")
			})
		}
	}
}

func BenchmarkCompile(b *testing.B) {
	for _, program := range samples.Benchmarks(b) {
		b.Run(program.Name, func(b *testing.B) {
			job := loadBench(b, program, profileF24)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := vm.Compile(job.Program, job.Stage, &job.Profile); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
