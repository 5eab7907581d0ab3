package conform

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"github.com/picaproof/picaproof/fuzz/conform/view"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// stuck reduces jobs of the fingerprint that hang. Each job that does so costs a time
// limit, so that no suite runs a program that brings such a cause about.
func (s *session) stuck(ctx context.Context) {
	var hung []*pica.Job
	for i := range s.answers {
		if s.answers[i].Got.End == view.Hung {
			hung = append(hung, s.answers[i].Job)
		}
	}
	slices.SortStableFunc(hung, func(a, b *pica.Job) int { return len(a.Code) - len(b.Code) })
	w := newWatcher()
	for n, answered := range hung {
		job := under(answered, s.model)
		job.Initial = nil
		if ctx.Err() != nil || s.attributed(job, w, NewMasks(triggersOf(s.causes))) != nil {
			continue
		}
		s.Progress("reducing a job that hangs")
		if f, ok := s.reduced(ctx, job, "fingerprint", nil); ok && f.outcome == Hang {
			s.record(&Bucket{Key: fmt.Sprintf("fingerprint: hang: %d", n), Suite: "fingerprint", Number: uint64(n), Count: 1, finding: f})
		}
	}
	s.hangs.known = NewMasks(triggersOf(s.causes))
}

// visit is the first execution of a word.
type visit struct {
	reduce.Witness
	word uint32
}

// visitor lists the words that a run executes, in the order of their first execution.
type visitor struct {
	visits []visit
	vertex int
	before pica.State
	format pica.NumberFormat
	seen   map[int]bool
}

func (v *visitor) Start(job *pica.Job, vertex int, state *pica.State) {
	if vertex == 0 {
		v.visits, v.seen, v.format = nil, map[int]bool{}, job.Profile.Storage
	}
	v.vertex, v.before = vertex, *state
}

func (v *visitor) Step(s *pica.Step) {
	if !v.seen[s.PC] && s.Trap.Cause == pica.TrapNone {
		v.seen[s.PC] = true
		v.visits = append(v.visits, visit{reduce.Witness{Vertex: v.vertex, PC: s.PC, Before: v.before, Sources: s.Sources, Storage: v.format}, s.Word})
	}
	v.before = *s.State
}

// visitsOf returns the first execution of each word of a job, without those behind the program.
func (s *session) visitsOf(job *pica.Job) []visit {
	var v visitor
	var out pica.Outcome
	if impl.Watched(&v).Run(under(job, s.model), &out) != nil {
		return nil
	}
	return slices.DeleteFunc(v.visits, func(w visit) bool { return w.PC >= len(job.Code) })
}

// shortened returns a program that hangs without what follows the instruction at which it
// does and, if it may be, without what computes before it; and that instruction, for
// a reduction, which has few tries that hang.
func (s *session) shortened(ctx context.Context, job *pica.Job) (*pica.Job, func(*pica.Job) (reduce.Witness, bool)) {
	j := s.newJudge(ctx)
	visits := s.visitsOf(job)
	if len(visits) < 2 {
		return job, nil
	}
	ended := func(k int) *pica.Job {
		c := reduce.Clone(job)
		c.Code[visits[k].PC] = uint32(pica.END) << 26
		return c
	}
	n := 1 + sort.Search(len(visits)-1, func(k int) bool { return j.ask(ended(k+1), false) == Hang })
	culprit := visits[n-1]
	if n < len(visits) {
		job = ended(n)
	}
	c := reduce.Clone(job)
	end := 0
	for _, v := range visits[:min(n+1, len(visits))] {
		end = max(end, v.PC+1)
	}
	c.Code = c.Code[:end]
	for at, word := range c.Code {
		if pica.Opcodes[pica.OpcodeOf(word)].Sources > 0 && at != culprit.PC {
			c.Code[at] = nop
		}
	}
	if j.ask(c, false) == Hang {
		job = c
	}
	return job, func(job *pica.Job) (reduce.Witness, bool) {
		for _, v := range s.visitsOf(job) {
			if v.word == culprit.word && v.Sources == culprit.Sources {
				return v.Witness, true
			}
		}
		return reduce.Witness{}, false
	}
}

// hangs remembers what programs that hang have in common. What it learns depends on the
// order of the answers: where jobs of the fingerprint do not show a hang, the report may
// count other jobs the next time. The zero hangs is ready to use.
type hangs struct {
	known   Masks // of the fingerprint
	any     atomic.Bool
	mu      sync.Mutex
	hung    map[sign]int
	cleared map[sign]bool // in a program that was answered
	skipped map[sign]int
}

// sign is an instruction with a class of operand.
type sign struct {
	op    pica.Opcode
	class featureSet
}

const enoughHangs = 2

func signsOf(uses []use) (signs []sign) {
	for _, u := range uses {
		info := &pica.Opcodes[u.op]
		if info.Flow == pica.FlowEnd {
			continue
		}
		signs = append(signs, sign{u.op, lowest((u.features | u.loose) & (hasInfinity | hasNaN | hasSubnormal | hasZero))})
	}
	return signs
}

// note takes the outcome of a job.
func (h *hangs) note(job *pica.Job, w *watcher, hung bool) {
	if !hung && !h.any.Load() {
		return
	}
	h.any.Store(true)
	signs := signsOf(w.uses(job))
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.hung == nil {
		h.hung, h.cleared, h.skipped = map[sign]int{}, map[sign]bool{}, map[sign]int{}
	}
	for _, s := range signs {
		if hung {
			h.hung[s]++
		} else {
			h.cleared[s] = true
		}
	}
}

// likely reports whether a job has what several programs that hung had, and none that
// was answered. Now and then, more and more rarely, such a job is asked: what programs
// have beside the cause must not keep them from being judged.
func (h *hangs) likely(job *pica.Job, w *watcher) bool {
	if len(h.known) > 0 && h.known.hit(job, w.uses(job)) {
		return true
	}
	if !h.any.Load() {
		return false
	}
	signs := signsOf(w.uses(job))
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range signs {
		if h.hung[s] >= enoughHangs && !h.cleared[s] {
			h.skipped[s]++
			return h.skipped[s] == 1 || !isPowerOf4(h.skipped[s])
		}
	}
	return false
}

func isPowerOf4(n int) bool { return n&(n-1) == 0 && bits.TrailingZeros(uint(n))%2 == 0 }
