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

// newModelFuzzer fills models that break no rule of severity error: numbers in
// range, names that resolve, components claimed once.
func newModelFuzzer() *gofuzz.Fuzzer {
	return gofuzz.New().NilChance(0).NumElements(0, 4).Funcs(
		func(f *shbin.File, c gofuzz.Continue) {
			words := uint32(1 + c.Uint64()%8)
			f.Program.Version = uint32(c.Uint64())
			for i := range words {
				f.Program.Code = append(f.Program.Code, []uint32{0x4C000000, 0x84000000, 0x88000000, 0xA0000000 | i<<10}[c.Uint64()%4])
			}
			c.Fuzz(&f.Program.Descriptors)
			f.Program.Descriptors = append(f.Program.Descriptors, shbin.Descriptor{Word: 0x0D86C36F})
			f.Program.FileNames = append([]byte("a.vsh"), 0)
			c.Fuzz(&f.Program.Lines)
			for range 1 + c.Uint64()%3 {
				var e shbin.DVLE
				c.Fuzz(&e)
				e.Entry = e.Entry % words
				e.End = e.End % (words + 1)
				for i := range e.Labels {
					l := &e.Labels[i]
					l.Word %= words + 1
					if l.Length != shbin.NoLength {
						l.Length %= words - l.Word + 1
					}
				}
				f.Entries = append(f.Entries, e)
			}
		},
		func(l *shbin.Line, c gofuzz.Continue) {
			v := c.Uint64()
			*l = shbin.Line{Name: uint32(v % 6), Line: uint32(v >> 32)}
		},
		func(e *shbin.DVLE, c gofuzz.Continue) {
			v := c.Uint64()
			e.Version, e.Merge = uint16(v), uint8(v>>16)
			e.Entry, e.End = uint32(v>>24&0xFF), uint32(v>>32&0xFF)
			e.Type = shbin.Type(v >> 40 & 1)
			e.Geometry = shbin.Geometry{Mode: shbin.Mode(v >> 41 % 3), First: uint8(v >> 44 % 96), Variable: uint8(v>>52) | 1, Fixed: uint8(v>>56) | 1}
			v = c.Uint64()
			e.InputMask, e.OutputMask = uint16(v), uint16(v>>16)
			e.Symbols = append(append([]byte("main\x00c\xC3\xA9\x00"), byte(v>>32)), 0)
			c.Fuzz(&e.Constants)
			c.Fuzz(&e.Labels)
			c.Fuzz(&e.Outputs)
			c.Fuzz(&e.Uniforms)
			claimed := [16]uint16{}
			for i := range e.Outputs {
				o := &e.Outputs[i]
				if e.Type == shbin.GeometryShader {
					o.Register %= 7
				}
				o.Mask &^= claimed[o.Register]
				claimed[o.Register] |= o.Mask
			}
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
			u.Name = uint32(v % 9)
			class := []struct{ first, count uint64 }{{0, 16}, {0x10, 96}, {0x70, 4}, {0x78, 16}}[v>>8&3]
			a, b := v>>16%class.count, v>>32%class.count
			u.First, u.Last = shbin.Register(class.first+min(a, b)), shbin.Register(class.first+max(a, b))
		},
	)
}
