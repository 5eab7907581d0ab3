package reader

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// Reader is a program that reads files.
type Reader interface {
	// Read lets the reader read a file of a format. An error means that the reader
	// cannot be asked at all.
	Read(ctx context.Context, format string, data []byte, limit time.Duration) (Reply, error)
	// Measure is Read for a file whose cost matters: the process reads only this file meanwhile.
	Measure(ctx context.Context, format string, data []byte, limit time.Duration) (Reply, error)
	// Shared reports whether several goroutines may ask at a time.
	Shared() bool
	// Reproduce returns a command that shows a file to the reader; it is empty if there
	// is none.
	Reproduce(format string, data []byte) string
}

// Outcome is the outcome of reading a file.
type Outcome string

// The outcomes.
const (
	Accepted    Outcome = "accepted"
	Refused     Outcome = "refused"
	Unsupported Outcome = "unsupported" // refused, but not as wrong
	Crashed     Outcome = "crash"
	Hung        Outcome = "hang"
)

// Reply is the reply of a reader to a file.
type Reply struct {
	Outcome Outcome
	// Message is the reason of a refusal, or the way the reader ended.
	Message string
	// Fault names the fault of a crash, equal for equal causes: "SIGSEGV", or "AddressSanitizer:
	// heap-buffer-overflow in parse".
	Fault  string
	Stderr string
	// CPU and Memory are the cost of reading; zero if it is not known.
	CPU    time.Duration
	Memory int64
	// Rewritten is the file that the reader writes back, Model the fields that it read; nil if
	// the reader does not return them.
	Rewritten []byte
	Model     json.RawMessage
	// NotRewritten is the reason why the file that the reader should write is missing; it is
	// empty if the file exists, or none was required.
	NotRewritten string
	Misdeed      string // see command.Result
	// Earlier are the files that the process had read before.
	Earlier []Shown
}

// Validate returns an error about a reply that no reader has given.
func (r *Reply) Validate() error {
	outcomes := []Outcome{Accepted, Refused, Unsupported, Crashed, Hung}
	switch {
	case !slices.Contains(outcomes, r.Outcome):
		return fmt.Errorf("field Outcome is %.20q, want one of %q", r.Outcome, outcomes)
	case r.CPU < 0 || r.CPU > mostCPU:
		return fmt.Errorf("field CPU is %d, want 0 to %d", r.CPU, mostCPU)
	case r.Memory < 0:
		return fmt.Errorf("field Memory is %d, want no negative number", r.Memory)
	}
	return nil
}

// mostCPU is more processor time than any reply takes.
const mostCPU = 1000 * time.Hour

// Shown is a file shown to a reader.
type Shown struct {
	Format string
	Data   []byte
}

// sequential is a reader whose processes read one file after the other.
type sequential interface {
	// Sequence lets a fresh process read files, and returns its reply to the last.
	Sequence(ctx context.Context, list []Shown, limit time.Duration) (Reply, error)
	// ReproduceSequence returns a command that shows the files to the reader.
	ReproduceSequence(list []Shown) string
}
