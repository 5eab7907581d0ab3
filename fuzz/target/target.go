// Package target serves this module: it has the common bodies of native fuzz targets. A folder
// below it is one test binary with the targets FuzzXxx of one subject, because a smaller binary
// fuzzes faster; targets of a file format must not link an engine.
package target

import (
	"errors"
	"testing"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/judge"
)

// Parse judges any bytes: a file is refused exactly when Check has an error, findings lie
// inside the file, and an accepted file is written back byte for byte. Inputs longer than
// max are skipped, because go test minimises an input in time quadratic in its length.
func Parse[F judge.File[F]](f *testing.F, name string, format *judge.Format[F], max int) {
	corpus.Seeds(f, name)
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > max {
			return
		}
		if err := format.Bytes(b); err != nil {
			t.Fatal(err)
		}
	})
}

// Model judges the models that a generator draws from the input: each is written, unless it is over a limit, and read
// back as an equal one. A quarter of them get some scalars of any value; the writer may refuse these.
func Model[F judge.File[F]](f *testing.F, format *judge.Format[F], model func(c *gen.Choices) F) {
	for n := range uint64(16) {
		f.Add(gen.Input(1, n, 512))
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		c := gen.From(gen.NewBytes(choices))
		any := !c.Chance(12) // before the model, as a large one takes the whole input
		m := model(c)
		if any {
			c.Scalars(m)
		}
		err := format.Model(m)
		if !any {
			err = judge.Drawn(err)
		}
		if err != nil && !errors.Is(err, judge.ErrRefused) {
			t.Fatal(err)
		}
	})
}

// MostlyValid demands that the writer accepts 95 of 100 models of a generator: Model
// learns nothing from refused ones.
func MostlyValid[F judge.File[F]](t *testing.T, model func(c *gen.Choices) F) {
	const seed, size = 1, 4096
	runs := 2000
	if testing.Short() {
		runs = 200
	}
	valid, refused := judge.Valid(runs,
		func(n uint64) F { return model(gen.From(gen.NewBytes(gen.Input(seed, n, size)))) })
	if valid < runs*95/100 {
		t.Errorf("seed %d: %d of %d models are valid, want 95 %%; %v", seed, valid, runs, refused)
	}
}
