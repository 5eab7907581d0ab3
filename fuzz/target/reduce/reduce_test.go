// Package reduce_test asks of the reducer: does its result still show the same fault?
package reduce_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/hunt"
	"github.com/picaproof/picaproof/fuzz/mutants"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/impl"
)

// FuzzReduce: the reducer never leaves the bucket, whatever the fault, the job and the moment
// of an interruption. The first byte is the fault, the second the moment.
func FuzzReduce(f *testing.F) {
	const maxInput, maxTries = 256, 32 // go test minimises inputs in quadratic time
	var g gen.Generator
	zoo := mutants.Executors()[:256] // a byte names one
	for n := 0; n < len(zoo); n += 8 {
		key := hunt.Engines{Want: impl.New, Got: zoo[n].New}.Keys().NewKey()
		for seed := range uint64(300) {
			input := gen.Input(3, seed, maxInput)
			if key(g.Job(gen.NewBytes(input), gen.Mixed)) != "" {
				f.Add(append([]byte{byte(n), byte(seed)}, input...))
				break
			}
		}
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		if len(input) < 2 || len(input) > 2+maxInput {
			return
		}
		fault, tries, input := input[0], input[1], input[2:]
		how := hunt.Engines{Want: impl.New, Got: zoo[int(fault)%len(zoo)].New}.Keys()
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

// FuzzReduceFile: a reduced file breaks the same rules as the file, and is no longer. The first
// byte bounds the tries.
func FuzzReduceFile(f *testing.F) {
	const maxInput = 256
	vectors, err := corpus.Vectors("shbin")
	if err != nil {
		f.Fatal(err)
	}
	seeds := 0
	for _, v := range vectors {
		if len(v.Data) <= maxInput {
			f.Add(append([]byte{byte(seeds)}, v.Data...))
			seeds++
		}
	}
	if seeds == 0 {
		f.Fatal("all vectors are long")
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		if len(input) == 0 || len(input) > 1+maxInput {
			return
		}
		tries, b := input[0], input[1:]
		want := ruleSet(b)
		keep := func() reduce.Interesting { return func(b []byte) bool { return ruleSet(b) == want } }
		r, err := reduce.File(t.Context(), b, keep, reduce.Options{Workers: 1, MaxTries: 1 + int(tries)})
		if err != nil {
			t.Fatal(err)
		}
		if got := ruleSet(r.Data); got != want || len(r.Data) > len(b) {
			t.Fatalf("%d bytes that break %q became %d that break %q", len(b), want, len(r.Data), got)
		}
	})
}

// ruleSet returns the rules that a file breaks, each once.
func ruleSet(b []byte) string {
	var ids []string
	for _, f := range shbin.Check(b) {
		ids = append(ids, f.Rule)
	}
	slices.Sort(ids)
	return strings.Join(slices.Compact(ids), " ")
}
