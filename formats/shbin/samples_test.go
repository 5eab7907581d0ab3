package shbin_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/internal/formattest"
	"github.com/picaproof/picaproof/formats/shbin"
)

// TestSamples compares findings, model, and both written forms of every sample
// with its manifest.
func TestSamples(t *testing.T) {
	for _, c := range collections {
		var infos map[string]sampleInfo
		formattest.JSON(t, c+"/manifest.json", &infos)
		for name, info := range infos {
			t.Run(c+"/"+name, func(t *testing.T) {
				b := samples.Read(t, c+"/"+name)
				counts := make(map[string]int)
				for _, id := range formattest.IDs(shbin.Check(b)) {
					counts[id]++
				}
				if diff := cmp.Diff(info.Findings, counts); diff != "" {
					t.Errorf("findings (-want +got):\n%s", diff)
				}
				if format().Agree(t, b) {
					f := mustParse(t, b)
					testModel(t, f, info)
					testForms(t, f, b, info.Canonical)
				}
			})
		}
	}
}

// testModel compares a model with the manifest.
func testModel(t *testing.T, f *shbin.File, want sampleInfo) {
	t.Helper()
	got := sampleInfo{
		Size:      f.Layout.Size,
		Version:   f.DVLP.Version,
		Short:     f.Layout.ShortHeader,
		Code:      len(f.DVLP.Code),
		Opdesc:    len(f.DVLP.Descriptors),
		Line:      len(f.DVLP.Lines),
		FileNames: len(f.DVLP.FileNames),
	}
	got.DVLE = slices.Grow(got.DVLE, len(f.DVLEs))[:len(f.DVLEs)]
	for i, e := range f.DVLEs {
		d := &got.DVLE[i]
		d.Offset = f.Layout.DVLEs[i].Offset
		d.Version, d.Type, d.Merge = e.Version, e.Type.String(), e.Merge
		d.Main, d.Endmain = e.Entry, e.End
		d.InMask, d.OutMask = e.InputMask, e.OutputMask
		d.GS = [4]int{int(e.Geometry.Mode), int(e.Geometry.First), int(e.Geometry.Variable), int(e.Geometry.Fixed)}
		d.Constants, d.Labels, d.Outputs, d.Uniforms = len(e.Constants), len(e.Labels), len(e.Outputs), len(e.Uniforms)
		d.Symbols = len(e.Symbols)
		d.Names = strings.Split(strings.TrimSuffix(string(e.Symbols), "\x00"), "\x00")
		if d.Symbols == 0 {
			d.Names = []string{}
		}
	}
	want.Canonical, want.Findings = false, nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("model (-want +got):\n%s", diff)
	}
}

// testForms checks whether a file is its own canonical form, and that it
// survives JSON.
func testForms(t *testing.T, f *shbin.File, b []byte, canonical bool) {
	t.Helper()
	if form := mustAppend(t, f.Canonical()); bytes.Equal(form, b) != canonical {
		t.Errorf("canonical is %v, want %v\ngot  %x\nfile %x", !canonical, canonical, form, b)
	}
	format().JSON(t, b)
}

// collections are the folders with samples.
var collections = []string{"picasso", "nihstro", "aemstro", "dvlb-synthetic"}

// sampleInfo is what the manifest says about a sample.
type sampleInfo struct {
	Size      uint64         `json:"size"`
	Version   uint32         `json:"dvlp_version"`
	Short     bool           `json:"short_dvlp"`
	Code      int            `json:"code"`
	Opdesc    int            `json:"opdesc"`
	Line      int            `json:"line"`
	FileNames int            `json:"filename_size"`
	Canonical bool           `json:"canonical"`
	Findings  map[string]int `json:"findings"`
	DVLE      []struct {
		Offset    uint32   `json:"offset"`
		Version   uint16   `json:"version"`
		Type      string   `json:"type"`
		Merge     uint8    `json:"merge"`
		Main      uint32   `json:"main"`
		Endmain   uint32   `json:"endmain"`
		InMask    uint16   `json:"inmask"`
		OutMask   uint16   `json:"outmask"`
		GS        [4]int   `json:"gs"`
		Constants int      `json:"constants"`
		Labels    int      `json:"labels"`
		Outputs   int      `json:"outputs"`
		Uniforms  int      `json:"uniforms"`
		Symbols   int      `json:"symbol_bytes"`
		Names     []string `json:"names"`
	} `json:"dvle"`
}

// TestMutations runs the one-fault files.
func TestMutations(t *testing.T) {
	every := func(formattest.Mutation) bool { return true }
	for _, c := range []string{"picasso", "nihstro", "dvlb-synthetic"} {
		t.Run(c, func(t *testing.T) { format().Mutations(t, c, every, elsewhere[c]) })
	}
}

// elsewhere lists the mutations whose finding is not at the patched bytes, with
// its offset: the field that points to a table of patched length, or the item
// that no longer is what the patched field says.
var elsewhere = map[string]map[string]int{
	"picasso": {
		"m14":  0x3C,  // code, on which the descriptors lie now
		"m16":  0x3C,  // word that uses a descriptor
		"m17":  0x2C,  // line offset
		"m25":  0x88,  // constant offset
		"m43":  0x12C, // uniform whose name has lost its NUL
		"m47":  0xD4,  // first output, taken for a uniform
		"m52":  0x10,  // offset of the DVLE that was cut
		"m59":  0x06,  // file size
		"x002": 0x28,  // gap
		"x010": 0x94,  // uniform whose name is empty now
		"x019": 0x44,  // first line entry
	},
	"nihstro": {
		"x001": 0x78, // gap where the outputs were
		"x002": 0x94, // label past the code
		"x004": 0x80, // first label
		"x005": 0xAC, // output with the same register
		"x008": 0x90, // label that refers to the tail of the other's name
	},
	"dvlb-synthetic": {
		"x004": 0x48, // file names
	},
}
