package compare

import (
	"iter"

	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// Partition is the first difference of the oracle's runs of two jobs.
type Partition struct {
	Vertex      int
	Left, Right pica.Step
}

// Parting runs the vertices of two jobs that differ only in their profiles on the oracle.
// It returns the first steps with different effects (executed instruction, values, next pc),
// or nil.
func Parting(a, b *pica.Job) (*Partition, error) {
	lefts, err := impl.Traces(a)
	if err != nil {
		return nil, err
	}
	rights, err := impl.Traces(b)
	if err != nil {
		return nil, err
	}
	next, stop := iter.Pull2(rights)
	defer stop()
	for i, left := range lefts {
		_, right, _ := next()
		if at := part(a, b, left, right); at != nil {
			at.Vertex = i
			return at, nil
		}
	}
	return nil, nil
}

func part(a, b *pica.Job, left, right iter.Seq[*pica.Step]) *Partition {
	next, stop := iter.Pull(right)
	defer stop()
	for l := range left {
		r, _ := next() // there is one: a run ends where the other does, or the two part
		if parted(a, b, l, r) {
			return &Partition{Left: l.Clone(), Right: r.Clone()}
		}
	}
	return nil
}

// parted reports whether two steps differ. Values are compared across number formats, and
// all NaNs are equal.
func parted(a, b *pica.Job, l, r *pica.Step) bool {
	if l.PC != r.PC || l.Next != r.Next || l.Ended != r.Ended || l.Trap != r.Trap || l.Written != r.Written ||
		l.State.CC != r.State.CC || l.State.Address != r.State.Address || l.State.AL != r.State.AL {
		return true
	}
	f, g := a.Profile.Storage, b.Profile.Storage
	for k := range 4 {
		if l.Written>>(3-k)&1 == 0 {
			continue
		}
		x, y := l.Result[k], r.Result[k]
		if f.Widen(x) != g.Widen(y) && (f.Class(x) != pica.ClassNaN || g.Class(y) != pica.ClassNaN) {
			return true
		}
	}
	return false
}

// Until runs the first vertex of a job on the oracle until the instruction at pc is next.
// It returns the state then, or nil if the program ends before, and the number of executed
// instructions.
func Until(job *pica.Job, pc int) (state *pica.State, executed int, err error) {
	steps, err := impl.Trace(job, 0)
	if err != nil {
		return nil, 0, err
	}
	if job.Entry == pc {
		if job.Initial != nil {
			return job.Initial, 0, nil
		}
		return new(pica.State), 0, nil
	}
	for s := range steps {
		executed = s.Index + 1
		if s.Next == pc && !s.Ended {
			return s.Clone().State, executed, nil
		}
	}
	return nil, executed, nil
}
