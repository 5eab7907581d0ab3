// Package sharcfb_test asks of the SHARCFB parser and writer: is what is
// accepted written back, and is what is written read back?
package sharcfb_test

import (
	"bytes"
	"errors"
	"testing"

	gofuzz "github.com/google/gofuzz"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/sharcfbgen"
	"github.com/picaproof/picaproof/fuzz/judge"
)

// FuzzParseSharcfb: a file is refused exactly when Check has an error, findings
// lie inside the file, and an accepted file is written back byte for byte.
func FuzzParseSharcfb(f *testing.F) {
	corpus.Seeds(f, "sharcfb")
	format := judge.Of(sharcfb.Parse, sharcfb.Check)
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := format.Bytes(b); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzConvertSharcfb: an accepted file converts to the other byte order and
// back to the same bytes, unless its tables are where the loader does not look.
func FuzzConvertSharcfb(f *testing.F) {
	corpus.Seeds(f, "sharcfb")
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := sharcfb.Parse(b)
		if err != nil {
			return
		}
		other, err := file.Convert(1 - file.Endian)
		if err != nil {
			return
		}
		turned, err := other.AppendBinary(nil)
		if err != nil {
			t.Fatalf("converted: %v", err)
		}
		read, err := sharcfb.Parse(turned)
		if err != nil {
			t.Fatalf("converted: %v", err)
		}
		back, err := read.Convert(file.Endian)
		if err != nil {
			t.Fatalf("converted back: %v", err)
		}
		if again, err := back.AppendBinary(nil); err != nil || !bytes.Equal(again, b) {
			t.Fatalf("there and back: %v\ngot  % x\nwant % x", err, again, b)
		}
	})
}

// FuzzModelSharcfb: whatever model the writer accepts is read back as an equal
// one.
func FuzzModelSharcfb(f *testing.F) {
	for n := range uint64(16) {
		f.Add(gen.Input(1, n, 512))
	}
	format, fuzzer := judge.Of(sharcfb.Parse, sharcfb.Check), newModelFuzzer()
	f.Fuzz(func(t *testing.T, choices []byte) {
		var m sharcfb.File
		fuzzer.RandSource(gen.NewBytes(choices)).Fuzz(&m)
		if err := format.Model(&m); err != nil && !errors.Is(err, judge.ErrRefused) {
			t.Fatal(err)
		}
	})
}

// TestModelsAreMostlyValid keeps FuzzModelSharcfb honest: a generator whose
// models the writer refuses tests nothing.
func TestModelsAreMostlyValid(t *testing.T) {
	const seed, runs = 1, 1000
	fuzzer := newModelFuzzer()
	valid, refused := judge.Valid(runs, func(n uint64) *sharcfb.File {
		var m sharcfb.File
		fuzzer.RandSource(gen.NewBytes(gen.Input(seed, n, 4096))).Fuzz(&m)
		return &m
	})
	if valid < runs*95/100 {
		t.Errorf("seed %d: %d of %d models are valid, want 95 %%; %v", seed, valid, runs, refused)
	}
}

// newModelFuzzer fills models that break no rule of severity error.
func newModelFuzzer() *gofuzz.Fuzzer {
	return gofuzz.New().NilChance(0).Funcs(func(m *sharcfb.File, c gofuzz.Continue) { *m = *sharcfbgen.Model(gen.From(c)) })
}
