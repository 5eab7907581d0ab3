package adapter

import (
	"context"
	"time"

	"github.com/picaproof/picaproof/pica"
)

// Core is a shader core under judgement. It is safe for concurrent use; concurrent
// jobs are sent to several processes and in batches.
//
// A job is sent as the protocol can express it (see AsSent), without its profile. A
// job with an initial state is refused.
type Core interface {
	// Name is the command, or the name of the engine.
	Name() string
	// Info returns the core's answer to an info request.
	Info(ctx context.Context) (Reply, error)
	// Ask runs a job in any process. Before Ask returns a crash, a hang or a garbled
	// answer, it repeats the job alone in a fresh process. If the context ends first,
	// the answer is Hung, its Kind "interrupted".
	Ask(ctx context.Context, job *pica.Job) Answer
	// AskFresh runs a job in a fresh process.
	AskFresh(ctx context.Context, job *pica.Job) Answer
	// AskAfter runs jobs one after another in a fresh process until one ends it. It
	// returns the last answer and the number of answers. If the process crashed on a
	// job that is not the first, Damaged of the answer has all of them.
	AskAfter(ctx context.Context, jobs ...*pica.Job) (last Answer, answered int)
	// Precede makes every job of Ask follow other jobs in its process. Their answers
	// are dropped; state that they overwrite cannot pass from one job to the next.
	Precede(jobs ...*pica.Job) error
	// Isolate gives every job of Ask a process of its own.
	Isolate()
	// Replay sends a sequence to a fresh process, one request after another, until one
	// of them ends the process. It returns the last answer and the number of answers.
	Replay(ctx context.Context, s Sequence) (last Answer, answered int)
	// Stats returns the counts so far.
	Stats() Stats
	// Close ends all processes. Pending requests are Hung.
	Close() error
}

// Options of a core in other processes. The zero Options is ready to use.
type Options struct {
	Processes int // 0 means one for each processor
	// Timeout is the processor time for one job, or a tenth of the time for which a core may sleep; 0
	// means 3 seconds. A second attempt, beside which no other program is asked, has three times as
	// much processor time; a core that has answered in much less has less, and so has a job that is known to
	// execute few instructions. Where the system does not tell the processor time of a process, both are wall times.
	Timeout time.Duration
	Start   time.Duration // for a process to answer for the first time; 0 means 15 seconds
	// NoTemporaries asks the core for replies without r0-r15.
	NoTemporaries bool
	// Lifetime is the number of requests after which a process is replaced. It bounds
	// the sequence kept for Culprit. 0 means 16384.
	Lifetime int
	// Failed is called when the command cannot be started any more, although it was started before.
	// The answer to the job is interrupted, and it ends the contexts of all others. If Failed is nil,
	// the job has crashed.
	Failed func(err error)
}

const (
	defaultTimeout  = 3 * time.Second
	defaultStart    = 15 * time.Second
	defaultLifetime = 1 << 14
)

// Stats counts requests and processes.
type Stats struct {
	Requests  int // asked
	Processes int // started
	Repeated  int // requests sent again, because a process ended or was ended
	Late      int // repeated after they used up their processor time, and then answered
	// Disorderly counts answers that were garbled among several pending requests, but
	// not alone: the core answers out of order, or more than once.
	Disorderly int
}
