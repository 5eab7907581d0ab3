package writer

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/oracle/adapter/command"
)

// defaultTimeout is the time limit for one source.
const defaultTimeout = 5 * time.Second

// Command is an assembler or a converter that is started for each input, by a command line with
// placeholders.
type Command struct {
	*command.Line
	timeout   time.Duration
	patience  *command.Patience
	extension string // of the names of the inputs
	// options says that the command line has places for the entry and the stage, and that output on standard
	// error counts.
	options bool
}

// NewCommand returns the assembler of a command line.
func NewCommand(line string, d *source.Dialect, timeout time.Duration) (*Command, error) {
	c, err := newCommand(line, timeout)
	c.options = d.Options
	return c, err
}

// NewConverterCommand returns the converter of a format for a command line.
func NewConverterCommand(line, format string, timeout time.Duration) (*Command, error) {
	c, err := newCommand(line, timeout)
	if f, ok := registry.ByName(format); ok {
		c.extension = f.Extensions[0]
	}
	return c, err
}

func newCommand(line string, timeout time.Duration) (c *Command, err error) {
	switch {
	case !strings.Contains(line, command.Out) && !strings.Contains(line, command.Directory):
		err = fmt.Errorf("%q: want {out} or {outdir} where the output goes", line)
	case !strings.Contains(line, command.In):
		err = fmt.Errorf("%q: want {in} where the input is named", line)
	}
	return &Command{Line: command.New(line), timeout: cmp.Or(timeout, defaultTimeout),
		patience: new(command.Patience)}, err
}

// Name returns the command line.
func (c *Command) Name() string { return c.String() }

// Lacks implements Tool.
func (c *Command) Lacks(t *source.Text) string {
	switch {
	case len(t.Files) > 1 && !c.Has(command.Second):
		return "no place for a second source: {in2}"
	case c.options && t.Geometry && !c.Has(command.Geometry):
		return "no place for the option of geometry programs: {gs:-g}"
	case c.options && t.Entry != "main" && !c.Has(command.Entry):
		return "no place for the entry: {entry}"
	}
	return ""
}

// Assemble implements Tool.
func (c *Command) Assemble(ctx context.Context, t *source.Text) (Answer, error) {
	in := c.input(t)
	return command.Ask(ctx, c.patience, c.timeout, func(limit time.Duration) (a Answer, hung bool, err error) {
		r, err := c.Run(ctx, in, limit)
		if err != nil {
			return a, false, err
		}
		a = ended(&r.End)
		a.Misdeed = r.Misdeed
		switch {
		case a.Fate == Wrote && c.options && strings.TrimSpace(r.Stderr) != "":
			a.Fate, a.Data = Warned, r.Output
		case a.Fate == Wrote && r.NoOutput != nil:
			a.Fate, a.Message = Nothing, r.NoOutput.Error()
		case a.Fate == Wrote:
			a.Data = r.Output
		}
		return a, a.Fate == Hung, nil
	})
}

// Reproduce implements Tool.
func (c *Command) Reproduce(t *source.Text) string { return c.Line.Reproduce(c.input(t)) }

// Files implements Tool.
func (c *Command) Files(t *source.Text) []report.CaseFile {
	return inputFiles(t, cmp.Or(c.extension, ".txt"))
}

// Named implements Tool.
func (c *Command) Named(t *source.Text, names ...string) (line, script string) {
	return c.Line.Named(c.input(t), names...)
}

func (c *Command) input(t *source.Text) *command.Input {
	in := &command.Input{Entry: t.Entry, Geometry: t.Geometry, Extension: c.extension}
	for _, f := range t.Files {
		in.Files = append(in.Files, []byte(f))
	}
	return in
}

// ended returns the answer for the end of a process.
func ended(e *command.End) Answer {
	a := Answer{Message: e.Message, Stderr: e.Stderr}
	switch e.Outcome {
	case command.Done:
		a.Fate = Wrote
	case command.Failed:
		a.Fate = Refused
	case command.Crashed:
		a.Fate, a.Fault = Crashed, e.Fault
	case command.Hung:
		a.Fate = Hung
	}
	return a
}
