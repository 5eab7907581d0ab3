// Package dvoj_test asks of the DVOJ parser and writer: is what is accepted
// written back, and is what is written read back?
package dvoj_test

import (
	"errors"
	"testing"

	gofuzz "github.com/google/gofuzz"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/dvojgen"
	"github.com/picaproof/picaproof/fuzz/judge"
)

// FuzzParseDvoj: a file is refused exactly when Check has an error, findings
// lie inside the file, and an accepted file is written back byte for byte. The
// leniencies are on.
func FuzzParseDvoj(f *testing.F) {
	corpus.Seeds(f, "dvoj")
	format := judge.Of(dvoj.Parse, dvoj.Check, dvoj.AllowDVOB, dvoj.TypeFlags)
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := format.Bytes(b); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzModelDvoj: whatever model the writer accepts is read back as an equal
// one.
func FuzzModelDvoj(f *testing.F) {
	for n := range uint64(16) {
		f.Add(gen.Input(1, n, 512))
	}
	format, fuzzer := judge.Of(dvoj.Parse, dvoj.Check, dvoj.AllowDVOB, dvoj.TypeFlags), newModelFuzzer()
	f.Fuzz(func(t *testing.T, choices []byte) {
		var m dvoj.File
		fuzzer.RandSource(gen.NewBytes(choices)).Fuzz(&m)
		if err := format.Model(&m); err != nil && !errors.Is(err, judge.ErrRefused) {
			t.Fatal(err)
		}
	})
}

// TestModelsAreMostlyValid keeps FuzzModelDvoj honest: a generator whose models
// the writer refuses tests nothing.
func TestModelsAreMostlyValid(t *testing.T) {
	const seed, runs = 1, 2000
	fuzzer := newModelFuzzer()
	valid, refused := judge.Valid(runs, func(n uint64) *dvoj.File {
		var m dvoj.File
		fuzzer.RandSource(gen.NewBytes(gen.Input(seed, n, 2048))).Fuzz(&m)
		return &m
	})
	if valid < runs*95/100 {
		t.Errorf("seed %d: %d of %d models are valid, want 95 %%; %v", seed, valid, runs, refused)
	}
}

// newModelFuzzer hands a fuzz input to the generator of models.
func newModelFuzzer() *gofuzz.Fuzzer {
	return gofuzz.New().NilChance(0).Funcs(func(m *dvoj.File, c gofuzz.Continue) { *m = *dvojgen.Model(gen.From(c)) })
}
