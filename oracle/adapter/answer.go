package adapter

import (
	"context"
	"fmt"
	"time"

	"github.com/picaproof/picaproof/pica"
)

// Fate says how a request to a core ended.
type Fate uint8

// The fates. Each is the outcome of one request; later requests are not affected.
const (
	Answered    Fate = iota // the core ran the job: Outcome is valid
	Trapped                 // the core says that the run trapped: Outcome may have the state reached
	Unsupported             // the core says that it does not support the job
	Refused                 // any other orderly refusal: assert, panic, exception, bad-request
	Crashed                 // the process ended
	Hung                    // no answer in time, twice
	Garbled                 // not an answer: no JSON, another id, a wrong shape, too much output
	NumFates
)

var fateNames = [NumFates]string{"answered", "trapped", "unsupported", "refused", "crashed", "hung", "garbled"}

// String returns the fate in lower case.
func (f Fate) String() string {
	if f < NumFates {
		return fateNames[f]
	}
	return fmt.Sprintf("Fate(%d)", uint8(f))
}

// Answer is the answer of a core to one job. It shares no memory with other answers.
type Answer struct {
	Fate Fate
	// Outcome has the registers as the float32 patterns of the reply; its Storage is
	// Float32. A reply has no steps, stacks and boolean uniforms: those fields are
	// zero. If the run trapped, the last vertex has the trap.
	Outcome pica.Outcome
	// Unreported are the registers that the reply left out, if only behind one vertex.
	Unreported pica.Registers
	// Kind and Message describe an error. For a crash, Kind is "signal" or "exit" and
	// Message the name of the signal or the exit status.
	Kind, Message string
	Log, Remarks  []string
	Stderr        string        // the standard error of a process that failed, shortened
	Time          time.Duration // of the last attempt, from the request to the answer
	// Damaged is set if a process ended on this job, but the job alone does not end
	// a fresh process; the other fields are the answer of the fresh process. An earlier
	// job may have done the damage: see Culprit.
	Damaged *Damage
}

// Cause returns the trap of a run that trapped, else TrapNone.
func (a *Answer) Cause() pica.Cause {
	if a.Fate != Trapped {
		return pica.TrapNone
	}
	for c := range pica.NumCauses {
		if c != pica.TrapNone && c.String() == a.Message {
			return c
		}
	}
	return pica.TrapUnsupported
}

// Damage is the crash of a process on a job that alone crashes no process.
type Damage struct {
	Kind, Message, Stderr string // of the crash, as in Answer
	// Sequence has the requests to the process since its start; the last is the request
	// that it did not answer.
	Sequence Sequence
}

// Sequence is a list of requests to one process, in order.
type Sequence []*request

// Job returns job number n of a sequence as it was sent, with the zero Profile.
func (s Sequence) Job(n int) (*pica.Job, error) { return s[n].job() }

// sequenceOf returns jobs as requests to a core. An error means that a job cannot be sent.
func sequenceOf(c interface {
	newRequest(job *pica.Job) (*request, error)
}, jobs []*pica.Job) (s Sequence, err error) {
	for _, job := range jobs {
		q, err := c.newRequest(job)
		if err != nil {
			return nil, err
		}
		s = append(s, q)
	}
	return s, nil
}

// askAfter replays a sequence of jobs that was not asked before; see Core.AskAfter.
func askAfter(ctx context.Context, c Core, s Sequence) (last Answer, answered int) {
	last, answered = c.Replay(ctx, s)
	if last.Fate == Crashed && 0 < answered && answered < len(s) { // the adapter does not supervise itself
		last.Damaged = &Damage{last.Kind, last.Message, last.Stderr, s[:answered+1]}
	}
	return last, answered
}
