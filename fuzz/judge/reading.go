package judge

import (
	"bytes"
	"fmt"

	"github.com/picaproof/picaproof/formats/diag"
)

// Deviation is one failure of a parser, a checker or a writer.
type Deviation struct {
	Key  string // equal for equal causes: "silent DVLB004"
	Text string
}

func (d *Deviation) Error() string { return d.Key + ": " + d.Text }

func deviation(key, format string, args ...any) *Deviation {
	return &Deviation{key, fmt.Sprintf(format, args...)}
}

// Reading is the result of a parser, a checker and a writer for a file.
type Reading struct {
	Findings []diag.Finding
	Accepted bool
	Written  []byte // the file that is written back, if the file is accepted
}

// Judge returns the failure in the reading of a file about which nothing is known, nil if there
// is none: findings lie inside the file, it is refused exactly if one of them is an error, and
// an accepted file is written back.
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
