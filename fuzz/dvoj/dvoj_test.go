// Package dvoj_test asks of the DVOJ parser and writer: is what is accepted
// written back, and is what is written read back?
package dvoj_test

import (
	"errors"
	"testing"

	gofuzz "github.com/google/gofuzz"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
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

// newModelFuzzer fills models that break no rule of severity error: numbers in
// range, names that resolve, components claimed once.
func newModelFuzzer() *gofuzz.Fuzzer {
	return gofuzz.New().NilChance(0).NumElements(0, 4).Funcs(
		func(f *dvoj.File, c gofuzz.Continue) {
			v := c.Uint64()
			words := uint32(1 + v%8)
			f.Version, f.Type, f.Merge = uint16(v>>8), shbin.Type(v>>24&1), uint8(v>>32)
			f.InputMask, f.Unknown = uint16(v>>40), uint32(v>>16)
			f.Code = make([]uint32, words)
			for i := range f.Code {
				f.Code[i] = uint32(c.Uint64())
			}
			f.Symbols = append(append([]byte("main\x00c\xC3\xA9\x00"), byte(v>>56)), 0)
			c.Fuzz(&f.Descriptors)
			c.Fuzz(&f.Lines)
			c.Fuzz(&f.Relocations)
			c.Fuzz(&f.Constants)
			c.Fuzz(&f.Labels)
			c.Fuzz(&f.Outputs)
			c.Fuzz(&f.Uniforms)
			for i := range f.Relocations {
				f.Relocations[i].Word %= words
			}
			for i := range f.Labels {
				l := &f.Labels[i]
				l.Word %= words + 1
				if l.Length != shbin.NoLength {
					l.Length %= words - l.Word + 1
				}
			}
			claimed := [16]uint16{}
			for i := range f.Outputs {
				o := &f.Outputs[i]
				if f.Type == shbin.GeometryShader {
					o.Register %= 7
				}
				o.Mask &^= claimed[o.Register]
				claimed[o.Register] |= o.Mask
			}
		},
		func(l *shbin.Line, c gofuzz.Continue) {
			v := c.Uint64()
			*l = shbin.Line{Name: uint32(v % 9), Line: uint32(v >> 32)}
		},
		func(r *dvoj.Relocation, c gofuzz.Continue) {
			v, w := c.Uint64(), c.Uint64()
			*r = dvoj.Relocation{Word: uint32(v), Unknown: uint32(v >> 32), Unknown2: uint32(w)}
		},
		func(k *shbin.Constant, c gofuzz.Continue) {
			v := c.Uint64()
			k.Type = shbin.ConstantType(v % 3)
			k.Register = uint8(v>>8) % []uint8{16, 4, 96}[k.Type]
			for i := range k.Payload {
				k.Payload[i] = byte(v >> (i % 8 * 8))
			}
		},
		func(l *shbin.Label, c gofuzz.Continue) {
			v := c.Uint64()
			*l = shbin.Label{ID: uint16(v), Flags: uint16(v >> 16), Word: uint32(v >> 32 & 0xFF), Length: uint32(v >> 40 & 0xFF), Name: uint32(v >> 48 % 9)}
			if v>>63 != 0 {
				l.Length = shbin.NoLength
			}
		},
		func(o *shbin.Output, c gofuzz.Continue) {
			v := c.Uint64()
			o.Semantic = []shbin.Semantic{0, 1, 2, 3, 4, 5, 6, 8, 9}[v%9]
			o.Register = uint16(v>>8) % 7
			if o.Semantic == shbin.Dummy {
				o.Register = uint16(v>>8) % 16
			}
			o.Mask, o.Unknown = uint16(v>>16)&15, uint16(v>>20)
		},
		func(u *shbin.Uniform, c gofuzz.Continue) {
			v := c.Uint64()
			class := []struct{ first, count uint64 }{{0, 16}, {0x10, 96}, {0x70, 4}, {0x78, 16}}[v>>8&3]
			a, b := v>>16%class.count, v>>32%class.count
			*u = shbin.Uniform{Name: uint32(v % 9), First: shbin.Register(class.first + min(a, b)), Last: shbin.Register(class.first + max(a, b))}
		},
	)
}
