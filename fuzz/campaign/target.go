package campaign

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/fuzz/reduce"
)

// Target is one question that a campaign asks again and again.
type Target struct {
	Name      string // "alu f24", "shbin"
	Extension string // of what is found, ".json"
	// New returns a worker for one goroutine.
	New func() (Worker, error)
	// Reduce makes what was found smaller while its key stays the same.
	Reduce func(ctx context.Context, f Found) (Reduced, error)
}

// Worker makes and judges cases. Case number n of a seed is the same everywhere.
type Worker interface {
	// Case judges a case and adds the coverpoints it reaches to a set. Nothing
	// was found when the key is empty.
	Case(seed, n uint64, reached *cover.Set) (key, text string, err error)
	// Data returns the case itself.
	Data(seed, n uint64) ([]byte, error)
}

// Found is a case in which something is wrong.
type Found struct {
	Key  string // names the cause
	Text string // what was wrong with this case
	Data []byte // the job as JSON, or the file
}

// Reduced is a smaller case with the same key.
type Reduced struct {
	Data []byte
	Text string // a report for people
	End  reduce.End
}

// panicKey begins the keys of panics.
const panicKey = "panic in "

// guarded calls judge; a panic is a finding whose key names where it was. This
// is the one place where a campaign survives what would end a program: what it
// found so far must not be lost with it.
func guarded(judge func() (key, text string, err error)) (key, text string, err error) {
	defer func() {
		if r := recover(); r != nil {
			key, text, err = panicKey+origin(), fmt.Sprint(r), nil
		}
	}()
	return judge()
}

// origin names the function that panicked.
func origin() string {
	calls := make([]uintptr, 32)
	frames := runtime.CallersFrames(calls[:runtime.Callers(2, calls)])
	panicking := false
	for {
		frame, more := frames.Next()
		if panicking && !strings.HasPrefix(frame.Function, "runtime.") {
			return frame.Function[strings.LastIndexByte(frame.Function, '/')+1:]
		}
		panicking = panicking || frame.Function == "runtime.gopanic"
		if !more {
			return "an unknown place"
		}
	}
}
