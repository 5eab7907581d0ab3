package conform

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/show"
)

// asked is what became of the requests of a run: those that killed or hung the core, and those that the end of
// the context left without an answer.
type asked struct {
	mu       sync.Mutex
	answered int
	fatal    []death
	hung     []hungJob
	waiting  int
	longest  time.Duration // of those that wait
}

// fatalFates are the outcomes of a crash and a hang.
var fatalFates = map[adapter.Fate]string{adapter.Crashed: Crash, adapter.Hung: Hang}

// end notes the answer to a request that began at some time.
func (x *asked) end(start time.Time, a adapter.Answer, job *pica.Job) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if a.Kind == adapter.KindInterrupted {
		if waited := time.Since(start); waited >= fewestWaited {
			x.waiting, x.longest = x.waiting+1, max(x.longest, waited)
		}
		return
	}
	x.answered++
	if a.Kind == adapter.KindGuessed {
		return
	}
	if outcome := fatalFates[a.Fate]; outcome != "" && job != nil {
		x.fatal = append(x.fatal, death{"first programs", uint64(len(x.fatal)), reduce.Clone(job), outcome})
	}
	if job == nil || a.Fate != adapter.Hung && len(x.hung) == 0 {
		return
	}
	switch i := x.of(job); {
	case a.Fate == adapter.Hung && i >= 0:
		x.hung[i].times++
	case a.Fate == adapter.Hung:
		x.hung = append(x.hung, hungJob{request(job), slices.Clone(job.Code), a, 1})
	case i >= 0: // it hangs at random
		x.hung = slices.Delete(x.hung, i, i+1)
	}
}

// A hungJob is a request that hung so many times. It is asked twice, because a core may hang at random, but not more
// often: each time costs a time limit.
type hungJob struct {
	text   []byte
	code   []uint32
	answer adapter.Answer
	times  int
}

// of returns the index of a job among those that hung, -1 if it is none.
func (x *asked) of(job *pica.Job) int {
	return slices.IndexFunc(x.hung, func(h hungJob) bool {
		return slices.Equal(h.code, job.Code) && bytes.Equal(h.text, request(job))
	})
}

// request returns what a core is sent for a job, nil if it cannot be sent.
func request(job *pica.Job) []byte {
	text, err := adapter.AppendRequest(nil, job)
	if err != nil {
		return nil
	}
	return text
}

// known returns the answer to a job that hung twice before.
func (x *asked) known(job *pica.Job) (adapter.Answer, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if i := x.of(job); i >= 0 && x.hung[i].times > 1 {
		return x.hung[i].answer, true
	}
	return adapter.Answer{}, false
}

// fewestWaited is the time after which a request without an answer may be a hang.
const fewestWaited = time.Second / 5

// pending says how long the core has not answered requests, "" if it was not for long.
func (x *asked) pending() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.waiting == 0 {
		return ""
	}
	return fmt.Sprintf("no answer yet to %s for %.1f s", show.Plural(x.waiting, "request"), x.longest.Seconds())
}

// made returns the number of requests, with those that pending counts.
func (x *asked) made() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.answered + x.waiting
}

// noting returns a core that notes what becomes of its requests.
func (x *asked) noting(core adapter.Core) adapter.Core { return &noted{core, x} }

type noted struct {
	adapter.Core
	*asked
}

func (c *noted) Info(ctx context.Context) (adapter.Reply, error) {
	start := time.Now()
	r, err := c.Core.Info(ctx)
	if err != nil && ctx.Err() != nil {
		c.end(start, adapter.Answer{Kind: adapter.KindInterrupted}, nil)
	}
	return r, err
}

func (c *noted) Ask(ctx context.Context, job *pica.Job) adapter.Answer {
	if a, ok := c.known(job); ok {
		return a
	}
	start := time.Now()
	a := c.Core.Ask(ctx, job)
	c.end(start, a, job)
	return a
}

func (c *noted) AskFresh(ctx context.Context, job *pica.Job) adapter.Answer {
	if a, ok := c.known(job); ok {
		return a
	}
	start := time.Now()
	a := c.Core.AskFresh(ctx, job)
	c.end(start, a, job)
	return a
}

func (c *noted) AskAfter(ctx context.Context, jobs ...*pica.Job) (adapter.Answer, int) {
	start := time.Now()
	a, n := c.Core.AskAfter(ctx, jobs...)
	c.end(start, a, nil) // which of the jobs is at fault is not known
	return a, n
}
