package reader

import (
	"context"
	"encoding/json"
	"time"
)

// Reader is a program that reads files.
type Reader interface {
	// Read lets the reader read a file of a format. An error means that the reader
	// cannot be asked at all.
	Read(ctx context.Context, format string, data []byte, limit time.Duration) (Reply, error)
	// Measure is Read for a file whose cost matters: nothing else is done meanwhile by
	// the process that reads it.
	Measure(ctx context.Context, format string, data []byte, limit time.Duration) (Reply, error)
	// Shared reports whether several may ask at a time.
	Shared() bool
	// Reproduce returns a command that shows a file to the reader; it is empty if there
	// is none.
	Reproduce(format string, data []byte) string
}

// Outcome is what became of a file.
type Outcome string

// The outcomes.
const (
	Accepted    Outcome = "accepted"
	Refused     Outcome = "refused"
	Unsupported Outcome = "unsupported" // refused, and not because it is wrong
	Crashed     Outcome = "crash"
	Hung        Outcome = "hang"
)

// Reply is what a reader made of a file.
type Reply struct {
	Outcome Outcome
	// Message is the reason of a refusal, or how the reader ended.
	Message string
	// Fault names what went wrong in a crash, the same for the same cause: "SIGSEGV", or
	// "AddressSanitizer: heap-buffer-overflow in parse".
	Fault  string
	Stderr string
	// CPU and Memory are what the reading took; zero when it is not known.
	CPU    time.Duration
	Memory int64
	// Rewritten is what the reader writes the file back as, Model what it understood; nil
	// when it does not say.
	Rewritten []byte
	Model     json.RawMessage
	// NotRewritten says why there is no file that the reader was to write; it is empty when
	// there is one, or when it was to write none.
	NotRewritten string
	Misdeed      string // see command.Result
	// Earlier are the files that the process had read before.
	Earlier []Shown
}

// Shown is a file that a reader was shown.
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
