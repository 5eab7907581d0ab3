// Package csdr_test asks of the CSDR parser and writer: is what is accepted
// written back, and is what is written read back?
package csdr_test

import (
	"errors"
	"testing"

	gofuzz "github.com/google/gofuzz"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/csdr"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
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

// newModelFuzzer fills models that break no rule of severity error: names of
// characters that XML can hold, raw elements, DVLBs of one to three entry
// points.
func newModelFuzzer() *gofuzz.Fuzzer {
	const characters = "ab<>&\"'\t\r\n =]\u00E9\uFFFD"
	dvlbs := [][]byte{dvlb(1), dvlb(2), dvlb(3)}
	pick := func(v uint64, list ...string) string { return list[v%uint64(len(list))] }
	return gofuzz.New().NilChance(0).NumElements(0, 4).Funcs(
		func(f *csdr.File, c gofuzz.Continue) {
			v := c.Uint64()
			f.Version = pick(v, "0.7.0", "1.3.0", "", "<\"&\r\n")
			f.EditData = pick(v>>8, "", "<EditData/>", "<EditData a='>'>x<!-- - --><EditData/></EditData>")
			c.Fuzz(&f.Objects)
			for i := range f.Objects {
				f.Objects[i].Name += string(rune('0' + i))
			}
		},
		func(o *csdr.Object, c gofuzz.Continue) {
			v := c.Uint64()
			list := []rune(characters)
			for i := range v % 6 {
				o.Name += string(list[v>>(8+4*i)%uint64(len(list))])
			}
			o.DVLB = dvlbs[v>>40%3]
			o.EditData = pick(v>>44, "", "", "<EditData>\n</EditData>")
			o.ShaderKinds = pick(v>>48, "", "", "<ShaderKinds></ShaderKinds >")
			o.Descriptions = pick(v>>52, "", "", "<Descriptions><![CDATA[</Descriptions>]]></Descriptions>")
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
