package cgfx_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/cgfx"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/internal/formattest"
)

// sample is what the manifest says about a sample.
type sample struct {
	Size    int `json:"size"`
	Shaders []struct {
		Name string `json:"name"`
		Size int    `json:"dvlb_size"`
		Hash string `json:"dvlb_sha256"`
	} `json:"shaders"`
	Findings []string       `json:"findings"`
	Embedded map[string]int `json:"embedded_findings"`
}

// TestSamples compares findings, shaders and both written forms of every sample
// with its manifest.
func TestSamples(t *testing.T) {
	var manifest map[string]sample
	formattest.JSON(t, "csdr/manifest.json", &manifest)
	maps.DeleteFunc(manifest, func(name string, _ sample) bool { return !strings.HasSuffix(name, ".bcsdr") })
	for name, want := range manifest {
		t.Run(name, func(t *testing.T) {
			b := samples.Read(t, "csdr/"+name)
			format.Agree(t, b)
			f := mustParse(t, b)
			got := sample{Size: len(b), Findings: []string{}, Embedded: map[string]int{}}
			for _, o := range f.Objects {
				hash := sha256.Sum256(o.DVLB)
				got.Shaders = append(got.Shaders, want.Shaders[0])
				s := &got.Shaders[len(got.Shaders)-1]
				s.Name, s.Size, s.Hash = string(o.Name), len(o.DVLB), hex.EncodeToString(hash[:])
			}
			for _, x := range cgfx.Check(b) {
				if id := formattest.IDs([]diag.Finding{x})[0]; x.Related == nil {
					got.Findings = append(got.Findings, id)
				} else {
					got.Embedded[id]++
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if got := mustAppend(t, f.Canonical()); !bytes.Equal(got, b) {
				t.Errorf("canonical form differs\ngot  %x\nwant %x", got, b)
			}
			format.JSON(t, b)
		})
	}
}

// TestMutations runs the one-fault samples.
func TestMutations(t *testing.T) {
	format.Mutations(t, "csdr", func(m formattest.Mutation) bool { return strings.HasSuffix(m.Base, ".bcsdr") },
		map[string]int{
			"b007": 0x0C, // size field
			"b013": 0x40, // pointer to the DICT that has no count now
			"b016": 0x04, // what the DICT pointer leads to
			"b035": 0xE4, // pointer to the DVLB
			"b047": 0xD8, // the object inside the other
		})
}
