package conform_test

import (
	"strings"
	"testing"

	"github.com/picaproof/picaproof/conform"
	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// TestProvenance: the provenance of an expectation comes only from the rules on which the wrong
// component depends.
func TestProvenance(t *testing.T) {
	f, hw := pica.Float32, profile.HW()
	job := conform.Assembled("mul o0, c0, v0")
	job.Floats = []pica.Upload{{Format: f, Values: []pica.Vec4{{view.NaN, f.One(), f.Infinity(), f.One()}}}}
	job.Vertices[0] = []pica.Vec4{{0, f.One(), 0, f.Integer(2)}}
	var want view.View
	fingerprint.NewPredictor().View(job, &hw, &want)
	for _, x := range []struct {
		component   int
		class, rule string
	}{
		{0, "console", "nan0: "}, {1, "agreed", ""}, {2, "console", "zeroinf: "}, {3, "agreed", ""},
	} {
		got := want.Clone()
		got.Vertices[0].O[0][x.component] = f.Integer(7)
		class, about := conform.ProvenanceOf(job, &hw, &want, got)
		if class != x.class || len(about) < len(x.rule) || x.rule != "" && about[:len(x.rule)] != x.rule {
			t.Errorf("o0.%c: provenance %s, %q, want %s, %q", "xyzw"[x.component], class, about, x.class, x.rule)
		}
	}
}

// TestProvenanceOfSeveral: every rule on which the wrong component depends is named.
func TestProvenanceOfSeveral(t *testing.T) {
	hw := profile.HW()
	job := conform.Assembled("max o0, v0, -v0")
	job.Vertices[0] = []pica.Vec4{{}}
	var want view.View
	fingerprint.NewPredictor().View(job, &hw, &want)
	got := want.Clone()
	got.Vertices[0].O[0][0] ^= 1 << 31
	class, about := conform.ProvenanceOf(job, &hw, &want, got)
	if class != "implementation" || !strings.Contains(about, "negate: ") || !strings.Contains(about, "; maxzero: ") {
		t.Errorf("provenance %s, %q", class, about)
	}
}
