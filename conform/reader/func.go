package reader

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"time"

	"github.com/picaproof/picaproof/oracle/adapter/command"
)

// Func is a reader in this process: a function that returns an error for a file that it
// refuses. A panic is a crash; a call that does not return in time goes on in the
// background.
type Func func(data []byte) (Result, error)

// Result is the output of a function for a file that it accepts; the zero Result says nothing.
type Result struct {
	Rewritten []byte // the file that it writes back
}

// Shared returns false: the memory of a process is counted as a whole, so only one file may be
// read at a time.
func (f Func) Shared() bool { return false }

// Measure is Read.
func (f Func) Measure(ctx context.Context, format string, data []byte, limit time.Duration) (Reply, error) {
	return f.Read(ctx, format, data, limit)
}

// Read calls the function.
func (f Func) Read(_ context.Context, _ string, data []byte, limit time.Duration) (Reply, error) {
	done := make(chan Reply, 1)
	go func() {
		r := Reply{Outcome: Accepted}
		before, start := allocated(), processorTime()
		defer func() {
			r.CPU, r.Memory = processorTime()-start, allocated()-before
			if p := recover(); p != nil {
				r.Outcome, r.Message = Crashed, fmt.Sprint(p)
				_, stack, _ := strings.Cut(string(debug.Stack()), "\npanic(")
				r.Fault = "panic in " + command.PanicFrame(stack)
			}
			done <- r
		}()
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		start = processorTime()
		result, err := f(data)
		if r.Rewritten = result.Rewritten; err != nil {
			r = Reply{Outcome: Refused, Message: err.Error()}
		}
	}()
	select {
	case r := <-done:
		return r, nil
	case <-time.After(limit):
		return Reply{Outcome: Hung, Message: "no end after " + limit.String()}, nil
	}
}

// Reproduce returns nothing: there is no command.
func (f Func) Reproduce(string, []byte) string { return "" }

// allocated returns the bytes that this process has allocated so far.
func allocated() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
