// Package zpsh_test asks of the ZPSH parser and writer: is what is accepted
// written back, and is what is written read back?
package zpsh_test

import (
	"errors"
	"testing"

	gofuzz "github.com/google/gofuzz"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/zpshgen"
	"github.com/picaproof/picaproof/fuzz/judge"
)

// FuzzParseZpsh: a file is refused exactly when Check has an error, findings
// lie inside the file, and an accepted file is written back byte for byte. The
// leniencies are on, so that a wrong hash does not hide what comes after it.
func FuzzParseZpsh(f *testing.F) {
	corpus.Seeds(f, "zpsh")
	format := judge.Of(zpsh.Parse, zpsh.Check, zpsh.HashMismatch, zpsh.SkipUnknownHeader)
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := format.Bytes(b); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzModelZpsh: whatever model the writer accepts is read back as an equal
// one.
func FuzzModelZpsh(f *testing.F) {
	for n := range uint64(16) {
		f.Add(gen.Input(1, n, 512))
	}
	format, fuzzer := judge.Of(zpsh.Parse, zpsh.Check, zpsh.HashMismatch, zpsh.SkipUnknownHeader), newModelFuzzer()
	f.Fuzz(func(t *testing.T, choices []byte) {
		var m zpsh.File
		fuzzer.RandSource(gen.NewBytes(choices)).Fuzz(&m)
		if err := format.Model(&m); err != nil && !errors.Is(err, judge.ErrRefused) {
			t.Fatal(err)
		}
	})
}

// TestModelsAreMostlyValid keeps FuzzModelZpsh honest: a generator whose models
// the writer refuses tests nothing.
func TestModelsAreMostlyValid(t *testing.T) {
	const seed, runs = 1, 2000
	fuzzer := newModelFuzzer()
	valid, refused := judge.Valid(runs, func(n uint64) *zpsh.File {
		var m zpsh.File
		fuzzer.RandSource(gen.NewBytes(gen.Input(seed, n, 2048))).Fuzz(&m)
		return &m
	})
	if valid < runs*95/100 {
		t.Errorf("seed %d: %d of %d models are valid, want 95 %%; %v", seed, valid, runs, refused)
	}
}

// newModelFuzzer hands a fuzz input to the generator of models.
func newModelFuzzer() *gofuzz.Fuzzer {
	return gofuzz.New().NilChance(0).Funcs(func(m *zpsh.File, c gofuzz.Continue) { *m = *zpshgen.Model(gen.From(c)) })
}
