package campaign

import (
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/pica"
)

// Difference is how jobs are judged when what counts is the bucket of a
// difference between two engines. A job that one of them does not take shows
// none.
func Difference(want, got func() pica.Engine) reduce.Jobs {
	newFind := func() func(job *pica.Job) (at compare.Location, found bool) {
		judge := compare.Judge{Want: want(), Got: got()}
		return func(job *pica.Job) (compare.Location, bool) {
			at, found, err := judge.Find(job)
			return at, found && err == nil
		}
	}
	find := newFind()
	return reduce.Jobs{
		NewKey: func() reduce.Key {
			find := newFind()
			return func(job *pica.Job) string {
				if at, found := find(job); found {
					return at.Key()
				}
				return ""
			}
		},
		Witness: func(job *pica.Job) (reduce.Witness, bool) {
			at, found := find(job)
			return reduce.Witness{Vertex: at.Vertex, PC: at.PC, Before: at.Before, Sources: at.Sources, Storage: at.Storage},
				found && at.Step >= 0
		},
	}
}
