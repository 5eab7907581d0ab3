package reduce

import (
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// Place is where among the steps of a reduction a smaller value was found. The
// zero Place is the beginning.
type Place struct{ kind, edit int }

// JobSteps returns a stream of the jobs that a reduction tries, each smaller
// than job, and the places where to go on from them: for drivers that search on
// their own. It starts at a place, goes once around, and ends with false. The
// jobs share memory with job and must not be changed.
func JobSteps(job *pica.Job, start Place) (next func() (*pica.Job, Place, bool)) {
	return steps(job, start, jobKinds(nil), jobSize)
}

// FileSteps is JobSteps for the bytes of a file of any format.
func FileSteps(b []byte, start Place) (next func() ([]byte, Place, bool)) {
	return steps(b, start, fileKinds, fileSize)
}

func steps[T any](from T, start Place, kinds []kind[T], size func(T) []uint64) func() (T, Place, bool) {
	limit, at := size(from), start
	edits := kinds[at.kind].edits(from)
	turns := 0 // kinds that were begun after the first
	return func() (v T, found Place, ok bool) {
		for {
			switch {
			case turns == len(kinds) && at.edit >= min(start.edit, len(edits)):
				return v, at, false
			case at.edit >= len(edits):
				turns++
				at = Place{(at.kind + 1) % len(kinds), 0}
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
