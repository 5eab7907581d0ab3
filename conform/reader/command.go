package reader

import (
	"context"
	"time"

	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/adapter/command"
)

// Command is a reader that is started for each file: a command line in which {in} stands for the
// file, and an optional {out} for the file that it writes back. Exit status 0 accepts, 1 to 125
// refuses.
type Command struct{ line *command.Line }

// NewCommand returns the reader of a command line.
func NewCommand(line string) *Command { return &Command{command.New(line)} }

// Close removes the files of the reader.
func (c *Command) Close() { c.line.Close() }

// Shared reports that many files may be read at a time.
func (c *Command) Shared() bool { return true }

// Measure is Read: each file has a process of its own.
func (c *Command) Measure(ctx context.Context, format string, data []byte, limit time.Duration) (Reply, error) {
	return c.Read(ctx, format, data, limit)
}

// Read starts the command with a file.
func (c *Command) Read(ctx context.Context, format string, data []byte, limit time.Duration) (r Reply, err error) {
	result, err := c.line.Run(ctx, input(format, data), limit)
	if err != nil {
		return r, err
	}
	r.judge(&result.End, &result.Exit)
	r.Rewritten, r.Misdeed = result.Output, result.Misdeed
	if c.line.Has(command.Out) && result.NoOutput != nil {
		r.NotRewritten = result.NoOutput.Error()
	}
	return r, nil
}

// Reproduce returns a shell command with the file in it, if it is small.
func (c *Command) Reproduce(format string, data []byte) string {
	return c.line.Reproduce(input(format, data))
}

// Started returns the command line as it runs for a file of a format.
func (c *Command) Started(format string) string {
	in := input(format, nil)
	line, _ := c.line.Named(in, "in"+in.Extension)
	return line
}

// Named returns a shell command that reads a file with the given name.
func (c *Command) Named(format, name string) string {
	_, script := c.line.Named(input(format, nil), name)
	return script
}

func input(format string, data []byte) *command.Input {
	in := &command.Input{Files: [][]byte{data}}
	if f, ok := registry.ByName(format); ok {
		in.Extension = f.Extensions[0]
	}
	return in
}

// outcomes maps the end of a request to the outcome for the file.
var outcomes = map[command.Outcome]Outcome{command.Done: Accepted, command.Failed: Refused, command.Crashed: Crashed,
	command.Hung: Hung}

// judge sets the outcome from the end of a request, and of a process if it ended.
func (r *Reply) judge(end *command.End, e *adapter.Exit) {
	r.Outcome, r.Fault, r.Message, r.Stderr = outcomes[end.Outcome], end.Fault, end.Message, end.Stderr
	if e != nil && e.State != nil {
		r.CPU, r.Memory = e.State.UserTime()+e.State.SystemTime(), peak(e)
	}
}
