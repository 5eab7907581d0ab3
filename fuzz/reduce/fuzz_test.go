package reduce_test

import (
	"slices"
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/reduce"
)

// FuzzReduce: the reducer never leaves the bucket, whatever the fault, the job
// and the moment it is stopped.
func FuzzReduce(f *testing.F) {
	const maxInput, maxTries = 256, 32 // go test minimises inputs in quadratic time
	var g gen.Generator
	for n, fault := range zoo {
		key := against(fault.make).NewKey()
		for seed := range uint64(300) {
			input := gen.Input(3, seed, maxInput)
			if key(g.Job(gen.NewBytes(input), gen.Mixed)) != "" {
				f.Add(uint8(n), uint8(seed), input)
				break
			}
		}
	}
	f.Fuzz(func(t *testing.T, fault, tries uint8, input []byte) {
		if len(input) > maxInput {
			return
		}
		how := against(zoo[int(fault)%len(zoo)].make)
		job := reduce.Clone(g.Job(gen.NewBytes(input), gen.Mixed))
		key := how.NewKey()
		want := key(job)
		r, err := reduce.Job(t.Context(), job, how, reduce.Options{Workers: 1, MaxTries: 1 + int(tries)%maxTries})
		if (want == "") != (err != nil) {
			t.Fatalf("bucket %q: %v", want, err)
		}
		if err == nil && (key(r.Job) != want || r.Key != want) {
			t.Fatalf("bucket: got %q, said %q, want %q", key(r.Job), r.Key, want)
		}
		if err == nil && len(r.Job.Code) > len(job.Code) {
			t.Fatalf("%d words became %d", len(job.Code), len(r.Job.Code))
		}
	})
}

// FuzzReduceFile: a reduced file breaks the rules that the file breaks, and is no
// longer.
func FuzzReduceFile(f *testing.F) {
	const maxInput = 256
	seeds := 0
	for _, v := range vectors(f) {
		if len(v.Data) <= maxInput {
			f.Add(uint8(seeds), v.Data)
			seeds++
		}
	}
	if seeds == 0 {
		f.Fatal("all vectors are long")
	}
	f.Fuzz(func(t *testing.T, tries uint8, b []byte) {
		if len(b) > maxInput {
			return
		}
		want := ruleSet(b)
		r, err := reduce.File(t.Context(), b, keepRules(want), reduce.Options{Workers: 1, MaxTries: 1 + int(tries)})
		if err != nil {
			t.Fatal(err)
		}
		if got := ruleSet(r.Data); got != want || len(r.Data) > len(b) {
			t.Fatalf("%d bytes that break %q became %d that break %q", len(b), want, len(r.Data), got)
		}
	})
}

// BenchmarkReduce reduces one failing job of each fault.
func BenchmarkReduce(b *testing.B) {
	for _, name := range []string{"mul rounds wrongly", "jmpu ignores its inversion", "seven ifs"} {
		fault := zoo[slices.IndexFunc(zoo, func(z faulty) bool { return z.name == name })]
		b.Run(name, func(b *testing.B) {
			how := against(fault.make)
			key := how.NewKey()
			var g gen.Generator
			job := fault.jobs(&g, 0)
			for n := uint64(1); key(job) == ""; n++ {
				job = fault.jobs(&g, n)
			}
			job = reduce.Clone(job)
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
