package reduce

import (
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// Position is a position among the steps of a reduction. The zero Position is the beginning.
type Position struct{ kind, edit int }

// JobSteps returns a stream of the jobs that a reduction tries, each smaller than job, and the
// positions from which to continue with them: for drivers with a search of their own. It starts
// at a position, goes once around, and ends with false. The jobs share memory with job and must
// not be changed.
func JobSteps(job *pica.Job, start Position) (next func() (*pica.Job, Position, bool)) {
	return steps(job, start, jobKinds(nil), jobSize)
}

// FileSteps is JobSteps for the bytes of a file of any format.
func FileSteps(b []byte, start Position) (next func() ([]byte, Position, bool)) {
	return steps(b, start, fileKinds, fileSize)
}

func steps[T any](from T, start Position, kinds []kind[T], size func(T) []uint64) func() (T, Position, bool) {
	limit, at := size(from), start
	edits := kinds[at.kind].edits(from)
	turns := 0 // kinds begun after the first
	return func() (v T, found Position, ok bool) {
		for {
			switch {
			case turns == len(kinds) && at.edit >= min(start.edit, len(edits)):
				return v, at, false
			case at.edit >= len(edits):
				turns++
				at = Position{(at.kind + 1) % len(kinds), 0}
				edits = kinds[at.kind].edits(from)
				continue
			}
			v, ok = edits[at.edit]()
			found, at.edit = at, at.edit+1
			if ok && slices.Compare(size(v), limit) < 0 {
				return v, found, true
			}
		}
	}
}
