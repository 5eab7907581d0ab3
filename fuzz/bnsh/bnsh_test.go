// Package bnsh_test asks of the BNSH parser and writer: is what is accepted
// written back, and is what is written read back?
package bnsh_test

import (
	"bytes"
	"errors"
	"testing"

	gofuzz "github.com/google/gofuzz"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/judge"
)

// FuzzParseBnsh: a file is refused exactly when Check has an error, findings lie
// inside the file, and an accepted file is written back byte for byte, as is its
// canonical form.
func FuzzParseBnsh(f *testing.F) {
	corpus.Seeds(f, "bnsh")
	format := judge.Of(bnsh.Parse, bnsh.Check)
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := format.Bytes(b); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzModelBnsh: whatever model the writer accepts is read back as an equal one.
func FuzzModelBnsh(f *testing.F) {
	for n := range uint64(16) {
		f.Add(gen.Input(1, n, 512))
	}
	format, fuzzer := judge.Of(bnsh.Parse, bnsh.Check), newModelFuzzer()
	f.Fuzz(func(t *testing.T, choices []byte) {
		var m bnsh.File
		fuzzer.RandSource(gen.NewBytes(choices)).Fuzz(&m)
		if err := format.Model(&m); err != nil && !errors.Is(err, judge.ErrRefused) {
			t.Fatal(err)
		}
	})
}

// TestModelsAreMostlyValid keeps FuzzModelBnsh honest: a generator whose models
// the writer refuses tests nothing.
func TestModelsAreMostlyValid(t *testing.T) {
	const seed, runs = 1, 2000
	fuzzer := newModelFuzzer()
	valid, refused := judge.Valid(runs, func(n uint64) *bnsh.File {
		var m bnsh.File
		fuzzer.RandSource(gen.NewBytes(gen.Input(seed, n, 4096))).Fuzz(&m)
		return &m
	})
	if valid < runs*95/100 {
		t.Errorf("seed %d: %d of %d models are valid, want 95 %%; %v", seed, valid, runs, refused)
	}
}

// names are the strings that models choose from: ends that are alike, NULs that
// carry no bits in front, bytes that are no text.
var names = []bnsh.Text{"a", "ba", "aPos", "zPos", "\x00b", "Pos\x80", "uMatrix0", "uMatrix1"}

// newModelFuzzer fills models that break no rule of severity error.
func newModelFuzzer() *gofuzz.Fuzzer {
	return gofuzz.New().NilChance(0).NumElements(1, 3).Funcs(
		func(f *bnsh.File, c gofuzz.Continue) {
			c.Fuzz(&f.Header)
			c.Fuzz(&f.Variations)
			for i := range f.Variations {
				if p := f.Variations[i].Binary; p != nil && p.BinaryFormat == bnsh.Plain {
					property := uint32(c.Uint64())
					f.PoolProperty = &property
					break
				}
			}
		},
		func(h *bnsh.Header, c gofuzz.Continue) {
			v := c.Uint64()
			h.Version = bnsh.Version{Major: 2, Minor: uint8(v), Micro: uint8(v >> 8)}
			h.AlignmentShift, h.AddressSize, h.TargetCodeType = uint8(v>>16)%32, uint8(v>>24), uint8(v>>32)
			h.APIType = uint16(v >> 40)
			if v>>60 != 0 {
				h.Name = names[v>>56%8]
			}
			v = c.Uint64()
			h.CompilerVersion, h.APIVersion = uint32(v), uint16(v>>32)
			h.LowLevelCompilerVersion = c.Uint64()
		},
		func(v *bnsh.Variation, c gofuzz.Continue) {
			choice := c.Uint64()
			program := func(t bnsh.CodeType) *bnsh.Program {
				p := &bnsh.Program{CodeType: t}
				fillProgram(p, c)
				return p
			}
			if choice&1 != 0 {
				v.Source = program(bnsh.SourceCode + bnsh.CodeType(choice>>1&1))
			}
			if choice&4 != 0 {
				v.Intermediate = program(bnsh.IntermediateCode)
			}
			if choice&8 != 0 || choice&5 == 0 {
				v.Binary = program(bnsh.BinaryCode)
			}
		},
		func(r *bnsh.StageReflection, c gofuzz.Continue) {
			v := c.Uint64()
			r.Extended = v&1 != 0
			r.WorkGroup = [3]uint32{uint32(v >> 1 & 3), uint32(v >> 3 & 3), uint32(v >> 5 & 3)}
			total := 0
			for k := range r.Tables {
				if !r.Extended && bnsh.Kind(k) >= bnsh.SeparateTextures {
					break
				}
				t := &r.Tables[k]
				t.Keys = chosen(uint8(c.Uint64()))
				if bnsh.Kind(k) != bnsh.Inputs {
					t.First = int32(v >> (8 + 4*k) & 7)
				}
				if n := len(t.Keys); n > 0 {
					total = max(total, int(t.First)+n)
				}
			}
			for range total {
				r.Slots = append(r.Slots, int32(c.Uint64()))
			}
		},
	)
}

// chosen returns the names that a set of bits stands for, in an order that
// depends on it.
func chosen(bits uint8) []bnsh.Text {
	var keys []bnsh.Text
	for i := range names {
		if n := (i*5 + int(bits)) % len(names); bits>>n&1 != 0 {
			keys = append(keys, names[n])
		}
	}
	return keys
}

func fillProgram(p *bnsh.Program, c gofuzz.Continue) {
	v := c.Uint64()
	p.Flags, p.SourceFormat = bnsh.ProgramFlags(v&3), bnsh.SourceFormat(v>>2&1)
	p.ObjectSize = uint32(v >> 3 & 0x1F)
	if p.CodeType != bnsh.SourceArrayCode && v>>8&3 == 0 {
		p.BinaryFormat = bnsh.Zlib
	}
	stages := uint8(v>>10)%31 + 1 // of the five for graphics
	if v>>18&3 == 0 {
		stages = 1 << bnsh.Compute
	}
	if v>>20&1 != 0 {
		p.Reflection = new(bnsh.PerStage[bnsh.StageReflection])
	}
	for s := range p.Stages {
		if stages>>s&1 != 0 {
			p.Stages[s] = code(p, c)
		}
		if p.Reflection != nil && v>>(21+s)&1 != 0 {
			p.Reflection[s] = new(bnsh.StageReflection)
			c.Fuzz(p.Reflection[s])
		}
	}
}

// code returns code of a program's form, of bytes that are often equal.
func code(p *bnsh.Program, c gofuzz.Continue) *bnsh.Code {
	v := c.Uint64()
	run := func(n uint64) wire.Hex { return bytes.Repeat([]byte{byte(n >> 4 & 3)}, int(n&15)+1) }
	switch {
	case p.CodeType == bnsh.SourceArrayCode:
		return &bnsh.Code{Texts: []wire.Hex{run(v), run(v >> 8), run(v >> 16)}[:1+v>>24%3]}
	case p.CodeType == bnsh.BinaryCode && p.BinaryFormat == bnsh.Plain:
		return &bnsh.Code{Control: run(v), Code: run(v >> 8), ScratchRecommended: uint32(v >> 16), ScratchPerWarp: uint32(v >> 32)}
	}
	return &bnsh.Code{Code: run(v), UnpackedSize: uint32(v >> 32)}
}
