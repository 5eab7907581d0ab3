// Package csdr_test asks of the CSDR parser and writer: is what is accepted
// written back, and is what is written read back?
package csdr_test

import (
	"errors"
	"testing"

	gofuzz "github.com/google/gofuzz"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/csdr"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/csdrgen"
	"github.com/picaproof/picaproof/fuzz/judge"
)

// FuzzParseCsdr: a file is refused exactly when Check has an error, findings
// lie inside the file, and an accepted file is written back byte for byte.
func FuzzParseCsdr(f *testing.F) {
	corpus.Seeds(f, "csdr")
	format := judge.Of(csdr.Parse, csdr.Check)
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := format.Bytes(b); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzModelCsdr: whatever model the writer accepts is read back as an equal
// one.
func FuzzModelCsdr(f *testing.F) {
	for n := range uint64(16) {
		f.Add(gen.Input(1, n, 512))
	}
	format, fuzzer := judge.Of(csdr.Parse, csdr.Check), newModelFuzzer()
	f.Fuzz(func(t *testing.T, choices []byte) {
		var m csdr.File
		fuzzer.RandSource(gen.NewBytes(choices)).Fuzz(&m)
		if err := format.Model(&m); err != nil && !errors.Is(err, judge.ErrRefused) {
			t.Fatal(err)
		}
	})
}

// TestModelsAreMostlyValid keeps FuzzModelCsdr honest: a generator whose models
// the writer refuses tests nothing.
func TestModelsAreMostlyValid(t *testing.T) {
	const seed, runs = 1, 2000
	fuzzer := newModelFuzzer()
	valid, refused := judge.Valid(runs, func(n uint64) *csdr.File {
		var m csdr.File
		fuzzer.RandSource(gen.NewBytes(gen.Input(seed, n, 2048))).Fuzz(&m)
		return &m
	})
	if valid < runs*95/100 {
		t.Errorf("seed %d: %d of %d models are valid, want 95 %%; %v", seed, valid, runs, refused)
	}
}

// newModelFuzzer fills models that break no rule of severity error.
func newModelFuzzer() *gofuzz.Fuzzer {
	return gofuzz.New().NilChance(0).Funcs(func(m *csdr.File, c gofuzz.Continue) { *m = *csdrgen.Model(gen.From(c)) })
}
