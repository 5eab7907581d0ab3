package writer

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/source"
)

// Fate is the kind of an answer to a source.
type Fate uint8

// The fates.
const (
	Wrote  Fate = iota
	Warned      // exit status 0 with a warning: neither accepts a right source nor refuses a wrong one
	Refused
	Crashed
	Hung
	Nothing // exit status 0 without a file
)

// String returns the fate as a word.
func (f Fate) String() string {
	return [...]string{Wrote: "a file", Warned: "a warning", Refused: "a refusal", Crashed: "a crash", Hung: "no end",
		Nothing: "no file"}[f]
}

// Answer is the answer of a tool to its input.
type Answer struct {
	Fate    Fate
	Data    []byte // if Fate is Wrote, or Warned with a file
	Message string // the message of the tool, or the way it ended
	Fault   string // for a crash, equal for equal causes, if known
	Stderr  string
	Misdeed string // see command.Result
	// Damage is the crash of a process that gave up the source to a fresh one, whose answer this is.
	Damage *Damage
}

// Validate returns an error about an answer that no tool has given.
func (a *Answer) Validate() error {
	if a.Fate > Nothing {
		return fmt.Errorf("field Fate is %d, want 0 to %d", a.Fate, Nothing)
	}
	return nil
}

// Text is a printed program.
type Text = source.Text

// Tool is an assembler, or a converter: an input of a converter is a file in the place of the source. Several
// goroutines call it at a time.
type Tool interface {
	Name() string
	// Lacks returns the feature that the tool would need for a source, "" if nothing is missing.
	Lacks(t *source.Text) string
	// Assemble gives the tool a source. An error means that the tool cannot be judged: it does
	// not start, or the context ended.
	Assemble(ctx context.Context, t *source.Text) (Answer, error)
	// Reproduce returns a shell command that gives the tool a source, "" if there is none.
	Reproduce(t *source.Text) string
	// Files returns the files that the tool gets for a source. Named returns the command line for files of
	// the given names, as it is started, and a shell command for display; "" if there is none.
	Files(t *source.Text) []report.CaseFile
	Named(t *source.Text, names ...string) (line, script string)
}

// inputFiles returns the files of an input.
func inputFiles(t *source.Text, extension string) (list []report.CaseFile) {
	for i, text := range t.Files {
		name := "in" + strings.TrimPrefix(strconv.Itoa(i+1), "1") + extension
		list = append(list, report.CaseFile{Name: name, Data: []byte(text)})
	}
	return list
}

// Func is a tool in this process; a panic counts as a crash.
type Func func(t *source.Text) (data []byte, err error)

// Name implements Tool.
func (Func) Name() string { return "function" }

// Lacks implements Tool.
func (Func) Lacks(*source.Text) string { return "" }

// Reproduce implements Tool.
func (Func) Reproduce(*source.Text) string { return "" }

// Files implements Tool.
func (Func) Files(t *source.Text) []report.CaseFile { return inputFiles(t, ".txt") }

// Named implements Tool.
func (Func) Named(*source.Text, ...string) (line, script string) { return "", "" }

// ConvertFunc returns a function that reads a file and writes it again as a tool.
func ConvertFunc(convert func(data []byte) ([]byte, error)) Func {
	return func(t *source.Text) ([]byte, error) { return convert([]byte(t.Files[0])) }
}

// functionLimit is the time limit of a function.
const functionLimit = 10 * time.Second

// Assemble implements Tool. The function may panic or never return.
func (f Func) Assemble(ctx context.Context, t *source.Text) (Answer, error) {
	done := make(chan Answer, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- Answer{Fate: Crashed, Message: fmt.Sprint("panic: ", p)}
			}
		}()
		data, err := f(t)
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
