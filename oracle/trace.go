package oracle

import (
	"fmt"
	"iter"

	"github.com/picaproof/picaproof/pica"
)

// Load prepares the run of job.Vertices[vertex]. It first executes the earlier vertices,
// since rules of [Carry] decide which part of their state passes on. It returns the errors
// that [pica.Engine.Run] returns. The job must not change while the machine runs.
func (m *Machine) Load(job *pica.Job, vertex int) error {
	if vertex < 0 || vertex >= len(job.Vertices) {
		return fmt.Errorf("%w: no vertex %d", pica.ErrInvalidJob, vertex)
	}
	if err := m.prepare(job); err != nil {
		return err
	}
	for i := range vertex {
		m.begin(i)
		m.finish()
	}
	m.begin(vertex)
	return nil
}

// Step executes one instruction and returns its record, which is valid until the next
// call. It returns nil if the run has already ended.
func (m *Machine) Step() *pica.Step {
	if !m.advance() {
		return nil
	}
	return m.shown()
}

// State returns the current registers and stacks, which the machine goes on changing.
func (m *Machine) State() *pica.State { return &m.regs.State }

// Trace runs one vertex of a job with the rules that resolve makes, and yields a record
// for each instruction; the last record has Ended set. A record and the state that it
// points to are valid until the next record. The errors come from [Machine.Load].
func Trace(resolve Resolver, job *pica.Job, vertex int) (iter.Seq[*pica.Step], error) {
	m := NewMachine(resolve)
	if err := m.Load(job, vertex); err != nil {
		return nil, err
	}
	return m.records, nil
}

// Traces runs all vertices of a job on one machine, in order, and yields the index and the
// records of each, as [Trace] does. If the caller leaves records of a vertex, its run still ends
// before the next one begins. The errors are as for [pica.Engine.Run].
func Traces(resolve Resolver, job *pica.Job) (iter.Seq2[int, iter.Seq[*pica.Step]], error) {
	m := NewMachine(resolve)
	if err := m.prepare(job); err != nil {
		return nil, err
	}
	return func(yield func(int, iter.Seq[*pica.Step]) bool) {
		for i := range job.Vertices {
			if m.begin(i); !yield(i, m.records) {
				return
			}
			m.finish()
		}
	}, nil
}

// records yields the records of the rest of the run.
func (m *Machine) records(yield func(*pica.Step) bool) {
	for s := m.Step(); s != nil && yield(s); s = m.Step() {
	}
}

// finish executes the rest of the run.
func (m *Machine) finish() {
	for m.advance() {
	}
}
