package conform

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/picaproof/picaproof/fuzz/conform/view"
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

// hangs remembers what programs that hang have in common. What it learns depends on the
// order of the answers: where jobs of the fingerprint do not show a hang, the report may
// count other jobs the next time. The zero hangs is ready to use.
type hangs struct {
	known   Masks // of the fingerprint
	any     atomic.Bool
	mu      sync.Mutex
	hung    map[sign]int
	cleared map[sign]bool // in a program that was answered
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
		h.hung, h.cleared = map[sign]int{}, map[sign]bool{}
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
// was answered.
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
			return true
		}
	}
	return false
}
