package writer

import (
	"context"
	"fmt"
	"time"

	"github.com/picaproof/picaproof/fuzz/conform/source"
)

// Fate says what became of a source.
type Fate uint8

// The fates.
const (
	Wrote  Fate = iota
	Warned      // it ended well and complained: what is right is not accepted, what is wrong not refused
	Refused
	Crashed
	Hung
	Nothing // it ended well and left no file
)

// String returns the fate as a word.
func (f Fate) String() string {
	return [...]string{Wrote: "a file", Warned: "a warning", Refused: "a refusal", Crashed: "a crash", Hung: "no end", Nothing: "no file"}[f]
}

// Answer is what a tool made of its input.
type Answer struct {
	Fate    Fate
	Data    []byte // of Wrote, and of Warned if there is a file
	Message string // what the tool said, or how it ended
	Fault   string // of a crash, the same for the same cause, if that is known
	Stderr  string
	Misdeed string // see command.Result
}

// Text is a printed program.
type Text = source.Text

// Tool is an assembler. It is called by several goroutines at a time.
type Tool interface {
	Name() string
	// Lacks says what the tool would need to be given a source, "" if nothing.
	Lacks(t *source.Text) string
	// Assemble gives the tool a source. An error means that nothing can be said about the tool:
	// it does not start, or the context ended.
	Assemble(ctx context.Context, t *source.Text) (Answer, error)
	// Reproduce returns a shell command that gives the tool a source, "" if there is none.
	Reproduce(t *source.Text) string
}

// Func is a tool in this process; a panic counts as a crash.
type Func func(t *source.Text) (data []byte, err error)

// Name implements Tool.
func (Func) Name() string { return "function" }

// Lacks implements Tool.
func (Func) Lacks(*source.Text) string { return "" }

// Reproduce implements Tool.
func (Func) Reproduce(*source.Text) string { return "" }

// Assemble implements Tool.
func (f Func) Assemble(ctx context.Context, t *source.Text) (Answer, error) {
	return guarded(ctx, func() ([]byte, error) { return f(t) })
}

// functionLimit is how long a function may take.
const functionLimit = 10 * time.Second

// guarded calls a function that may panic or never return.
func guarded(ctx context.Context, f func() ([]byte, error)) (Answer, error) {
	done := make(chan Answer, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- Answer{Fate: Crashed, Message: fmt.Sprint("panic: ", p)}
			}
		}()
		data, err := f()
		if err != nil {
			done <- Answer{Fate: Refused, Message: err.Error()}
			return
		}
		done <- Answer{Fate: Wrote, Data: data}
	}()
	timer := time.NewTimer(functionLimit)
	defer timer.Stop()
	select {
	case a := <-done:
		return a, nil
	case <-timer.C:
		return Answer{Fate: Hung}, nil
	case <-ctx.Done():
		return Answer{}, ctx.Err()
	}
}
