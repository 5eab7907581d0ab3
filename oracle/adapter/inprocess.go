package adapter

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/picaproof/picaproof/pica"
)

// InProcess returns an engine of this process as a core that follows a profile. Jobs and
// answers pass through the encoding of the protocol. A panic is a crash.
func InProcess(name string, p pica.Profile, newEngine func() pica.Engine) Core {
	c := &inProcess{name: name}
	ours := func(string) (pica.Profile, error) { return p, nil }
	c.servers.New = func() any { return &Server{Engine: newEngine(), Profile: p, Resolve: ours} }
	return c
}

type inProcess struct {
	name     string
	servers  sync.Pool
	requests atomic.Uint64
}

func (c *inProcess) Name() string { return c.name }

func (c *inProcess) Info(context.Context) (Reply, error) {
	q := newInfo(c.requests.Add(1))
	line, err := c.answer(q)
	if err != nil {
		return Reply{}, err
	}
	r, err := parseReply(line, q)
	if err != nil {
		return Reply{}, err
	}
	return *r, nil
}

func (c *inProcess) Ask(_ context.Context, job *pica.Job) Answer {
	start := time.Now()
	q, err := newRequest(c.requests.Add(1), job, true, defaultTimeout)
	if err != nil {
		return refused(err)
	}
	a := c.ask(q)
	a.Time = time.Since(start)
	return a
}

func (c *inProcess) ask(q *request) Answer {
	line, err := c.answer(q)
	if err != nil {
		return Answer{Fate: Crashed, Kind: KindPanic, Message: err.Error()}
	}
	a, err := decodeAnswer(line, q)
	if err != nil {
		return garbled(err)
	}
	return a
}

// answer returns the reply line of an engine that only this goroutine uses. The caller
// may keep the line. The error is a panic of the engine.
func (c *inProcess) answer(q *request) (line []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	s := c.servers.Get().(*Server)
	line = s.answer(q.line, false)
	s.reply = nil
	c.servers.Put(s)
	return line, nil
}

func (c *inProcess) AskFresh(ctx context.Context, job *pica.Job) Answer { return c.Ask(ctx, job) }

func (c *inProcess) AskAfter(ctx context.Context, jobs ...*pica.Job) (last Answer, answered int) {
	for _, job := range jobs {
		if last = c.Ask(ctx, job); last.Fate >= Crashed {
			break
		}
		answered++
	}
	return last, answered
}

// Precede does nothing: an engine of this process keeps no state between jobs.
func (c *inProcess) Precede(...*pica.Job) error { return nil }

// Isolate does nothing, for the same reason.
func (c *inProcess) Isolate() {}

func (c *inProcess) Replay(_ context.Context, s Sequence) (last Answer, answered int) {
	for _, q := range s {
		if last = c.ask(q); last.Fate >= Crashed {
			break
		}
		answered++
	}
	return last, answered
}

func (c *inProcess) Stats() Stats { return Stats{Requests: int(c.requests.Load())} }

func (c *inProcess) Close() error { return nil }

// refused is the answer to a job that cannot be sent.
func refused(err error) Answer {
	return Answer{Fate: Refused, Kind: string(StatusBadRequest), Message: err.Error()}
}

// garbled is the result of a line that is no answer.
func garbled(err error) Answer { return Answer{Fate: Garbled, Message: err.Error()} }

// KindInterrupted is the kind of an answer that is missing because the harness was
// stopped.
const KindInterrupted = "interrupted"

// interrupted is the answer to a job whose context or core ended first.
func interrupted() Answer {
	return Answer{Fate: Hung, Kind: KindInterrupted, Message: errStopped.Error()}
}
