package hunt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/fuzz/reduce"
)

// Target is a question that a hunt asks about many cases.
type Target struct {
	Name      string // "alu f24", "shbin"
	Extension string // of the files with its cases, ".json"
	Cases     uint64 // the number of cases; 0 means no limit
	// New returns a worker for one goroutine, for the cases of a seed. A worker
	// that is an io.Closer is closed at the end.
	New func(seed uint64) (Worker, error)
	// Reduce returns a smaller case with the same key. Several goroutines may call it. It may be
	// nil: then cases stay as they were found.
	Reduce func(ctx context.Context, f Found) (Reduced, error)
}

// ErrInterrupted is the error of a worker that did not judge a case because the context of the hunt has
// ended. The case does not count, and the hunt ends without an error.
var ErrInterrupted = errors.New("interrupted")

// Worker makes and judges cases.
type Worker interface {
	// Case judges case number n. An error means that the case cannot be judged, and ends the
	// hunt.
	Case(n uint64, r *Result) error
	// Data returns case number n.
	Data(n uint64) ([]byte, error)
}

// Result is the judgement on a case. The zero Result says that nothing is wrong.
type Result struct {
	Key  string // names the cause of a failure; empty if there is none
	Text string // describes the failure of this case
	// Outcome names another outcome of the case, to be counted: "undefined".
	Outcome string
	// Messages are the messages of the judged program, to be counted by outcome.
	Messages []string
	Reached  cover.Set
}

// Found is a case with a failure.
type Found struct {
	Key  string
	Text string
	Data []byte // the job as JSON, or the file
}

// Reduced is a smaller case with the same key.
type Reduced struct {
	Data   []byte
	Text   string   // the report
	Job    *JobCase // the case as data, if it is a job
	Report reduce.Report
}

// asFound returns a case that was not reduced.
func asFound(f Found) Reduced {
	return Reduced{Data: f.Data, Text: f.Text + "\n",
		Report: reduce.Report{End: reduce.Minimal, Kinds: []reduce.Count{}}}
}

// crew has the workers of one goroutine, by the number of the target.
type crew struct {
	seed    uint64
	targets []Target
	workers []Worker
}

// worker returns the worker for a target, which it makes for the target's first case.
func (c *crew) worker(target int) (Worker, error) {
	if c.workers[target] == nil {
		w, err := c.targets[target].New(c.seed)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.targets[target].Name, err)
		}
		c.workers[target] = w
	}
	return c.workers[target], nil
}

// judge judges a case. After a panic the worker is replaced, because its state is unknown.
func (c *crew) judge(target int, n uint64, r *Result) error {
	w, err := c.worker(target)
	if err != nil {
		return err
	}
	*r = Result{}
	if key, text := guard(func() { err = w.Case(n, r) }); key != "" {
		*r = Result{Key: key, Text: text}
		c.workers[target] = nil
		return closeIt(w)
	}
	return c.explain(target, n, err)
}

// data returns a case.
func (c *crew) data(target int, n uint64) ([]byte, error) {
	w, err := c.worker(target)
	if err != nil {
		return nil, err
	}
	b, err := w.Data(n)
	return b, c.explain(target, n, err)
}

func (c *crew) explain(target int, n uint64, err error) error {
	if err == nil {
		return nil
	}
	name := c.targets[target].Name
	if name != "" {
		name += ", "
	}
	return fmt.Errorf("%scase %d of seed %d: %w", name, n, c.seed, err)
}

// Close closes the workers.
func (c *crew) Close() (err error) {
	for _, w := range c.workers {
		err = errors.Join(err, closeIt(w))
	}
	return err
}

func closeIt(v any) error {
	if c, ok := v.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// guard calls do. If do panics, key names the function that panicked, and text is the reason.
// Only guard recovers from panics, because a panic must not lose the earlier findings.
func guard(do func()) (key, text string) {
	defer func() {
		if p := recover(); p != nil {
			key, text = "panic in "+panicking(), fmt.Sprint(p)
		}
	}()
	do()
	return "", ""
}

// panicking names the function that panicked; it is called while that function is on the stack.
func panicking() string {
	calls := make([]uintptr, 32)
	frames := runtime.CallersFrames(calls[:runtime.Callers(2, calls)])
	below := false // whether the frame is above a call of panic, or of a runtime function that panics
	for {
		frame, more := frames.Next()
		if below && !strings.HasPrefix(frame.Function, "runtime.") {
			return frame.Function[strings.LastIndexByte(frame.Function, '/')+1:]
		}
		below = below || frame.Function == "runtime.gopanic"
		if !more {
			return "an unknown place"
		}
	}
}
