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
	"github.com/picaproof/picaproof/formats/sharcfb/gx2"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
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

// names is what names are taken from: repeated, empty, a tail of another, no
// UTF-8.
var names = []wire.Text{"aPos", "Pos", "", "uColor", "日本", "\xff\x01", "tex_map0", "aPos"}

// newModelFuzzer fills models that break no rule of severity error: as many
// binaries as the programs need, of the right types, and enable bytes for each
// variation.
func newModelFuzzer() *gofuzz.Fuzzer {
	return gofuzz.New().NilChance(0).NumElements(0, 3).Funcs(
		func(f *sharcfb.File, c gofuzz.Continue) {
			v := c.Uint64()
			f.Endian = sharcfb.Endian(v & 1)
			f.Name = names[v>>8%8]
			c.Fuzz(&f.Programs)
			for i := range f.Programs {
				p := &f.Programs[i]
				p.BaseIndex = uint32(len(f.Binaries))
				for range p.Variations() * p.Kind.Stages() {
					var b sharcfb.Binary
					b.Type = gx2.Type((uint32(len(f.Binaries)) - p.BaseIndex) % uint32(p.Kind.Stages()))
					c.Fuzz(&b)
					f.Binaries = append(f.Binaries, b)
				}
			}
		},
		func(p *sharcfb.Program, c gofuzz.Continue) {
			v := c.Uint64()
			p.Name = names[v%8]
			p.Kind = []sharcfb.Kind{sharcfb.VertexPixel, sharcfb.VertexPixelGeometry}[v>>8&1]
			c.Fuzz(&p.Macros)
			if v>>16&1 == 0 {
				c.Fuzz(&p.Defaults)
			}
			c.Fuzz(&p.Symbols)
			for k, list := range [...][]sharcfb.Symbol{p.Uniforms, p.Blocks, p.Samplers, p.Attributes} {
				for i := range list {
					s := &list[i]
					bits := c.Uint64()
					s.Enable = make(wire.Hex, p.Variations())
					for j := range s.Enable {
						s.Enable[j] = byte(bits >> (j % 64) & 1)
					}
					if k != 1 {
						s.Default = s.Default[:len(s.Default)&^3]
					}
				}
			}
		},
		func(m *sharcfb.Macro, c gofuzz.Continue) {
			v := c.Uint64()
			m.Name, m.ID = names[v%8], names[v>>8%8]
			m.Values = []wire.Text{"0", "1", "yes", "\x7f"}[:1+v>>16%3]
		},
		func(s *sharcfb.Symbol, c gofuzz.Continue) {
			v := c.Uint64()
			s.Offset, s.Name, s.ID = int32(v>>32), names[v%8], names[v>>8%8]
			s.Default = make(wire.Hex, v>>16%13)
			for i := range s.Default {
				s.Default[i] = byte(v >> i)
			}
		},
		func(b *sharcfb.Binary, c gofuzz.Continue) {
			fillShader(&b.Shader, c)
			if v := c.Uint64(); v&7 == 0 {
				b.Slack = &sharcfb.Slack{Tail: make(wire.Hex, 1+v>>8%5)}
			}
		},
	)
}

// fillShader fills a shader whose type is set.
func fillShader(s *gx2.Shader, c gofuzz.Continue) {
	v := c.Uint64()
	s.Mode = gx2.Mode(v & 3)
	s.Code = bytes.Repeat([]byte{byte(v >> 8)}, int(1+v>>16&31))
	registers := s.Type.RegisterNames()
	s.Registers = make([]uint32, len(registers))
	for i, name := range registers {
		s.Registers[i] = uint32(c.Uint64())
		if name[:3] == "num" {
			s.Registers[i] %= 11
		}
	}
	for range v >> 24 & 3 {
		n := c.Uint64()
		name, word := names[n%8], uint32(n>>32)
		s.Blocks = append(s.Blocks, gx2.UniformBlock{Name: name, Location: word, Size: uint32(n)})
		s.Uniforms = append(s.Uniforms, gx2.UniformVar{Name: names[n>>8%8], Type: gx2.VarType(n >> 16 & 63), Count: word, Block: int32(word)})
		s.Samplers = append(s.Samplers, gx2.SamplerVar{Name: name, Type: gx2.SamplerType(n >> 16 & 7), Location: word})
		s.Loops = append(s.Loops, gx2.LoopVar{byte(n), 3: byte(n >> 8), 7: byte(n >> 16)})
	}
	if s.Type == gx2.Vertex {
		s.Attributes = []gx2.AttribVar{{Name: names[v>>32%8], Type: gx2.VarType(v >> 40 & 63)}}
	}
	if s.Type == gx2.Geometry {
		s.CopyCode = bytes.Repeat([]byte{byte(v >> 48)}, int(1+v>>56&63))
	}
	if s.Type != gx2.Pixel {
		n := c.Uint64()
		s.Stream = gx2.StreamOut{RingItemSize: uint32(n), Enabled: uint32(n >> 32 & 1), Strides: [4]uint32{uint32(n >> 40), 1, 0, uint32(n >> 33)}}
	}
}
