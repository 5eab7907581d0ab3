package vm_test

import (
	"math/bits"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
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
	job.Vertices = samples.Inputs[pica.Vec4](t, b)
	return job
}

// fold adds the outputs of a vertex to the checksum of a benchmark.
func fold(c uint64, out *pica.Outcome, outMask uint16, v *pica.VertexOutcome) uint64 {
	for k := range v.O {
		if outMask>>k&1 != 0 {
			var wide pica.Vec4
			out.Storage.WidenVector(&wide, &v.O[k])
			c = samples.Fold(c, wide)
		}
	}
	return c
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
					got = fold(got, &out, job.OutMask, v)
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

// benchBatch returns a benchmark job as a compiled program and a batch of rows.
func benchBatch(tb testing.TB, b samples.Benchmark, p *pica.Profile) (*vm.Code, *vm.Batch) {
	profile := with(*p, func(k *pica.Knobs) { k.Hazards = pica.HazardsOff })
	job := loadBench(tb, b, profile)
	code, err := vm.Compile(job.Program, job.Stage, &job.Profile)
	if err != nil {
		tb.Fatal(err)
	}
	batch := &vm.Batch{
		Count: len(job.Vertices), Entry: job.Entry, Floats: job.Floats, Ints: job.Ints,
		Bools: job.Bools, Budget: job.Budget,
		Registers: len(job.Vertices[0]), Format: job.InputFormat, OutMask: job.OutMask, OutFormat: pica.Float32,
		Steps: make([]int, len(job.Vertices)),
	}
	for _, v := range job.Vertices {
		batch.Rows = append(batch.Rows, v...)
	}
	batch.OutRows = make([]pica.Vec4, batch.Count*bits.OnesCount16(batch.OutMask))
	return code, batch
}

// The checksums of the benchmark jobs on every tier, by rows and by columns.
func TestBatchChecksums(t *testing.T) {
	for _, b := range samples.Benchmarks(t) {
		for _, p := range profiles {
			want, ok := b.Checksum[p.Name]
			if !ok {
				continue
			}
			for tier := vm.TierScalar; tier < vm.NumTiers; tier++ {
				code, batch := benchBatch(t, b, p)
				batch.Tier = tier
				stats, err := code.Run(batch)
				if err != nil {
					t.Fatal(err)
				}
				if got := foldRows(batch.OutRows); got != want {
					t.Errorf("%s %s %v: rows give %016x, want %016x; %+v", b.Name, p.Name, tier, got, want, stats)
				}
				rows := slices.Clone(batch.OutRows)
				batch.Columns, batch.OutColumns = columns(batch.Rows, batch.Registers), columns(rows,
					len(rows)/batch.Count)
				for _, c := range batch.OutColumns {
					clear(c)
				}
				batch.Rows = nil
				if _, err := code.Run(batch); err != nil {
					t.Fatal(err)
				}
				if !slices.EqualFunc(batch.OutColumns, columns(rows, len(rows)/batch.Count), slices.Equal) {
					t.Errorf("%s %s %v: columns differ from rows", b.Name, p.Name, tier)
				}
				if tier != vm.TierScalar && stats.Vertices[vm.TierScalar] > 0 {
					t.Errorf("%s %s %v: %+v", b.Name, p.Name, tier, stats)
				}
			}
		}
	}
}

func columns(rows []pica.Vec4, registers int) [][]uint32 {
	list := make([][]uint32, 4*registers)
	for k, v := range rows {
		for j := range v {
			list[4*(k%registers)+j] = append(list[4*(k%registers)+j], v[j])
		}
	}
	return list
}

// foldRows is the checksum of the benchmark data over rows of float32.
func foldRows(rows []pica.Vec4) (c uint64) {
	for _, v := range rows {
		c = samples.Fold(c, v)
	}
	return c
}

func BenchmarkVM(b *testing.B) {
	for _, program := range samples.Benchmarks(b) {
		for tier := vm.TierScalar; tier < vm.NumTiers; tier++ {
			for _, p := range profiles {
				b.Run(program.Name+"/"+tier.String()+"/"+p.Name, func(b *testing.B) {
					code, batch := benchBatch(b, program, p)
					batch.Tier = tier
					if _, err := code.Run(batch); err != nil {
						b.Fatal(err)
					}
					steps := 0
					for _, n := range batch.Steps {
						steps += n
					}
					batch.Steps = nil
					b.ReportAllocs()
					runs := 0
					for b.Loop() {
						code.Run(batch)
						runs++
					}
					ns := float64(b.Elapsed().Nanoseconds())
					b.ReportMetric(ns/float64(runs*batch.Count), "ns/vertex")
					b.ReportMetric(float64(runs)*float64(steps)/ns*1e9, "instr/s")
					b.ReportMetric(ns/float64(runs*steps), "ns/instr")
				})
			}
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
