package vm_test

import (
	"encoding/json"
	"hash/fnv"
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/float24"
	"github.com/picaproof/picaproof/pica/vm"
)

const benchDir = "../../../shared/data/bench"

func encode(f uint32) uint32     { return uint32(float24.Encode(f, float24.TowardZero)) }
func floatBits(n int) uint32     { return math.Float32bits(float32(n)) }
func decodeBits(x uint32) uint32 { return float24.Decode(float24.Bits(x)) }

var benchJobs = []string{"a_minimal", "b_mvp", "c_skin_lit", "d_loop", "e_branch", "f_transc", "g_mix", "g2_litp_dst"}

// checksums of the outputs over all inputs of a job.
var checksums = map[string]map[string]uint64{
	"f24": {
		"a_minimal": 0xef8766067d3b5aca, "b_mvp": 0x1f0af8ff256a1cfc, "c_skin_lit": 0xcad35be79718da6f,
		"d_loop": 0xfee20089404e7621, "e_branch": 0x8ee19621ab7a795c, "f_transc": 0x3c1291d5d8cab7ac,
		"g_mix": 0x2ee6de8ca3f1c0fc, "g2_litp_dst": 0xecbd57a8a71e3794,
	},
	"hw": {
		"a_minimal": 0xef8766067d3b5aca, "b_mvp": 0x03d007740543097f, "c_skin_lit": 0xec862fc24a3e4dbf,
		"d_loop": 0x61094d7dfed93320, "e_branch": 0xfc737addf2775b11, "f_transc": 0xd3108128ba7af566,
		"g_mix": 0xa7292264eefc41da, "g2_litp_dst": 0x04610342381d325a,
	},
	"f32": {"f_transc": 0xfbd0ef3dd7bbdac9}, // the file's own value has the errors of a C library
}

// benchFile is what a benchmark file says besides the job.
type benchFile struct {
	Gen struct {
		Seed  uint32
		Count int
		Regs  [][4][3]any
	}
	Pool string `json:"pool_fnv1a64"`
	Sum  string `json:"checksum_float32"`
}

func loadBench(t testing.TB, name string, p *pica.Profile) (*pica.Job, *benchFile) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(benchDir, name+".json"))
	if err != nil {
		t.Skipf("no benchmark programs here: %v", err)
	}
	job, err := pica.ParseJob(data, func(string) (pica.Profile, error) { return *p, nil })
	if err != nil {
		t.Fatal(err)
	}
	var f benchFile
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	x := f.Gen.Seed
	h := fnv.New64a()
	for range f.Gen.Count {
		var regs []pica.Vec4
		for _, spec := range f.Gen.Regs {
			var v pica.Vec4
			for k, s := range spec {
				lo, hi := s[1].(float64), s[2].(float64)
				value := lo
				if s[0] != "c" {
					x ^= x << 13
					x ^= x >> 17
					x ^= x << 5
					value = lo + float64((hi-lo)*(float64(x>>8)/(1<<24)))
				}
				if s[0] == "i" {
					value = math.Floor(value)
				}
				v[k] = math.Float32bits(float32(value)) &^ 0x7F
				h.Write([]byte{byte(v[k]), byte(v[k] >> 8), byte(v[k] >> 16), byte(v[k] >> 24)})
			}
			regs = append(regs, v)
		}
		job.Vertices = append(job.Vertices, regs)
	}
	if got := strconv.FormatUint(h.Sum64(), 16); got != f.Pool {
		t.Fatalf("%s: inputs hash to %s, want %s", name, got, f.Pool)
	}
	return job, &f
}

func checksum(job *pica.Job, out *pica.Outcome) (c uint64) {
	for k := range out.Vertices {
		for r := range pica.NumOutputs {
			if job.OutMask>>r&1 == 0 {
				continue
			}
			v := out.Vertices[k].O[r]
			if out.Storage == pica.StorageF24 {
				for n := range v {
					v[n] = decodeBits(v[n])
				}
			}
			c = bits.RotateLeft64(c, 1) ^ (uint64(v[0]) | uint64(v[1])<<32) ^ (uint64(v[2]) | uint64(v[3])<<32)
		}
	}
	return c
}

func TestBenchChecksums(t *testing.T) {
	for _, p := range profiles {
		for _, name := range benchJobs {
			if p.Name == "f32" && name == "g2_litp_dst" {
				continue // the profile skips litp and dst
			}
			t.Run(name+"/"+p.Name, func(t *testing.T) {
				profile := *p
				if name == "g2_litp_dst" && p.Name == "hw" {
					profile = with(profile, pica.KnobHazards, pica.HazardsWarn)
				}
				job, file := loadBench(t, name, &profile)
				var out pica.Outcome
				if err := vm.New().Run(job, &out); err != nil {
					t.Fatal(err)
				}
				for k := range out.Vertices {
					if trap := out.Vertices[k].Trap; trap.Cause != pica.TrapNone {
						t.Fatalf("vertex %d: %v", k, trap)
					}
				}
				want, ok := checksums[p.Name][name]
				if !ok {
					want, _ = strconv.ParseUint(file.Sum, 16, 64)
				}
				if got := checksum(job, &out); got != want {
					t.Errorf("got %016x, want %016x", got, want)
				}
			})
		}
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	for _, name := range benchJobs {
		job, _ := loadBench(t, name, &profileF24)
		job.Vertices = job.Vertices[:16]
		engine, out := vm.New(), new(pica.Outcome)
		if n := testing.AllocsPerRun(10, func() {
			if err := engine.Run(job, out); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations a run", name, n)
		}
	}
}

func BenchmarkVM(b *testing.B) {
	for _, name := range benchJobs {
		for _, p := range profiles {
			b.Run(name+"/scalar/"+p.Name, func(b *testing.B) {
				profile := with(*p, pica.KnobHazards, pica.HazardsOff)
				job, _ := loadBench(b, name, &profile)
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
	job, _ := loadBench(b, "c_skin_lit", &profileF24)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := vm.Compile(job.Program, job.Stage, &job.Profile); err != nil {
			b.Fatal(err)
		}
	}
}
