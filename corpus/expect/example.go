package expect

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/diag"
)

// Example is a vector that shows a rule.
type Example struct {
	Vector  string `json:"vector"`
	Comment string `json:"comment"`
	Offset  int    `json:"offset"`
	Bytes   string `json:"bytes,omitempty"` // hex of the first bytes at the offset
	Text    string `json:"text,omitempty"`  // the vector, if it is a source
	Finding string `json:"finding,omitempty"`
}

// Examples returns the vector that triggers a rule, with its finding, and the near miss; nil if
// the corpus has none.
func (c *Catalogue) Examples(rule string) (trigger, miss *Example, err error) {
	const shown = 16 // bytes
	vectors, err := corpus.Vectors(c.Name)
	if err != nil {
		return nil, nil, err
	}
	for _, v := range vectors {
		if v.Rule != rule {
			continue
		}
		e := &Example{Vector: v.Name, Comment: v.Comment, Offset: v.Offset}
		if end := min(v.Offset+shown, len(v.Data)); c.Text {
			e.Text = string(v.Data)
		} else if v.Offset < end {
			e.Bytes = fmt.Sprintf("% x", v.Data[v.Offset:end])
		}
		if v.NearMiss {
			miss = e
			continue
		}
		findings := c.Check(v)
		if i := slices.IndexFunc(findings, func(f diag.Finding) bool { return f.Rule == rule }); i >= 0 {
			e.Finding = c.Name + ": " + findings[i].String()
		}
		trigger = e
	}
	return trigger, miss, nil
}
