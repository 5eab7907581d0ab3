package adapter

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/picaproof/picaproof/pica"
)

// InProcess returns engines of this process as a core that follows a profile. Jobs and
// answers pass through the encoding of the protocol. An engine stands for a process of the
// core: it may keep state from job to job, and a panic is a crash, which ends it. An engine
// that returns pica.ErrInterrupted hung; there is no time limit, so that no answer depends on
// the load of the machine.
func InProcess(name string, p pica.Profile, newEngine func() pica.Engine) Core {
	ours := func(string) (pica.Profile, error) { return p, nil }
	return &inProcess{name: name, start: func() *hosted {
		return &hosted{Server: &Server{Engine: newEngine(), Profile: p, Resolve: ours}}
	}}
}

type inProcess struct {
	name     string
	start    func() *hosted
	mu       sync.Mutex
	idle     []*hosted                // engines that wait for a job; the last one was asked last
	before   atomic.Pointer[Sequence] // sent before every job
	isolated atomic.Bool              // each job has an engine of its own

	requests, repeated atomic.Int64
}

// hosted is an engine with the requests that it got. One goroutine uses it.
type hosted struct {
	*Server
	sequence Sequence
	ended    bool
}

// ask returns the answer to a request. A panic ends the engine.
func (h *hosted) ask(q *request) (a Answer) {
	defer func() {
		if p := recover(); p != nil {
			h.ended = true
			a = Answer{Fate: Crashed, Kind: KindPanic, Message: fmt.Sprint(p)}
		}
	}()
	h.sequence = append(h.sequence, q)
	line := h.answer(q.line, false)
	h.reply = nil // the answer may keep the line
	a, err := decodeAnswer(line, q)
	if err != nil {
		return Answer{Fate: Garbled, Message: err.Error()}
	}
	return a
}

// follow asks requests, one after another, until one ends the engine or the context ends, and returns
// the last answer and the number of answers.
func (h *hosted) follow(ctx context.Context, s Sequence) (last Answer, answered int) {
	for _, q := range s {
		if ctx.Err() != nil {
			return interrupted(), answered
		}
		if last = h.ask(q); last.Fate >= Crashed {
			break
		}
		answered++
	}
	return last, answered
}

func (c *inProcess) Name() string { return c.name }

func (c *inProcess) Info(context.Context) (Reply, error) {
	q := newInfo(uint64(c.requests.Add(1)))
	r, err := parseReply(c.start().answer(q.line, false), q)
	if err != nil {
		return Reply{}, err
	}
	return *r, nil
}

func (c *inProcess) newRequest(job *pica.Job) (*request, error) {
	return newRequest(uint64(c.requests.Add(1)), job, true, 0)
}

func (c *inProcess) Ask(ctx context.Context, job *pica.Job) Answer {
	start := time.Now()
	q, err := c.newRequest(job)
	if err != nil {
		return refused(err)
	}
	s := Sequence{q}
	if before := c.before.Load(); before != nil {
		s = append(slices.Clone(*before), q)
	}
	a := whileAlive(ctx, func() (a Answer) {
		h := c.take()
		for _, q := range s {
			if a = h.ask(q); h.ended {
				return c.again(q, a, h.sequence)
			}
		}
		c.put(h)
		return a
	})
	a.Time = time.Since(start)
	return a
}

// take returns an engine for the caller alone.
func (c *inProcess) take() *hosted {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.idle); n > 0 && !c.isolated.Load() {
		h := c.idle[n-1]
		c.idle = c.idle[:n-1]
		return h
	}
	return c.start()
}

// put returns an engine for other jobs, unless it is old.
func (c *inProcess) put(h *hosted) {
	if c.isolated.Load() || len(h.sequence) >= defaultLifetime {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.idle = append(c.idle, h)
}

// whileAlive returns what ask returns, or an interruption if the context ends first; ask then
// goes on in the background.
func whileAlive(ctx context.Context, ask func() Answer) Answer {
	if ctx.Done() == nil {
		return ask()
	}
	if ctx.Err() != nil {
		return interrupted()
	}
	done := make(chan Answer, 1)
	go func() { done <- ask() }()
	select {
	case a := <-done:
		return a
	case <-ctx.Done():
		return interrupted()
	}
}

// again repeats a request that ended its engine alone. If it does not end a fresh engine, an
// earlier request did the damage.
func (c *inProcess) again(q *request, crash Answer, s Sequence) Answer {
	c.repeated.Add(1)
	a := c.start().ask(q)
	if a.Fate < Crashed {
		a.Damaged = &Damage{crash.Kind, crash.Message, crash.Stderr, s}
	}
	return a
}

func (c *inProcess) AskFresh(ctx context.Context, job *pica.Job) Answer {
	q, err := c.newRequest(job)
	if err != nil {
		return refused(err)
	}
	return whileAlive(ctx, func() Answer { return c.start().ask(q) })
}

func (c *inProcess) AskAfter(ctx context.Context, jobs ...*pica.Job) (last Answer, answered int) {
	s, err := sequenceOf(c, jobs)
	if err != nil {
		return refused(err), 0
	}
	return askAfter(ctx, c, s)
}

func (c *inProcess) Precede(jobs ...*pica.Job) error {
	s, err := sequenceOf(c, jobs)
	if err == nil {
		c.before.Store(&s)
	}
	return err
}

func (c *inProcess) Isolate() { c.isolated.Store(true) }

func (c *inProcess) Replay(ctx context.Context, s Sequence) (last Answer, answered int) {
	n := make(chan int, 1)
	last = whileAlive(ctx, func() Answer {
		last, answered := c.start().follow(ctx, s)
		n <- answered
		return last
	})
	if last.Kind == KindInterrupted {
		return last, 0
	}
	return last, <-n
}

func (c *inProcess) Stats() Stats {
	return Stats{Requests: int(c.requests.Load()), Repeated: int(c.repeated.Load())}
}

func (c *inProcess) Close() error { return nil }

// refused is the answer to a job that cannot be sent.
func refused(err error) Answer {
	return Answer{Fate: Refused, Kind: string(StatusBadRequest), Message: err.Error()}
}

// KindInterrupted is the kind of an answer that is missing because the harness was
// stopped.
const KindInterrupted = "interrupted"

// interrupted is the answer to a job whose context or core ended first.
func interrupted() Answer {
	return Answer{Fate: Hung, Kind: KindInterrupted, Message: errStopped.Error()}
}
