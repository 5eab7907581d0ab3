package judge

import (
	"bytes"
	"fmt"

	"github.com/picaproof/picaproof/formats/diag"
)

// Deviation is one way in which a parser, a checker or a writer is wrong.
type Deviation struct {
	Key  string // the same for the same cause: "silent DVLB004"
	Text string
}

func (d *Deviation) Error() string { return d.Key + ": " + d.Text }

func deviation(key, format string, args ...any) *Deviation {
	return &Deviation{key, fmt.Sprintf(format, args...)}
}

// Reading is what a parser, a checker and a writer make of a file.
type Reading struct {
	Findings []diag.Finding
	Accepted bool
	Written  []byte // what it is written back as, if it is accepted
}

// Judge returns what is wrong with the reading of a file about which nothing is
// known, nil if nothing is: findings lie inside the file, it is refused exactly
// when one of them is an error, and what is accepted is written back.
func (r *Reading) Judge(b []byte) *Deviation {
	for _, f := range r.Findings {
		if f.Off < 0 || f.Len < 0 || f.Off > len(b) || f.Len > len(b)-f.Off {
			return deviation("outside "+f.Rule, "finding outside the %d bytes: %v", len(b), f)
		}
	}
	first := diag.FirstError(r.Findings)
	switch {
	case first != nil && r.Accepted:
		return deviation("accepted "+first.Rule, "accepted in spite of %v", *first)
	case first == nil && !r.Accepted:
		return deviation("refused", "refused without an error")
	case r.Accepted && !bytes.Equal(r.Written, b):
		return deviation("written", "%d bytes are written back as %d others", len(b), len(r.Written))
	}
	return nil
}
