package adapter

import (
	"fmt"
	"time"

	"github.com/picaproof/picaproof/pica"
)

// Fate is what became of a request to a core.
type Fate uint8

// The fates. Each of them is the outcome of one request and ends nothing else.
const (
	Answered    Fate = iota // the core ran the job: Outcome is valid
	Trapped                 // the core says that the run trapped: Outcome may hold the state reached
	Unsupported             // the core says that it lacks something
	Refused                 // any other orderly refusal: assert, panic, exception, bad-request
	Crashed                 // the process ended
	Hung                    // no answer in time, twice
	Garbled                 // an answer that is none: no JSON, another id, a wrong shape, a flood
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

// Answer is what a core made of one job. It shares no memory with other answers.
type Answer struct {
	Fate Fate
	// Outcome holds the registers as the float32 patterns of the reply; its Storage
	// is Float32. A reply says nothing about steps, stacks and boolean uniforms:
	// those fields are zero. Of a run that trapped the last vertex says why.
	Outcome     pica.Outcome
	Temporaries bool // the reply had r0-r15
	// Kind and Message are those of an error. Of a crash Kind is "signal" or
	// "exit", Message the name of the signal or the exit status.
	Kind, Message string
	Log, Remarks  []string
	Stderr        string        // the end of what the process wrote, when it failed
	Time          time.Duration // from the request to the answer, of the last attempt
	// Damaged is set when a process ended on this job although the job alone does
	// not end a fresh one; the other fields are the answer of the fresh one. An
	// earlier job may have done the damage: see Culprit.
	Damaged *Damage
}

// Cause returns the trap of a run that trapped, TrapNone of another.
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

// Damage is the crash of a process on a job that does not crash alone.
type Damage struct {
	Kind, Message, Stderr string // of the crash, as in Answer
	// Sequence holds the requests that the process was sent since its start; the
	// last is the one that it did not answer.
	Sequence Sequence
}

// Sequence is a list of requests to one process, in order.
type Sequence []*request

// Job returns job number n of a sequence as it was sent; its profile is the zero
// Profile.
func (s Sequence) Job(n int) (*pica.Job, error) { return s[n].job() }
