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

// program is a tool that is started for each input: a command line with placeholders.
type program struct {
	*command.Line
	timeout  time.Duration
	patience *command.Patience
}

func newProgram(line string, timeout time.Duration) (p program, err error) {
	switch {
	case !strings.Contains(line, command.Out) && !strings.Contains(line, command.Directory):
		return p, fmt.Errorf("%q: want {out} or {outdir} where the output goes", line)
	case !strings.Contains(line, command.In):
		return p, fmt.Errorf("%q: want {in} where the input is named", line)
	}
	return program{command.New(line), cmp.Or(timeout, defaultTimeout), new(command.Patience)}, nil
}

// Name returns the command line.
func (p *program) Name() string { return p.String() }

// run gives the tool an input. If warnings is set, output on standard error counts.
func (p *program) run(ctx context.Context, in *command.Input, warnings bool) (Answer, error) {
	return command.Ask(p.patience, p.timeout, func(limit time.Duration) (a Answer, hung bool, err error) {
		r, err := p.Run(ctx, in, limit)
		if err != nil {
			return a, false, err
		}
		a = ended(&r.End)
		a.Misdeed = r.Misdeed
		switch {
		case a.Fate == Wrote && warnings && strings.TrimSpace(r.Stderr) != "":
			a.Fate, a.Data = Warned, r.Output
		case a.Fate == Wrote && r.NoOutput != nil:
			a.Fate, a.Message = Nothing, r.NoOutput.Error()
		case a.Fate == Wrote:
			a.Data = r.Output
		}
		return a, a.Fate == Hung, nil
	})
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

// Command is an assembler that is started by a command line with placeholders.
type Command struct {
	program
	dialect *source.Dialect
}

// NewCommand returns the assembler of a command line.
func NewCommand(line string, d *source.Dialect, timeout time.Duration) (*Command, error) {
	p, err := newProgram(line, timeout)
	return &Command{p, d}, err
}

// Lacks implements Tool.
func (c *Command) Lacks(t *source.Text) string {
	switch {
	case len(t.Files) > 1 && !c.Has(command.Second):
		return "no place for a second source: {in2}"
	case c.dialect.Options && t.Geometry && !c.Has(command.Geometry):
		return "no place for the option of geometry programs: {gs:-g}"
	case c.dialect.Options && t.Entry != "main" && !c.Has(command.Entry):
		return "no place for the entry: {entry}"
	}
	return ""
}

// Assemble implements Tool.
func (c *Command) Assemble(ctx context.Context, t *source.Text) (Answer, error) {
	return c.run(ctx, sources(t), c.dialect.Options)
}

// Reproduce implements Tool.
func (c *Command) Reproduce(t *source.Text) string { return c.Line.Reproduce(sources(t)) }

// Files implements Tool.
func (c *Command) Files(t *source.Text) []report.CaseFile { return sourceFiles(t) }

// Named implements Tool.
func (c *Command) Named(t *source.Text, names ...string) (line, script string) {
	return c.Line.Named(sources(t), names...)
}

func sources(t *source.Text) *command.Input {
	in := &command.Input{Entry: t.Entry, Geometry: t.Geometry}
	for _, f := range t.Files {
		in.Files = append(in.Files, []byte(f))
	}
	return in
}

// ConverterCommand is a converter that is started by a command line with placeholders.
type ConverterCommand struct {
	program
	extension string
}

// NewConverterCommand returns the converter of a format for a command line.
func NewConverterCommand(line, format string, timeout time.Duration) (*ConverterCommand, error) {
	p, err := newProgram(line, timeout)
	c := &ConverterCommand{program: p}
	if f, ok := registry.ByName(format); ok {
		c.extension = f.Extensions[0]
	}
	return c, err
}

// Convert implements Converter.
func (c *ConverterCommand) Convert(ctx context.Context, data []byte) (Answer, error) {
	return c.run(ctx, c.input(data), false)
}

// Reproduce implements Converter.
func (c *ConverterCommand) Reproduce(data []byte) string { return c.Line.Reproduce(c.input(data)) }

// Named implements Converter.
func (c *ConverterCommand) Named(data []byte, name string) (line, script string) {
	return c.Line.Named(c.input(data), name)
}

func (c *ConverterCommand) input(data []byte) *command.Input {
	return &command.Input{Files: [][]byte{data}, Extension: c.extension}
}
