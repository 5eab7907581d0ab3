package gen_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/internal/golden"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

// TestSameSeedSameBytes freezes what the generators make: a case named by seed and number must be found again
// on every platform. A file has three jobs of a mode, and what 500 jobs have in all. go generate ./fuzz/gen
// writes it after an intended change.
func TestSameSeedSameBytes(t *testing.T) {
	for _, mode := range []gen.Mode{gen.Flow, gen.Geometry, gen.Alu, gen.Mixed, gen.Long, gen.Words} {
		var g gen.Generator
		var text strings.Builder
		counts := map[string]int{}
		for n := range uint64(500) {
			job := g.Job(gen.Seed(1, n), mode)
			if n < 3 {
				writeJob(t, &text, fmt.Sprintf("job %d", n), job)
			}
			count(counts, job)
		}
		text.WriteString("in 500 jobs\n")
		for _, name := range slices.Sorted(maps.Keys(counts)) {
			fmt.Fprintf(&text, "%8d %s\n", counts[name], name)
		}
		golden.Text(t, string(mode)+".txt", text.String())
	}
}

// writeJob writes the first instructions of a job, and the rest as JSON.
func writeJob(t *testing.T, w io.Writer, name string, job *pica.Job) {
	t.Helper()
	const most = 60
	fmt.Fprintf(w, "%s: %d words, %d descriptors, budget %d\n", name, len(job.Code), len(job.Descriptors), job.Budget)
	for _, word := range job.Code[:min(most, len(job.Code))] {
		fmt.Fprintf(w, "\t%s\n", asm.Format(word, job.Descriptors))
	}
	rest := *job
	rest.Code, rest.Vertices = nil, rest.Vertices[:min(2, len(rest.Vertices))]
	text, err := json.Marshal(&rest)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(w, "%s\n", text)
}

// count adds the parts of a job to counts.
func count(counts map[string]int, job *pica.Job) {
	for _, word := range job.Code {
		mnemonic, _, _ := strings.Cut(asm.Format(word, job.Descriptors), " ")
		counts[mnemonic]++
	}
	counts["(descriptors)"] += len(job.Descriptors)
	counts["(vertices)"] += len(job.Vertices)
	counts["(registers of vertices)"] += len(slices.Concat(job.Vertices...))
	counts["(budget)"] += job.Budget
	counts["(booleans)"] += bits.OnesCount16(job.Bools)
	for _, u := range job.Floats {
		counts[fmt.Sprintf("(uploads as %v)", u.Format)] += len(u.Values)
	}
}

// TestJobsEndWithoutATrap holds the modes to their promise, hazards of the
// console included.
func TestJobsEndWithoutATrap(t *testing.T) {
	const seed = 2
	engine := impl.New()
	var out pica.Outcome
	for _, p := range []pica.Profile{profile.F24(), profile.HW(), profile.F32()} {
		for _, mode := range []gen.Mode{gen.Alu, gen.Flow, gen.Mixed, gen.Geometry, gen.Long} {
			var g gen.Generator
			runs, ended, steps := 0, 0, 0
			for n := range long.Numbers(t, 2000, long.Few(500, 100)) {
				runs++
				job := g.Job(gen.Seed(seed, uint64(n)), mode)
				job.Profile = p
				if err := engine.Run(job, &out); err != nil {
					t.Fatalf("%s, %s, seed %d, job %d: %v", mode, p.Name, seed, n, err)
				}
				ok := true
				for _, v := range out.Vertices {
					ok = ok && v.Trap.Cause == pica.TrapNone
					steps += v.Steps
				}
				if ok {
					ended++
				}
			}
			t.Logf("%s, %s: %d of %d jobs ended, %d instructions a job", mode, p.Name, ended, runs, steps/runs)
			if ended < runs*95/100 {
				t.Errorf("%s, %s, seed %d: %d of %d jobs ended, want 95 %%", mode, p.Name, seed, ended, runs)
			}
		}
	}
}

