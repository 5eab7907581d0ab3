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

// newModelFuzzer fills models that break no rule of severity error: numbers in
// range, registers that ascend, names that differ.
func newModelFuzzer() *gofuzz.Fuzzer {
	return gofuzz.New().NilChance(0).NumElements(0, 4).Funcs(
		func(f *zpsh.File, c gofuzz.Continue) {
			v := c.Uint64()
			f.Revision, f.Flags = zpsh.R3+zpsh.Revision(v&1), uint8(v>>8)
			for i := range 1 + v>>16%8 {
				f.Code = append(f.Code, []uint32{0x4C000000, 0x84000000, 0x88000000, 0xA0000000 | uint32(i)<<10}[v>>(24+2*i)&3])
			}
			f.Descriptors = make([]uint32, 1+v>>40%4)
			names := []string{"a", "vertex_main", "é", "geometry"}[:1+v>>48&3]
			f.Entries = make([]zpsh.Entry, len(names))
			for i := range f.Entries {
				e := &f.Entries[i]
				c.Fuzz(e)
				e.Instruction %= uint16(len(f.Code))
				if f.Revision == zpsh.R3 {
					e.Flags, e.HeaderWords = 0, 0
				}
			}
			f.SetNames(names...)
			if v>>50&3 == 0 {
				f.Strings = append([]byte("unreferenced"), f.Strings...)
				for i := range f.Entries {
					f.Entries[i].Name += 12
				}
			}
		},
		func(e *zpsh.Entry, c gofuzz.Continue) {
			v, w := c.Uint64(), c.Uint64()
			*e = zpsh.Entry{Instruction: uint16(v) & 0xFF, Info: zpsh.Info(v >> 8 & 0xFFFF), Flags: uint16(v >> 24), HeaderWords: uint16(v >> 40), Bools: uint16(w), OutputReserved: uint16(v >> 48)}
			if e.Info.Type() == zpsh.GeometryFixed {
				e.Info = zpsh.FixedInfo(1+int(v>>20&15), int(w>>16)%96) | e.Info&0xE000
			}
			for i := range uint8(4) {
				if w>>24>>i&1 != 0 {
					e.Ints = append(e.Ints, zpsh.Int{Register: i, Value: [4]uint8{uint8(v), uint8(w), i, 255}})
				}
			}
			for i := range uint8(16) {
				if w>>32>>i&1 != 0 {
					e.Outputs = append(e.Outputs, zpsh.Output{Register: i, Map: zpsh.Map(c.Uint64())})
				}
			}
			for i := uint8(w >> 48 & 31); i < 96; i += 1 + uint8(w>>54&63) {
				x := c.Uint64()
				e.Floats = append(e.Floats, zpsh.Float{Register: i, Value: [4]uint32{uint32(x & 0xFFFFFF), uint32(x >> 24 & 0xFFFFFF), uint32(x >> 40), uint32(x>>20) & 0xFFFFFF}})
			}
		},
	)
}
