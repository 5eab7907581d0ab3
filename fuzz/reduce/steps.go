package reduce

import (
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// JobSteps returns a stream of the jobs that a reduction of job would try first,
// each smaller than it, for drivers that search on their own. It ends with
// false. The jobs share memory with job and must not be changed.
func JobSteps(job *pica.Job) (next func() (*pica.Job, bool)) {
	return steps(job, jobKinds(nil), jobSize)
}

// FileSteps is JobSteps for the bytes of a file of any format.
func FileSteps(b []byte) (next func() ([]byte, bool)) { return steps(b, fileKinds, fileSize) }

func steps[T any](from T, kinds []kind[T], size func(T) []uint64) func() (T, bool) {
	limit := size(from)
	var edits []edit[T]
	return func() (v T, ok bool) {
		for len(edits) > 0 || len(kinds) > 0 {
			if len(edits) == 0 {
				edits, kinds = kinds[0].edits(from), kinds[1:]
				continue
			}
			v, ok = edits[0]()
			if edits = edits[1:]; ok && slices.Compare(size(v), limit) < 0 {
				return v, true
			}
		}
		return v, false
	}
}
