package conform

import (
	"context"
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/pica"
)

// passing names the state that passes from one vertex to the next.
func (s *session) passing(ctx context.Context, f *finding) {
	f.subject, f.opcode = "state of the vertex before, or the number of the vertex", "state and vertices"
	if l := s.leaked(ctx, f); l != nil {
		f.subject = l.bucket()
	} else if n, ok := s.position(ctx, f); ok {
		f.subject = fmt.Sprintf("vertex %d of a request, the first being 0", n)
	}
	f.trigger = trigger{vertices: true}
}

// position reports that one vertex of several fails because of its number: of equal vertices
// only this one fails.
func (s *session) position(ctx context.Context, f *finding) (n int, ok bool) {
	j := s.newJudge(ctx)
	if j.ask(f.job, false) != Differ || j.got.End != view.Ended {
		return 0, false
	}
	n = j.diff.Vertex
	c := reduce.Clone(f.job)
	// state that passes from vertex to vertex may show in every second vertex
	c.Vertices = slices.Repeat(c.Vertices[n:n+1], n+4)
	if j.ask(c, false) != Differ || j.got.End != view.Ended {
		return 0, false
	}
	want, got := j.want, j.got
	for v := range c.Vertices {
		want.Vertices, got.Vertices = j.want.Vertices[v:v+1], j.got.Vertices[v:v+1]
		if (view.Compare(&want, &got, nil) == view.Differs) != (v == n) {
			return 0, false
		}
	}
	return n, true
}

// leaked returns the state that passes to the next request and to the next vertex: the program
// runs well when its first instruction resets that state, or its last vertex fails in a request behind the others, and
// one state passes. It is nil if there is no such state.
func (s *session) leaked(ctx context.Context, f *finding) *leak {
	left := s.leftOpen(f.job)
	for _, l := range s.leaks {
		if left != noScope && l.probe.open == left {
			return l
		}
		op := l.probe.reset
		if op == 0 || len(f.job.Code)+2 > pica.MaxCode || len(f.job.Descriptors) >= pica.MaxDescriptors {
			continue
		}
		c := reduce.Clone(f.job)
		fields, jump := op.Layout(), pica.JMPU.Layout()
		word := fields.Desc.Put(uint32(op)<<26, uint32(len(c.Descriptors)))
		word = fields.CmpX.Put(fields.CmpY.Put(word, pica.CmpLT), pica.CmpLT)
		for k := range pica.Opcodes[op].Sources {
			word = fields.Src[k].Put(word, pica.SourceTemporary+pica.NumTemporaries-1)
		}
		always := uint32(pica.JMPU)<<26 | ^uint32(c.Bools)&1 // taken under the present b0
		c.Descriptors = append(c.Descriptors, uint32(pica.IdentityDescriptor))
		c.Code = append(c.Code, word, jump.Dst.Put(always, uint32(c.Entry)))
		c.Entry = len(f.job.Code)
		if s.newJudge(ctx).heals(f, c) {
			return l
		}
	}
	return s.leakedLast(ctx, f.job)
}

// leakedLast returns the one state that passes between requests if the last vertex of a job depends on the others even
// as a request of its own.
func (s *session) leakedLast(ctx context.Context, job *pica.Job) *leak {
	var one *leak
	for _, l := range s.leaks {
		switch {
		case l.cached() || l.probe == &unstable:
		case one == nil:
			one = l
		case one.probe.name != l.probe.name:
			return nil
		}
	}
	if one == nil || !s.handsOn(ctx, job) {
		return nil
	}
	return one
}

// handsOn reports whether the last vertex of a job depends on the others even as a request of its own: the state that
// passes between requests explains it.
func (s *session) handsOn(ctx context.Context, job *pica.Job) bool {
	last := len(job.Vertices) - 1
	if job.Keep || last < 1 || !slices.ContainsFunc(s.leaks, func(l *leak) bool { return !l.cached() }) {
		return false
	}
	before, behind := *job, *job
	before.Vertices, behind.Vertices = job.Vertices[:last], job.Vertices[last:]
	before.Initial, behind.Initial = nil, nil
	return s.passes(ctx, &unstable, &before, &behind, nil) != nil
}

// leftOpen returns the scopes that are open at the END of the first vertex of a job.
func (s *session) leftOpen(job *pica.Job) openScope {
	var tap endTap
	first := *job
	first.Vertices = first.Vertices[:1]
	if !s.watched(&first, &tap) {
		return noScope
	}
	switch {
	case tap.open.LoopDepth > 0:
		return openLoop
	case tap.open.IfDepth > 0:
		return openBlock
	case tap.open.CallDepth > 0:
		return openCall
	}
	return noScope
}

// endTap records the scopes that are open at END, including scopes that END closes.
type endTap struct{ before, open pica.Stacks }

func (t *endTap) Start(*pica.Job, int, *pica.State) {}

func (t *endTap) Step(s *pica.Step) {
	if pica.OpcodeOf(s.Word) == pica.END {
		t.open = t.before
	}
	t.before = s.State.Stacks
}

// executes reports whether a crash or hang needs the program to be executed: behind an END it
// must disappear.
func (s *session) executes(ctx context.Context, f *finding) bool {
	c := reduce.Clone(f.job)
	if len(c.Code) >= pica.MaxCode {
		return true
	}
	c.Code = append(c.Code, uint32(pica.END)<<26)
	c.Entry = len(c.Code) - 1
	return s.newJudge(ctx).ask(c, true) != f.outcome
}
