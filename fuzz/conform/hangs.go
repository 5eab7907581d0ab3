package conform

import (
	"sync"
	"sync/atomic"

	"github.com/picaproof/picaproof/pica"
)

// hangs remembers what programs that hang have in common, because each of them costs a
// time limit. What it leaves out depends on the order of the answers: a core that hangs
// may have another report the next time. The zero hangs is ready to use.
type hangs struct {
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
		signs = append(signs, sign{u.op, lowest(u.features & (hasInfinity | hasNaN | hasSubnormal | hasZero))})
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
