package journal

import (
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/pica"
)

// OfCore returns a core that asks another one for answers that the journal has not. A damage is
// the work of one process: an answer with it is asked for again, and so is every replay.
func OfCore(j *Journal, c adapter.Core) adapter.Core {
	return &asCore{Core: c, journal: j, name: []byte(c.Name())}
}

type asCore struct {
	adapter.Core
	journal *Journal
	name    []byte
	manner  atomic.Pointer[[]byte] // in which Ask asks: what precedes a job, or a process of its own
}

// coreInfo is the answer to an info request.
type coreInfo struct {
	adapter.Reply
	Err error `json:"-"`
}

// coreAnswer is an answer to the last of some jobs.
type coreAnswer struct {
	adapter.Answer `json:"-"`
	Answered       int    `json:"answered,omitempty"`
	Packed         []byte `json:"packed"` // the answer, compressed: most of it is zeros
}

// Info implements adapter.Core.
func (x *asCore) Info(ctx context.Context) (adapter.Reply, error) {
	a, err := answer(ctx, x.journal, question[coreInfo]{
		parts: [][]byte{[]byte("info"), x.name},
		ask: func(string) (a coreInfo, _ error) {
			a.Reply, a.Err = x.Core.Info(ctx)
			return a, nil
		},
		keep: func(a *coreInfo) (*behind, bool) { return nil, a.Err == nil && ctx.Err() == nil },
	})
	if err != nil {
		return a.Reply, x.journal.give(err)
	}
	return a.Reply, a.Err
}

// Precede implements adapter.Core.
func (x *asCore) Precede(jobs ...*pica.Job) error {
	text, err := appendJobs([]byte("behind "), jobs)
	if err == nil {
		err = x.Core.Precede(jobs...)
	}
	if err == nil {
		x.manner.Store(&text)
	}
	return err
}

// Isolate implements adapter.Core.
func (x *asCore) Isolate() {
	x.Core.Isolate()
	alone := []byte("alone")
	x.manner.Store(&alone)
}

// Ask implements adapter.Core.
func (x *asCore) Ask(ctx context.Context, job *pica.Job) adapter.Answer {
	var manner []byte
	if m := x.manner.Load(); m != nil {
		manner = *m
	}
	a, _ := x.stored(ctx, "ask", manner, []*pica.Job{job}, func() (adapter.Answer, int) { return x.Core.Ask(ctx, job), 0 })
	return a
}

// AskFresh implements adapter.Core.
func (x *asCore) AskFresh(ctx context.Context, job *pica.Job) adapter.Answer {
	a, _ := x.stored(ctx, "fresh", nil, []*pica.Job{job},
		func() (adapter.Answer, int) { return x.Core.AskFresh(ctx, job), 0 })
	return a
}

// AskAfter implements adapter.Core.
func (x *asCore) AskAfter(ctx context.Context, jobs ...*pica.Job) (last adapter.Answer, answered int) {
	return x.stored(ctx, "after", nil, jobs, func() (adapter.Answer, int) { return x.Core.AskAfter(ctx, jobs...) })
}

// stored returns the stored answer to the last of some jobs that has one, or asks.
func (x *asCore) stored(ctx context.Context, way string, manner []byte, jobs []*pica.Job,
	ask func() (adapter.Answer, int)) (adapter.Answer, int) {
	if adapter.IsBrief(ctx) {
		way += " briefly"
	}
	text, err := appendJobs(nil, jobs)
	if err != nil || len(jobs) == 0 {
		return ask() // it says why a job cannot be sent
	}
	a, err := answer(ctx, x.journal, question[coreAnswer]{
		parts: [][]byte{[]byte(way), x.name, manner, text},
		ask: func(string) (a coreAnswer, _ error) {
			a.Answer, a.Answered = ask()
			return a, nil
		},
		keep: func(a *coreAnswer) (*behind, bool) {
			stored := a.Damaged == nil && a.Kind != adapter.KindInterrupted && stays(ctx, a.Message)
			return nil, stored && a.pack() == nil
		},
		restore: func(a *coreAnswer, _ *behind) (bool, error) { return true, a.unpack(jobs) },
	})
	if err != nil {
		return adapter.Answer{Fate: adapter.Hung, Kind: adapter.KindInterrupted, Message: x.journal.give(err).Error()}, 0
	}
	return a.Answer, a.Answered
}

// appendJobs appends jobs as they are sent.
func appendJobs(b []byte, jobs []*pica.Job) (_ []byte, err error) {
	for _, job := range jobs {
		if b, err = adapter.AppendRequest(b, job); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// packers and unpackers are compressors and decompressors, whose tables are large.
var (
	packers = sync.Pool{New: func() any {
		w, err := flate.NewWriter(nil, flate.BestSpeed)
		if err != nil {
			panic(err) // no such level
		}
		return w
	}}
	unpackers = sync.Pool{New: func() any { return flate.NewReader(nil) }}
)

// pack sets the stored form of an answer.
func (a *coreAnswer) pack() error {
	text, err := a.Encode()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	w := packers.Get().(*flate.Writer)
	defer packers.Put(w)
	w.Reset(&b)
	_, err = w.Write(text)
	err = errors.Join(err, w.Close())
	a.Packed = b.Bytes()
	return err
}

// unpack sets the answer to the stored one.
func (a *coreAnswer) unpack(jobs []*pica.Job) error {
	if a.Answered < 0 || a.Answered > len(jobs) {
		return fmt.Errorf("%w: %d of %d jobs answered", ErrJournal, a.Answered, len(jobs))
	}
	r := unpackers.Get().(io.Reader)
	defer unpackers.Put(r)
	var text []byte
	err := r.(flate.Resetter).Reset(bytes.NewReader(a.Packed), nil)
	if err == nil {
		text, err = io.ReadAll(io.LimitReader(r, longest))
	}
	if err == nil {
		a.Answer, err = adapter.DecodeStored(text, jobs[min(a.Answered, len(jobs)-1)])
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrJournal, err)
	}
	return nil
}
