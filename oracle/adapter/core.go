package adapter

import (
	"context"
	"time"

	"github.com/picaproof/picaproof/pica"
)

// Core is a shader core under judgement. It is safe for concurrent use; jobs that
// are asked at the same time are sent to several processes and in batches.
//
// A job is sent as the protocol can express it (see AsSent), without its
// profile. A job with an initial state is refused.
type Core interface {
	// Name is the command, or the name of the engine.
	Name() string
	// Info returns the core's answer to an info request.
	Info(ctx context.Context) (Reply, error)
	// Ask runs a job in any process. A crash, a hang and a garbled answer were
	// repeated alone in a fresh process before they are returned. When the context
	// ends first the answer is Hung, its Kind "interrupted".
	Ask(ctx context.Context, job *pica.Job) Answer
	// AskFresh runs a job in a process that has answered nothing else.
	AskFresh(ctx context.Context, job *pica.Job) Answer
	// AskAfter runs jobs one after another in a process that has answered nothing
	// else until one ends it. It returns the last answer and how many were answered; if
	// the process crashed behind others, Damaged of the answer tells of all.
	AskAfter(ctx context.Context, jobs ...*pica.Job) (last Answer, answered int)
	// Precede makes every job of Ask follow others in its process, whose answers are
	// dropped: what they overwrite cannot pass from one job to the next.
	Precede(jobs ...*pica.Job) error
	// Isolate gives every job of Ask a process of its own.
	Isolate()
	// Bench asks a fresh process to time a program: a job of the protocol with the
	// fields of bench, as a JSON object. The error says why there is no time.
	Bench(ctx context.Context, object []byte) (*BenchReply, error)
	// Replay sends a sequence to a fresh process, one request after another, until
	// one of them ends the process. It returns the last answer and how many
	// requests were answered.
	Replay(ctx context.Context, s Sequence) (last Answer, answered int)
	// Stats counts what happened so far.
	Stats() Stats
	// Close ends all processes. Requests that are under way are Hung.
	Close() error
}

// Options of a core in other processes. The zero Options is ready to use.
type Options struct {
	Processes int           // 0 means one for each processor
	Timeout   time.Duration // for one job; 0 means 3 seconds. A second attempt has three times as long
	Start     time.Duration // for a process to answer for the first time; 0 means 15 seconds
	// NoTemporaries asks the core to leave r0-r15 out of its replies.
	NoTemporaries bool
	// Lifetime is the number of requests after which a process is replaced, which
	// bounds the sequence kept for Culprit; 0 means 16384.
	Lifetime int
}

const (
	defaultTimeout  = 3 * time.Second
	defaultStart    = 15 * time.Second
	defaultLifetime = 1 << 14
	// patience is how many times longer than the first a second attempt may take.
	patience = 3
)

// Stats counts requests and processes.
type Stats struct {
	Requests  int // asked
	Processes int // started
	Repeated  int // requests sent again, because a process ended or was ended
	Late      int // those of them that were answered after they had exceeded the time limit
	// Disorderly counts answers that were garbled when several requests were under
	// way, but not alone: the core answers out of order, or more than once.
	Disorderly int
}
