package conform

import (
	"context"
	"hash/maphash"
	"slices"
	"sync"

	"github.com/picaproof/picaproof/conform/hypothesis"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/pica"
)

// remains are the leaks of a core against which no program before a request helps.
type remains struct {
	left   []*leakProbe // state that requests leave
	cached bool         // a cache may answer with the program of any earlier request
	byCode bool         // a cache may answer with that of one with the same words of code
	// inputs says that it may also answer with what it computed from the vertices of that request.
	inputs bool
}

// add adds a leak.
func (r *remains) add(l *leak) {
	switch {
	case l.cached() && slices.Equal(l.earlier.Code, l.job.Code):
		r.byCode, r.inputs = true, r.inputs || l.probe.ofVertices
	case l.cached():
		r.cached = true
	default:
		r.left = append(r.left, l.probe)
	}
}

// finds reports whether a job may find state that an earlier request left.
func (r *remains) finds(job *pica.Job) bool {
	var ops uint64
	if len(r.left) > 0 {
		ops = hypothesis.Opcodes(job.Code)
	}
	return slices.ContainsFunc(r.left, func(p *leakProbe) bool {
		return p.finds == nil || slices.ContainsFunc(p.finds, func(op pica.Opcode) bool { return ops>>op&1 != 0 })
	})
}

// apart reports whether a job needs a process of its own, whatever the core was asked for before.
func (r *remains) apart(job *pica.Job) bool { return r.cached || r.finds(job) }

// wary is a core that gives a process of its own to each request that may find what an earlier one left.
type wary struct {
	adapter.Core
	remains
	shared *codes
}

// Ask runs a job, in a process of its own if it may find what an earlier one left.
func (w *wary) Ask(ctx context.Context, job *pica.Job) adapter.Answer {
	if w.apart(job) || w.byCode && w.shared.otherwise(job) {
		return w.AskFresh(ctx, job)
	}
	return w.Core.Ask(ctx, job)
}

// watched is a core that notes which requests share processes.
type watched struct {
	adapter.Core
	shared *codes
}

// Ask runs a job.
func (w *watched) Ask(ctx context.Context, job *pica.Job) adapter.Answer {
	w.shared.add(job)
	return w.Core.Ask(ctx, job)
}

// beWary makes the core, and the one that it is compared with, wary of leaks. The suites ask again for what fails, so
// their requests share processes.
func (s *session) beWary() {
	pair := func(stored, direct *adapter.Core) {
		shared := s.remains.newCodes()
		*stored = &wary{*stored, s.remains, shared}
		if s.remains.byCode {
			*direct = &watched{*direct, shared}
		}
	}
	pair(&s.core, &s.direct.core)
	if s.Against != nil {
		pair(&s.Against, &s.direct.against)
	}
}

// codes are the requests that shared processes, by their code.
type codes struct {
	mu       sync.Mutex
	seed     maphash.Seed
	inputs   bool              // requests whose inputs differ are different ones
	requests map[uint64]uint64 // the request with each code, several if there were others
}

func (r *remains) newCodes() *codes {
	return &codes{seed: maphash.MakeSeed(), inputs: r.inputs, requests: map[uint64]uint64{}}
}

// several stands for more than one request.
const several = 0

// otherwise reports whether another request with the same code shared a process: a cache may answer for it. If not,
// it adds the job.
func (c *codes) otherwise(job *pica.Job) bool {
	code, request := c.hashes(job)
	c.mu.Lock()
	defer c.mu.Unlock()
	known, ok := c.requests[code]
	if !ok {
		c.requests[code] = request
	}
	return ok && known != request
}

// add adds a job that shares a process.
func (c *codes) add(job *pica.Job) {
	code, request := c.hashes(job)
	c.mu.Lock()
	defer c.mu.Unlock()
	if known, ok := c.requests[code]; ok && known != request {
		request = several
	}
	c.requests[code] = request
}

// hashes returns hashes of the code and of the request.
func (c *codes) hashes(job *pica.Job) (code, request uint64) {
	var h maphash.Hash
	h.SetSeed(c.seed)
	for _, word := range job.Code {
		maphash.WriteComparable(&h, word)
	}
	whole := *job
	if !c.inputs {
		whole.Vertices = nil
	}
	return h.Sum64(), maphash.Bytes(c.seed, encode(&whole))
}
