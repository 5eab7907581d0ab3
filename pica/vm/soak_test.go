package vm_test

import (
	"encoding/json"
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/vm"
)

var (
	soakSeed = flag.Uint64("soak-seed", 1, "seed of TestSoak")
	soakJobs = flag.Uint64("soak", 3000, "jobs that TestSoak makes")
)

// manyVertices gives a job n vertices of one kind: 0 special values and numbers of
// any and of middling size, 1 only the latter, 2 numbers of any size.
func manyVertices(job *pica.Job, n, kind int, random *rand.Rand) {
	job.Keep = false
	job.InputFormat = pica.Float24
	if job.Profile.Storage == pica.Float32 {
		job.InputFormat = pica.Float32
	}
	vertices := make([][]pica.Vec4, n)
	for k := range vertices {
		vertices[k] = make([]pica.Vec4, pica.NumInputs)
		for r := range vertices[k] {
			for c := range 4 {
				x := component(random, &job.Profile)
				if kind > 0 {
					e := 0x38 + random.Uint32()&15
					if kind == 2 {
						e = 1 + random.Uint32N(126)
					}
					x = pica.Float24.Widen(random.Uint32()&0x80FFFF | e<<16)
					if job.InputFormat == pica.Float24 {
						x = pica.Float24.Narrow(x)
					}
				}
				vertices[k][r][c] = x
			}
		}
	}
	job.Vertices = vertices
}

// Every tier computes what the scalar one does, and that one what the oracle does.
// -soak N makes it long.
func TestSoak(t *testing.T) {
	jobs := *soakJobs
	if testing.Short() {
		jobs = min(jobs, 400)
	}
	t.Logf("-soak-seed %d -soak %d", *soakSeed, jobs)
	scalar := vm.NewTier(vm.TierScalar)
	tiers := []pica.Engine{vm.NewTier(vm.TierBatch), vm.NewTier(vm.TierNative)}
	judge := compare.Judge{Want: impl.New(), Got: scalar}
	var g gen.Generator
	var want, got pica.Outcome
	for n := range jobs {
		mode := gen.Modes[n%uint64(len(gen.Modes))]
		job := g.Job(gen.Seed(*soakSeed, n), mode)
		job.Profile = *profiles[n/5%3]
		job.Initial = nil
		if job.Budget == 0 || job.Budget > 2000 {
			job.Budget = 2000
		}
		random := rand.New(rand.NewPCG(*soakSeed, n))
		manyVertices(job, 1+random.IntN(80), int(n/15%3), random)
		if err := scalar.Run(job, &want); err != nil {
			t.Fatal(err)
		}
		for k, e := range tiers {
			if err := e.Run(job, &got); err != nil {
				t.Fatal(err)
			}
			if diff := differ(&want, &got); diff != "" {
				text, _ := json.Marshal(job)
				t.Fatalf("job %d (%s, %s), tier %d (-scalar +tier)\n%s\njob %s", n, mode, job.Profile.Name, k, diff, text)
			}
		}
		if job.Stage == pica.Vertex {
			sameBatch(t, job, &want)
		}
		if n%16 == 0 {
			job.Vertices = job.Vertices[:min(4, len(job.Vertices))]
			if verdict, d, err := judge.Run(job); err != nil || verdict == compare.Differ {
				text, _ := json.Marshal(job)
				t.Fatalf("oracle and scalar tier part: %v, %v\njob %s", err, d, text)
			}
		}
	}
}

// differ compares two outcomes bit for bit.
func differ(want, got *pica.Outcome) string {
	if len(want.Vertices) != len(got.Vertices) || want.Bools != got.Bools {
		return cmp.Diff(want, got)
	}
	for k := range want.Vertices {
		w, g := &want.Vertices[k], &got.Vertices[k]
		if w.State == g.State && w.Trap == g.Trap && w.Steps == g.Steps && len(w.Skipped) == len(g.Skipped) &&
			len(w.Hazards) == len(g.Hazards) && len(w.Primitives) == len(g.Primitives) {
			continue
		}
		return cmp.Diff(w, g)
	}
	return ""
}

// sameBatch runs a job as a batch, and asks for the registers, traps and steps of
// an outcome.
func sameBatch(t *testing.T, job *pica.Job, want *pica.Outcome) {
	t.Helper()
	code, err := vm.Compile(job.Program, job.Stage, &job.Profile)
	if err != nil {
		t.Fatal(err)
	}
	count := len(job.Vertices)
	b := &vm.Batch{
		Count: count, Entry: job.Entry, Floats: job.Floats, Ints: job.Ints, Bools: job.Bools, Budget: job.Budget,
		Registers: pica.NumInputs, Format: job.InputFormat, OutMask: 0xFFFF, OutFormat: job.Profile.Storage,
		OutRows: make([]pica.Vec4, count*pica.NumOutputs), Traps: make([]pica.Trap, count), Steps: make([]int, count),
	}
	for _, v := range job.Vertices {
		b.Rows = append(b.Rows, v...)
	}
	stats, err := code.Run(b)
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, n := range stats.Vertices {
		ran += n
	}
	if ran != count {
		t.Fatalf("%d of %d vertices in %+v", ran, count, stats)
	}
	for k := range want.Vertices {
		w := &want.Vertices[k]
		if w.Trap != b.Traps[k] || w.Steps != b.Steps[k] || w.O != [pica.NumOutputs]pica.Vec4(b.OutRows[k*pica.NumOutputs:]) {
			t.Fatalf("vertex %d as a batch: %v after %d, want %v after %d\n%s", k, b.Traps[k], b.Steps[k], w.Trap, w.Steps,
				cmp.Diff(w.O, [pica.NumOutputs]pica.Vec4(b.OutRows[k*pica.NumOutputs:])))
		}
	}
}
