package csdr_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/csdr"
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
	maps.DeleteFunc(manifest, func(name string, _ sample) bool { return !strings.HasSuffix(name, ".csdr") })
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
				s.Name, s.Size, s.Hash = o.Name, len(o.DVLB), hex.EncodeToString(hash[:])
			}
			for _, x := range csdr.Check(b) {
				if id := formattest.IDs([]diag.Finding{x})[0]; format.Elsewhere(x) {
					got.Embedded[id]++
				} else {
					got.Findings = append(got.Findings, id)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if got := mustAppend(t, f.Canonical()); !bytes.Equal(got, b) {
				t.Errorf("canonical form differs\ngot  %s\nwant %s", got, b)
			}
			format.JSON(t, b)
		})
	}
}

// TestMutations runs the one-fault samples.
func TestMutations(t *testing.T) {
	format.Mutations(t, "csdr", func(m formattest.Mutation) bool { return strings.HasSuffix(m.Base, ".csdr") },
		map[string]int{
			"c005": 0x1C0, // end tag that no longer fits
			"c013": 0x177, // character behind the =
			"c019": 0x49,  // element that has lost its part
		})
}
