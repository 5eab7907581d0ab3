package writer

import (
	"context"

	"github.com/picaproof/picaproof/conform/source"
)

// reduceProgram returns the smallest program found with the same finding as f, with a limited
// number of requests to the tool. It skips programs for which avoid returns a name; avoid may be
// nil.
func reduceProgram(ctx context.Context, j *judge, p *source.Program, f *finding, tries int,
	avoid func(q *source.Program) bool) (*source.Program, *finding) {
	for from := 0; ; {
		improved := false
		for n, q := range source.Smaller(p, from) { // the earlier changes failed, as far as one can tell
			if avoid != nil && avoid(q) {
				continue
			}
			if tries--; tries < 0 || ctx.Err() != nil {
				return p, f
			}
			list, err := j.valid(ctx, q)
			if g := list.with(f.key()); err == nil && g != nil {
				p, f, from, improved = q, g, n, true
				break
			}
		}
		switch {
		case improved:
		case from == 0:
			return p, f
		default:
			from = 0
		}
	}
}
