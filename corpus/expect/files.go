package expect

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/pica"
)

// Files is the result of a format for its vectors.
type Files struct {
	Format     string   `json:"format"`
	Rules      int      `json:"rules"` // the number of rules that are not retired
	Triggered  int      `json:"rules_triggered"`
	Vectors    int      `json:"vectors"`
	Accepted   int      `json:"accepted"`
	Refused    int      `json:"refused"`
	RoundTrips int      `json:"round_trips"`
	Wrong      []string `json:"wrong"`

	Shaders []pica.Shader `json:"-"` // of the accepted files
}

// JudgeFiles compares a format with its vectors: it must report rules, accept and refuse files
// as the vectors expect, and write accepted files back byte for byte.
func JudgeFiles(f registry.Format) (*Files, error) {
	vectors, err := corpus.Vectors(f.Name)
	if err != nil {
		return nil, err
	}
	d := &Files{Format: f.Name, Vectors: len(vectors), Wrong: []string{}}
	for _, r := range f.Rules {
		if !r.Retired {
			d.Rules++
		}
	}
	triggered := map[string]bool{}
	for _, v := range vectors {
		reported := slices.ContainsFunc(f.Check(v.Data), func(x diag.Finding) bool { return x.Rule == v.Rule })
		if v.Rule != "" && reported == v.NearMiss {
			d.Wrong = append(d.Wrong, fmt.Sprintf("%s: rule %s", v.Name, v.Rule))
		}
		if reported {
			triggered[v.Rule] = true
		}
		doc, err := f.Parse(v.Data)
		if accepted := v.Expect == corpus.OK || v.Expect == corpus.Finding; accepted != (err == nil) {
			d.Wrong = append(d.Wrong, fmt.Sprintf("%s: expected %s, got %v", v.Name, v.Expect, err))
		}
		if err != nil {
			d.Refused++
			continue
		}
		d.Accepted++
		if r := f.RoundTrip(v.Data); r.OK() {
			d.RoundTrips++
		} else {
			d.Wrong = append(d.Wrong, fmt.Sprintf("%s: %s", v.Name, r.Error))
		}
		if holder, ok := doc.(registry.Shaders); ok {
			d.Shaders = append(d.Shaders, holder.Shaders()...)
		}
	}
	d.Triggered = len(triggered)
	return d, nil
}