// TestFewThousandJobsReach: a few thousand jobs reach every opcode, every pair
// of value classes, every consequence of the console's stacks, every state of
// the emitter.
func TestFewThousandJobsReach(t *testing.T) {
	const seed, runs = 3, 5000
	for mode, groups := range map[gen.Mode][]cover.Group{
		gen.Alu:      {cover.Unary, cover.Binary},
		gen.Flow:     {cover.Flow},
		gen.Geometry: {cover.Opcodes, cover.GeometryUnit},
	} {
		var g gen.Generator
		var out pica.Outcome
		var recorder cover.Recorder
		var matrix cover.Matrix
		engine := impl.Watched(&recorder)
		for n := range uint64(runs) {
			if err := engine.Run(g.Job(gen.Seed(seed, n), mode), &out); err != nil {
				t.Fatal(err)
			}
		}
		matrix.Add(&recorder.Reached)
		for _, group := range matrix.Report().Groups {
			if !slices.Contains(groups, group.Group) {
				continue
			}
			for name := range group.Missing {
				t.Errorf("%s, seed %d: no job reaches %s", mode, seed, name)
			}
		}
	}
}

// TestFlowComputesWithSmallIntegers: whatever way a flow program takes, its
// registers hold integers from 0 to 65535.
func TestFlowComputesWithSmallIntegers(t *testing.T) {
	const seed, runs = 4, 3000
	var g gen.Generator
	var out pica.Outcome
	engine := impl.New()
	for n := range uint64(runs) {
		if err := engine.Run(g.Job(gen.Seed(seed, n), gen.Flow), &out); err != nil {
			t.Fatal(err)
		}
		for _, v := range out.Vertices {
			for k, register := range v.R {
				for _, x := range register {
					if f := math.Float32frombits(pica.Float24.Widen(x)); f != float32(uint16(f)) || x>>23 != 0 {
						t.Fatalf("seed %d, job %d: r%d holds %06x, %v", seed, n, k, x, f)
					}
				}
			}
		}
	}
}

// TestLongPrograms: they have 100 to 500 words, end, and keep the numbers of their
// chain in bounds, so that nothing gets lost in infinities, NaN or rounding.
func TestLongPrograms(t *testing.T) {
	const seed = 6
	engine := impl.New()
	var g gen.Generator
	var out pica.Outcome
	for _, p := range []pica.Profile{profile.F24(), profile.HW(), profile.F32()} {
		for n := range long.Numbers(t, 1500, long.Few(300, 60)) {
			job := g.Job(gen.Seed(seed, uint64(n)), gen.Long)
			job.Profile = p
			if len(job.Code) < 100 || len(job.Code) > 500 {
				t.Errorf("seed %d, job %d: %d words", seed, n, len(job.Code))
			}
			if err := engine.Run(job, &out); err != nil {
				t.Fatal(err)
			}
			for i, v := range out.Vertices {
				if v.Trap.Cause != pica.TrapNone || v.Steps > gen.Budget/4 {
					t.Errorf("%s, seed %d, job %d, vertex %d: %v after %d instructions", p.Name, seed, n, i, v.Trap,
						v.Steps)
				}
				for k, link := range v.R[:4] {
					for _, x := range link {
						if f := math.Float32frombits(p.Storage.Widen(x)); !(f >= -6 && f <= 7) {
							t.Errorf("%s, seed %d, job %d, vertex %d: r%d holds %v", p.Name, seed, n, i, k, f)
						}
					}
				}
			}
		}
	}
}

// TestJobsDoNotAllocate: a generator that has made some jobs has all its memory.
func TestJobsDoNotAllocate(t *testing.T) {
	for _, mode := range gen.Modes {
		var g gen.Generator
		src := gen.Seed(5, 0)
		for range 5000 {
			g.Job(src, mode)
		}
		if n := testing.AllocsPerRun(1000, func() { g.Job(src, mode) }); n != 0 {
			t.Errorf("%s: %v allocations a job", mode, n)
		}
	}
}

// TestBytesEndInZeros: a fuzz input that ends makes the job simpler, not
// shorter.
func TestBytesEndInZeros(t *testing.T) {
	s := gen.NewBytes([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9})
	for i, want := range []uint64{0x0807060504030201, 9, 0, 0} {
		if got := s.Uint64(); got != want {
			t.Errorf("word %d: got %#x, want %#x", i, got, want)
		}
	}
	var g gen.Generator
	for _, mode := range gen.Modes {
		if job := g.Job(gen.NewBytes(nil), mode); len(job.Code) == 0 || len(job.Code) > 300 {
			t.Errorf("%s: the empty input makes %d words", mode, len(job.Code))
		}
	}
}

func BenchmarkJob(b *testing.B) {
	for _, mode := range gen.Modes {
		b.Run(string(mode), func(b *testing.B) {
			var g gen.Generator
			b.ReportAllocs()
			for n := uint64(0); b.Loop(); n++ {
				g.Job(gen.Seed(1, n), mode)
			}
		})
	}
}
