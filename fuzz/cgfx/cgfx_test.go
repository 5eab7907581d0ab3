// Package cgfx_test asks of the CGFX parser and writer: is what is accepted
// written back, and is what is written read back?
package cgfx_test

import (
	"errors"
	"testing"

	gofuzz "github.com/google/gofuzz"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/cgfx"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/judge"
)

// FuzzParseCgfx: a file is refused exactly when Check has an error, findings
// lie inside the file, and an accepted file is written back byte for byte.
func FuzzParseCgfx(f *testing.F) {
	corpus.Seeds(f, "cgfx")
	format := judge.Of(cgfx.Parse, cgfx.Check)
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := format.Bytes(b); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzModelCgfx: whatever model the writer accepts is read back as an equal
// one.
func FuzzModelCgfx(f *testing.F) {
	for n := range uint64(16) {
		f.Add(gen.Input(1, n, 512))
	}
	format, fuzzer := judge.Of(cgfx.Parse, cgfx.Check), newModelFuzzer()
	f.Fuzz(func(t *testing.T, choices []byte) {
		var m cgfx.File
		fuzzer.RandSource(gen.NewBytes(choices)).Fuzz(&m)
		if err := format.Model(&m); err != nil && !errors.Is(err, judge.ErrRefused) {
			t.Fatal(err)
		}
	})
}

// TestModelsAreMostlyValid keeps FuzzModelCgfx honest: a generator whose models
// the writer refuses tests nothing.
func TestModelsAreMostlyValid(t *testing.T) {
	const seed, runs = 1, 2000
	fuzzer := newModelFuzzer()
	valid, refused := judge.Valid(runs, func(n uint64) *cgfx.File {
		var m cgfx.File
		fuzzer.RandSource(gen.NewBytes(gen.Input(seed, n, 2048))).Fuzz(&m)
		return &m
	})
	if valid < runs*95/100 {
		t.Errorf("seed %d: %d of %d models are valid, want 95 %%; %v", seed, valid, runs, refused)
	}
}

// newModelFuzzer fills models that break no rule of severity error: names that
// differ, DVLBs of one to three entry points, indices of those.
func newModelFuzzer() *gofuzz.Fuzzer {
	names := []wire.Text{"DefaultShader", "a", "`", "ab", "\xFF\xFE", "Shader1"}
	dvlbs := [][]byte{1: dvlb(1), 2: dvlb(2), 3: dvlb(3)}
	return gofuzz.New().NilChance(0).NumElements(0, 4).Funcs(
		func(f *cgfx.File, c gofuzz.Continue) {
			v := c.Uint64()
			for i := range v % uint64(len(names)+1) {
				o := cgfx.Object{Name: names[(i+v>>8)%uint64(len(names))]}
				entries := 1 + v>>(16+2*i)%3
				o.DVLB = dvlbs[entries]
				c.Fuzz(&o.Programs)
				for k := range o.Programs {
					p := &o.Programs[k]
					p.Vertex, p.Geometry = p.Vertex%int32(entries+1)-1, p.Geometry%int32(entries+1)-1
				}
				f.Objects = append(f.Objects, o)
			}
		},
		func(p *cgfx.Program, c gofuzz.Continue) {
			v := c.Uint64()
			p.Flag, p.Vertex, p.Geometry = uint32(v), int32(v>>32&0xFF), int32(v>>40&0xFF)
			p.Opaque[v>>48%124] = byte(v >> 56)
		},
	)
}

// dvlb is a DVLB with n vertex shaders.
func dvlb(n int) []byte {
	f := shbin.File{Program: shbin.DVLP{Code: []uint32{0x88000000}}, Entries: make([]shbin.DVLE, n)}
	b, err := f.AppendBinary(nil)
	if err != nil {
		panic(err)
	}
	return b
}
