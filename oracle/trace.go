package oracle

import (
	"iter"

	"github.com/picaproof/picaproof/pica"
)

// Trace runs one vertex of a job and yields a record for each instruction, the
// last one with Ended set. A record and the state it points to are valid until
// the next one. The error is that of [Machine.Load].
func Trace(job *pica.Job, vertex int) (iter.Seq[*pica.Step], error) {
	m := new(Machine)
	if err := m.Load(job, vertex); err != nil {
		return nil, err
	}
	return func(yield func(*pica.Step) bool) {
		for s := m.Step(); s != nil && yield(s); s = m.Step() {
		}
	}, nil
}
