package writer

import (
	"context"

	"github.com/picaproof/picaproof/fuzz/conform/source"
)

// reduceProgram returns the smallest program found that still shows what f says, asking
// the tool about so many programs at most.
func reduceProgram(ctx context.Context, j *judge, p *source.Program, f *finding, tries int) (*source.Program, *finding) {
	for skip := 0; ; {
		n, improved := 0, false
		for q := range source.Smaller(p) {
			if n++; n <= skip { // failed before, as far as one can tell
				continue
			}
			if tries--; tries < 0 || ctx.Err() != nil {
				return p, f
			}
			list, err := j.valid(ctx, q)
			if g := list.with(f.key()); err == nil && g != nil {
				p, f, skip, improved = q, g, n-1, true
				break
			}
		}
		switch {
		case improved:
		case skip == 0:
			return p, f
		default:
			skip = 0
		}
	}
}
