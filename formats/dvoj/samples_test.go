package dvoj_test

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/internal/formattest"
)

// sample is what the manifest says about a sample.
type sample struct {
	Size      int            `json:"size"`
	Canonical bool           `json:"canonical"`
	Version   uint16         `json:"version"`
	Type      uint8          `json:"type"`
	Merge     uint8          `json:"merge"`
	InMask    uint16         `json:"inmask"`
	OutMask   uint16         `json:"outmask"`
	Word0C    uint32         `json:"word_0c"`
	Counts    map[string]int `json:"counts"`
	Symbols   int            `json:"symbol_bytes"`
	Names     []string       `json:"names"`
	Findings  []string       `json:"findings"`
}

// TestSamples compares findings, model and both written forms of every sample
// with its manifest.
func TestSamples(t *testing.T) {
	var manifest map[string]sample
	formattest.JSON(t, "dvoj/manifest.json", &manifest)
	for name, want := range manifest {
		t.Run(name, func(t *testing.T) {
			b := samples.Read(t, "dvoj/"+name)
			format().Agree(t, b)
			f := mustParse(t, b)
			got := sample{
				Size: len(b), Version: f.Version, Type: uint8(f.Type), Merge: f.Merge,
				InMask: f.InputMask, OutMask: f.OutputMask, Word0C: f.Unknown,
				Counts: map[string]int{
					"const": len(f.Constants), "label": len(f.Labels), "code": len(f.Code),
					"opdesc": len(f.Descriptors),
					"line":   len(f.Lines), "reloc": len(f.Relocations), "out": len(f.Outputs), "unif": len(f.Uniforms),
				},
				Symbols:  len(f.Symbols),
				Names:    strings.Split(strings.TrimSuffix(string(f.Symbols), "\x00"), "\x00"),
				Findings: append([]string{}, formattest.IDs(dvoj.Check(b))...),
			}
			got.Canonical = bytes.Equal(mustAppend(t, f.Canonical()), b)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			format().JSON(t, b)
		})
	}
}

// TestMutations runs the one-fault samples.
func TestMutations(t *testing.T) {
	format().Mutations(t, "dvoj", func(formattest.Mutation) bool { return true }, map[string]int{
		"d011": 0x20, // code offset
		"d019": 0x78, // word whose relocation is gone
		"d031": 0x78, // descriptors, on which the code lies
		"d034": 0x50, // symbol offset
		"x001": 0xB0, // second relocation, read from the output
		"x002": 0x70, // value of the constant that is a bool now
		"x005": 0x6C, // constant whose register an earlier one has now
		"x013": 0xC4, // uniform that comes too late now
		"x017": 0x94, // line that names the whole of the string
		"x019": 0x58, // gap where the constants were
	})
}

// TestWorkedExample writes a file from a model and reads it back.
func TestWorkedExample(t *testing.T) {
	want, err := hex.DecodeString(strings.Join(strings.Fields(workedBytes), ""))
	if err != nil {
		t.Fatal(err)
	}
	if got := mustAppend(t, workedModel()); !bytes.Equal(got, want) {
		t.Errorf("written\ngot  %x\nwant %x", got, want)
	}
	if got := mustParse(t, want); !got.Equal(workedModel()) {
		t.Errorf("read %+v", got)
	}
	if findings := dvoj.Check(want); findings != nil {
		t.Errorf("findings %v", findings)
	}
}

// TestExactOnly: a file whose tables are in another order is written as it was,
// and otherwise in its canonical form.
func TestExactOnly(t *testing.T) {
	b := mustAppend(t, workedModel())
	const outputs, uniforms = 0xB0, 0xB8 // one output and two uniforms change places
	swapped := slices.Concat(b[:outputs], b[uniforms:uniforms+16], b[outputs:uniforms], b[uniforms+16:])
	swapped[0x40], swapped[0x48] = outputs+16, outputs
	format().Agree(t, swapped)
	if got := formattest.IDs(dvoj.Check(swapped)); got != nil {
		t.Errorf("findings %v", got)
	}
	if got := mustAppend(t, mustParse(t, swapped).Canonical()); !bytes.Equal(got, b) {
		t.Errorf("canonical\ngot  %x\nwant %x", got, b)
	}
}
