// Package target serves this module: it has the common bodies of native fuzz targets. A folder
// below it is one test binary with the targets FuzzXxx of one subject, because a smaller binary
// fuzzes faster; targets of a file format must not link an engine.
package target

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/judge"
)

// Parse judges any file: it is refused exactly when Check has an error, findings lie inside the file, and an accepted
// file is written back byte for byte.
func Parse[F judge.File[F]](f *testing.F, name string, format *judge.Format[F], longest int) {
	Files(f, name, longest, format.Bytes)
}

// Files judges files of a format, which the inputs are in the short form. Inputs longer than longest are skipped,
// because go test shortens an input in time quadratic in its length. A file that fails is an artifact of the test
// (go test -artifacts).
func Files(f *testing.F, name string, longest int, judge func(file []byte) error) {
	corpus.Seeds(seeds{f, longest}, name)
	f.Fuzz(func(t *testing.T, short []byte) {
		if len(short) > longest {
			return
		}
		file := Expand(short)
		if err := judge(file); err != nil {
			if err := os.WriteFile(filepath.Join(t.ArtifactDir(), "file"), file, 0o666); err != nil {
				t.Error(err)
			}
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
