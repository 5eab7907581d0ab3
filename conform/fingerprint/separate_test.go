package fingerprint_test

import (
	"fmt"
	"testing"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/oracle/profile"
)

// inseparable are the pairs of values that no reply shows. The oracle gives the same bits under
// both: it replaces an estimate, two estimates are within one tolerance, or only a remark
// separates them.
var inseparable = map[string]bool{
	"rcp: rounded, estimate": true, "rcp: estimate, short": true,
	"ex2: rounded, libm": true, "ex2: rounded, estimate": true, "ex2: libm, estimate": true,
	"hazards: off, warn": true,
}

// TestJobsSeparate: for every knob and every pair of its values, some stored job separates the
// two while the other knobs are as in some named profile.
func TestJobsSeparate(t *testing.T) {
	jobs, err := fingerprint.Jobs()
	if err != nil {
		t.Fatal(err)
	}
	s := fingerprint.NewSeparator()
	for d := range fingerprint.Dimensions {
		dim := &fingerprint.Dimensions[d]
		if !dim.IsKnob() {
			continue
		}
		for a := range dim.Values {
			for b := a + 1; b < len(dim.Values); b++ {
				pair := fmt.Sprintf("%s: %s, %s", dim.Name, dim.Values[a].Name, dim.Values[b].Name)
				found := false
				for _, name := range profile.Names() {
					base, _ := profile.ByName(name)
					p, fits := dim.With(base, a)
					q, also := dim.With(base, b)
					for _, job := range jobs {
						if found = found || fits && also && s.Separates(job, &p, &q); found {
							break
						}
					}
					if found {
						break
					}
				}
				if found == inseparable[pair] {
					t.Errorf("%s: separated %v, want %v", pair, found, !found)
				}
			}
		}
	}
}
