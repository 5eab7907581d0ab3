package gen_test

import (
	"encoding/json"
	"hash/fnv"
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// TestSameSeedSameBytes freezes what the generators make: a case named by seed
// and number must be found again on every platform. A change of the generators
// changes the hashes on purpose.
func TestSameSeedSameBytes(t *testing.T) {
	for mode, want := range map[gen.Mode]uint64{gen.Flow: 0x6db799838cbd1113, gen.Geometry: 0x272cc4badd1e2c6c, gen.Alu: 0x38a0c9ef0c509902, gen.Mixed: 0xc200cde60d646581, gen.Words: 0x9d474f5574bdea59} {
		var g gen.Generator
		h := fnv.New64a()
		for n := range uint64(500) {
			b, err := json.Marshal(g.Job(gen.Seed(1, n), mode))
			if err != nil {
				t.Fatal(err)
			}
			h.Write(b)
		}
		if got := h.Sum64(); got != want {
			t.Errorf("%s: got %#x, want %#x", mode, got, want)
		}
	}
}

// TestJobsEndWithoutATrap holds the modes to their promise.
func TestJobsEndWithoutATrap(t *testing.T) {
	const seed, runs = 2, 5000
	engine := oracle.New()
	var out pica.Outcome
	for _, mode := range []gen.Mode{gen.Alu, gen.Flow, gen.Mixed, gen.Geometry} {
		var g gen.Generator
		ended, steps := 0, 0
		for n := range uint64(runs) {
			if err := engine.Run(g.Job(gen.Seed(seed, n), mode), &out); err != nil {
				t.Fatalf("%s, seed %d, job %d: %v", mode, seed, n, err)
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
		t.Logf("%s: %d of %d jobs ended, %d instructions a job", mode, ended, runs, steps/runs)
		if ended < runs*95/100 {
			t.Errorf("%s, seed %d: %d of %d jobs ended, want 95 %%", mode, seed, ended, runs)
		}
	}
}

// TestMixedJobsUseEveryInstruction: all of them but EMIT, SETEMIT and BREAK,
// which need a geometry stage or a loop around them.
func TestMixedJobsUseEveryInstruction(t *testing.T) {
	const seed = 3
	var g gen.Generator
	seen := map[pica.Opcode]bool{}
	for n := range uint64(3000) {
		for _, w := range g.Job(gen.Seed(seed, n), gen.Mixed).Code {
			seen[pica.OpcodeOf(w).Base()] = true
		}
	}
	for op, info := range pica.Opcodes {
		base := pica.Opcode(op) == info.Base && info.Name != ""
		if base && !seen[info.Base] && info.Base != pica.EMIT && info.Base != pica.SETEMIT && info.Base != pica.BREAK {
			t.Errorf("seed %d: no program uses %v", seed, info.Base)
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
