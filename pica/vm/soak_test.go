package vm_test

import (
	"encoding/json"
	"flag"
	"iter"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/vm"
)

var (
	soakSeed  = flag.Uint64("soak-seed", 1, "seed of TestSoak")
	soakJobs  = flag.Int("soak", 0, "jobs that TestSoak makes; 0 makes few, in long runs 3000")
	soakFirst = flag.Uint64("soak-first", 0, "the job that TestSoak starts with")
	soakSlow  = flag.Bool("soak-slow", false, "TestSoak sends everything the slow ways")
)

// The kinds of numbers that manyVertices makes.
const (
	kindSpecial  = iota // special values, and numbers of any and of middling size
	kindMiddling        // near 1
	kindAny             // of any size
	kindTiny            // their products are subnormal float24 or nearly
	numKinds
)

// manyVertices gives a job n vertices with numbers of one kind.
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
				if kind != kindSpecial {
					var e uint32
					switch kind {
					case kindMiddling:
						e = 0x38 + random.Uint32()&15
					case kindAny:
						e = 1 + random.Uint32N(126)
					case kindTiny:
						e = 0x18 + random.Uint32()&15
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

// soak runs generated jobs on every tier.
type soak struct {
	seed      uint64
	generator gen.Generator
	scalar    pica.Engine
	tiers     []pica.Engine // the other tiers
	pair      compare.Pair  // the oracle and the scalar tier
	want, got pica.Outcome

	vertices uint64   // that ran on every tier
	batches  vm.Stats // of jobs that ran once more, as batches on the native tier
}

func newSoak(seed uint64) *soak {
	s := &soak{seed: seed, scalar: vm.NewTier(vm.TierScalar)}
	s.tiers = []pica.Engine{vm.NewTier(vm.TierBatch), vm.NewTier(vm.TierNative)}
	s.pair = compare.Pair{Want: impl.New(), Got: s.scalar}
	return s
}

// oracleShare says which jobs the oracle runs, too.
const oracleShare = 16

// job makes job n, in a mode, profile and kind of numbers that follow from n, and compares the results of the
// tiers. Three in four have 63 vertices; the others have 1 to 80, for whole chunks of lanes and short ones.
func (s *soak) job(t *testing.T, n uint64) {
	mode := gen.Modes[n%uint64(len(gen.Modes))]
	n6 := n / uint64(len(gen.Modes))
	job := s.generator.Job(gen.Seed(s.seed, n), mode)
	job.Profile = *profiles[n6%3]
	job.Initial = nil
	if job.Budget == 0 || job.Budget > 2000 {
		job.Budget = 2000
	}
	random := rand.New(rand.NewPCG(s.seed, n))
	vertices := 63
	if n6%4 == 0 {
		vertices = 1 + random.IntN(80)
	}
	kind := int(n6 / 3 % numKinds)
	manyVertices(job, vertices, kind, random)
	if n%2 == 0 && kind != kindSpecial { // one special uniform is enough to keep native code away
		u := pica.Upload{Format: job.InputFormat}
		for range pica.NumFloats / 4 {
			u.Values = append(u.Values, job.Vertices[random.IntN(vertices)][:4]...)
		}
		job.Floats = []pica.Upload{u}
	}
	if err := s.scalar.Run(job, &s.want); err != nil {
		t.Fatal(err)
	}
	for k, e := range s.tiers {
		if err := e.Run(job, &s.got); err != nil {
			t.Fatal(err)
		}
		if diff := differ(&s.want, &s.got); diff != "" {
			text, _ := json.Marshal(job)
			t.Fatalf("job %d (%s, %s), tier %d (-scalar +tier)\n%s\njob %s", n, mode, job.Profile.Name, k, diff, text)
		}
	}
	if job.Stage == pica.Vertex && n6%3 == n6/3%3 {
		s.batches.Add(sameBatch(t, job, &s.want))
	}
	s.vertices += uint64(vertices)
	if n6%oracleShare == 0 {
		job.Vertices = job.Vertices[:min(4, len(job.Vertices))]
		if verdict, d, err := s.pair.Run(job); err != nil || verdict == compare.Differ {
			text, _ := json.Marshal(job)
			t.Fatalf("job %d: oracle and scalar tier part: %v, %v\njob %s", n, err, d, text)
		}
	}
}

// Every tier equals the scalar tier, and the scalar tier equals the oracle. -soak N makes the test long, see
// docs/vm.md.
func TestSoak(t *testing.T) {
	if *soakSlow {
		defer vm.ForceSlow()()
	}
	jobs := long.Numbers(t, 3000, long.Few(800, 200))
	if *soakJobs > 0 {
		jobs = func(yield func(int) bool) {
			for n := 0; n < *soakJobs && yield(n); n++ {
			}
		}
	}
	soakFor(t, *soakFirst, jobs)
}

// The same on the slow paths.
func TestSoakSlow(t *testing.T) {
	defer vm.ForceSlow()()
	soakFor(t, 0, long.Numbers(t, 1000, long.Few(300, 100)))
}

// soakFor makes the jobs of some numbers from first on.
func soakFor(t *testing.T, first uint64, numbers iter.Seq[int]) {
	t.Helper()
	t.Logf("-soak-seed %d -soak-first %d", *soakSeed, first)
	s := newSoak(*soakSeed)
	done := 0
	for n := range numbers {
		s.job(t, first+uint64(n))
		if done++; done%100_000 == 0 {
			t.Logf("%d jobs done, %d vertices; to go on: -soak-first %d", done, s.vertices, first+uint64(n)+1)
		}
	}
	t.Logf("%d jobs, %d vertices; as batches: %+v", done, s.vertices, s.batches)
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

// sameBatch runs a job as a batch, and compares the registers, traps and steps with an outcome.
func sameBatch(t *testing.T, job *pica.Job, want *pica.Outcome) vm.Stats {
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
		if w.Trap != b.Traps[k] || w.Steps != b.Steps[k] ||
			w.O != [pica.NumOutputs]pica.Vec4(b.OutRows[k*pica.NumOutputs:]) {
			t.Fatalf("vertex %d as a batch: %v after %d, want %v after %d\n%s", k, b.Traps[k],
				b.Steps[k], w.Trap, w.Steps,
				cmp.Diff(w.O, [pica.NumOutputs]pica.Vec4(b.OutRows[k*pica.NumOutputs:])))
		}
	}
	return stats
}
