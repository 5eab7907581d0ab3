package writer

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"github.com/picaproof/picaproof/fuzz/conform/source"
	"github.com/picaproof/picaproof/oracle/adapter"
)

// Fate says what became of a source.
type Fate uint8

// The fates.
const (
	Wrote Fate = iota
	Refused
	Crashed
	Hung
	Nothing // it ended well and left no file
)

// Answer is what a tool made of its input.
type Answer struct {
	Fate    Fate
	Data    []byte // of Wrote
	Message string // what the tool said; the name of the signal when it crashed
	Stderr  string
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
}

// Func is a tool in this process; a panic counts as a crash.
type Func func(t *source.Text) (data []byte, err error)

// Name implements Tool.
func (Func) Name() string { return "function" }

// Lacks implements Tool.
func (Func) Lacks(*source.Text) string { return "" }

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

// defaultTimeout is the limit of one source.
const defaultTimeout = 5 * time.Second

// patience asks a tool that passed its limit once more, with a longer one: another
// program may have had the processor. Once a tool passed that, too, it hangs, and is
// not asked twice again.
type patience struct{ over atomic.Bool }

// ask calls a tool with a limit.
func (p *patience) ask(limit time.Duration, tool func(limit time.Duration) (Answer, error)) (Answer, error) {
	const longer = 4
	a, err := tool(limit)
	if err != nil || a.Fate != Hung || p.over.Load() {
		return a, err
	}
	if a, err = tool(longer * limit); err == nil && a.Fate == Hung {
		p.over.Store(true)
	}
	return a, err
}

// Command is a command line with places for the names of files: {in}, {in2}, {out},
// {outdir}, {entry}, and {gs:TEXT}, which stands for TEXT if the source is a geometry program.
type Command struct {
	Line    string
	Timeout time.Duration
	Dialect *source.Dialect
	runner  *adapter.Runner
	// extension is that of the input's name.
	extension string
	patience
}

// NewCommand returns a tool that runs a command line.
func NewCommand(line string, d *source.Dialect, timeout time.Duration) (*Command, error) {
	if !strings.Contains(line, "{out}") && !strings.Contains(line, "{outdir}") {
		return nil, fmt.Errorf("%q: want {out} or {outdir} where the output goes", line)
	}
	if !strings.Contains(line, "{in}") {
		return nil, fmt.Errorf("%q: want {in} where the input is named", line)
	}
	return &Command{Line: line, Dialect: d, Timeout: cmp.Or(timeout, defaultTimeout), runner: adapter.NewRunner()}, nil
}

// Close ends the tool.
func (c *Command) Close() { c.runner.Close() }

// Name implements Tool.
func (c *Command) Name() string { return c.Line }

// Lacks implements Tool.
func (c *Command) Lacks(t *source.Text) string {
	switch {
	case len(t.Files) > 1 && !strings.Contains(c.Line, "{in2}"):
		return "no place for a second source: {in2}"
	case c.Dialect.Options && t.Geometry && !strings.Contains(c.Line, "{gs:"):
		return "no place for the option of geometry programs: {gs:-g}"
	case c.Dialect.Options && t.Entry != "main" && !strings.Contains(c.Line, "{entry}"):
		return "no place for the entry: {entry}"
	}
	return ""
}

var geometryPlace = regexp.MustCompile(`\{gs:([^}]*)\}`)

// Assemble implements Tool.
func (c *Command) Assemble(ctx context.Context, t *source.Text) (Answer, error) {
	var inputs [][]byte
	for _, f := range t.Files {
		inputs = append(inputs, []byte(f))
	}
	line := geometryPlace.ReplaceAllString(c.Line, map[bool]string{true: "$1"}[t.Geometry])
	return c.run(ctx, strings.ReplaceAll(line, "{entry}", t.Entry), inputs)
}

// run gives the command some files.
func (c *Command) run(ctx context.Context, line string, inputs [][]byte) (Answer, error) {
	return c.ask(c.Timeout, func(limit time.Duration) (Answer, error) { return c.runFor(ctx, line, inputs, limit) })
}

// runFor runs the command in a directory of its own.
func (c *Command) runFor(ctx context.Context, line string, inputs [][]byte, limit time.Duration) (a Answer, err error) {
	dir, err := os.MkdirTemp("", "picaproof")
	if err != nil {
		return a, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	outDir := filepath.Join(dir, "out")
	if err := os.Mkdir(outDir, 0o700); err != nil {
		return a, err
	}
	out := filepath.Join(outDir, "out.bin")
	line = strings.NewReplacer("{out}", out, "{outdir}", outDir).Replace(line)
	for i, place := range []string{"{in}", "{in2}"} {
		if i >= len(inputs) {
			line = strings.ReplaceAll(line, place, "")
			continue
		}
		name := filepath.Join(dir, fmt.Sprintf("in%d%s", i+1, c.extension))
		if err := os.WriteFile(name, inputs[i], 0o600); err != nil {
			return a, err
		}
		line = strings.ReplaceAll(line, place, name)
	}
	e, err := c.runner.Run(ctx, line, limit)
	if err != nil {
		return a, err
	}
	a.Stderr = strings.ReplaceAll(e.Stderr, dir+string(filepath.Separator), "")
	a.Message = firstLine(a.Stderr)
	switch {
	case e.Kind == "timeout":
		return Answer{Fate: Hung, Stderr: a.Stderr}, nil
	case e.Kind == "signal":
		return Answer{Fate: Crashed, Message: e.Message, Stderr: a.Stderr}, nil
	case !e.Succeeded() && (e.Message == "126" || e.Message == "127"):
		return a, fmt.Errorf("%s: status %s: %s", c.Line, e.Message, a.Message)
	case !e.Succeeded():
		a.Fate = Refused
		return a, nil
	case c.Dialect != nil && c.Dialect.Options && strings.TrimSpace(e.Stderr) != "":
		a.Fate = Refused
		return a, nil
	}
	if !strings.Contains(c.Line, "{out}") {
		if files, err := os.ReadDir(outDir); err == nil && len(files) > 0 {
			out = filepath.Join(outDir, files[0].Name())
		}
	}
	if a.Data, err = adapter.ReadOutput(out); err != nil {
		return Answer{Fate: Nothing, Message: err.Error(), Stderr: a.Stderr}, nil
	}
	return a, nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(line)
}
