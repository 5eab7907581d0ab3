// Package shbin_test asks of the DVLB parser and writer: is what is accepted
// written back, and is what is written read back?
package shbin_test

import (
	"errors"
	"testing"

	gofuzz "github.com/google/gofuzz"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/shbingen"
	"github.com/picaproof/picaproof/fuzz/judge"
)

// maxInput keeps inputs small: go test minimises what it finds in time that is
// quadratic in the length, and executes nothing else meanwhile. Large files are
// the business of the tests of formats/shbin.
const maxInput = 512

// FuzzParseShbin: a file is refused exactly when Check has an error, findings
// lie inside the file, and an accepted file is written back byte for byte.
func FuzzParseShbin(f *testing.F) {
	corpus.Seeds(f, "shbin")
	format := judge.Of(shbin.Parse, shbin.Check)
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > maxInput {
			return
		}
		if err := format.Bytes(b); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzModelShbin: whatever model the writer accepts is read back as an equal
// one.
func FuzzModelShbin(f *testing.F) {
	for n := range uint64(16) {
		f.Add(gen.Input(1, n, 512))
	}
	format, fuzzer := judge.Of(shbin.Parse, shbin.Check), newModelFuzzer()
	f.Fuzz(func(t *testing.T, choices []byte) {
		var m shbin.File
		fuzzer.RandSource(gen.NewBytes(choices)).Fuzz(&m)
		if err := format.Model(&m); err != nil && !errors.Is(err, judge.ErrRefused) {
			t.Fatal(err)
		}
	})
}

// TestModelsAreMostlyValid keeps FuzzModelShbin honest: a generator whose
// models the writer refuses tests nothing.
func TestModelsAreMostlyValid(t *testing.T) {
	const seed, runs = 1, 2000
	fuzzer := newModelFuzzer()
	valid, refused := judge.Valid(runs, func(n uint64) *shbin.File {
		var m shbin.File
		fuzzer.RandSource(gen.NewBytes(gen.Input(seed, n, 4096))).Fuzz(&m)
		return &m
	})
	if valid < runs*95/100 {
		t.Errorf("seed %d: %d of %d models are valid, want 95 %%; %v", seed, valid, runs, refused)
	}
}

// newModelFuzzer fills models that break no rule of severity error.
func newModelFuzzer() *gofuzz.Fuzzer {
	return gofuzz.New().NilChance(0).Funcs(func(m *shbin.File, c gofuzz.Continue) { *m = *shbingen.Model(gen.From(c)) })
}
