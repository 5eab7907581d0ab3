package reader

import (
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/oracle/adapter"
)

// Command is a reader that is started anew for each file: a command in which {in} stands
// for the file, and {out}, if it is there, for the file that it writes back. Exit status
// 0 accepts, 1 to 125 refuses.
type Command struct {
	command string
	runner  *adapter.Runner
	dir     string
	mu      sync.Mutex
	free    []string // names of files that nobody uses
	made    int      // names there are
	limit   int64    // KiB of address space; 0 means none
}

// In and Out are the places of the file that is read and the one that is written.
const (
	In  = "{in}"
	Out = "{out}"
)

// maxMemory is the address space that a reader has, so that one that allocates by a
// count that nobody checked does not take the memory of the machine.
const maxMemory = 2 << 20 // KiB

// NewCommand returns the reader that a command is. A reader that does not start within
// the limit of its memory, as programs built with sanitizers do not, has none.
func NewCommand(ctx context.Context, command string, limit time.Duration) (*Command, error) {
	dir, err := os.MkdirTemp("", "picaproof-reader-*")
	if err != nil {
		return nil, err
	}
	c := &Command{command: command, runner: adapter.NewRunner(), dir: dir}
	if runtime.GOOS == "windows" {
		return c, nil
	}
	probe := func(limit64 int64) (adapter.Exit, error) {
		c.limit = limit64
		return c.run(ctx, "shbin", nil, limit, func(string, *adapter.Exit) {})
	}
	free, err := probe(0)
	if err != nil {
		c.Close()
		return nil, err
	}
	if free.Kind == "exit" && (free.Message == "126" || free.Message == "127") {
		c.Close()
		return nil, fmt.Errorf("%s does not start: %s", command, strings.TrimSpace(free.Stderr))
	}
	bound, err := probe(maxMemory)
	if err != nil || bound.Kind != free.Kind || bound.Message != free.Message || sanitized(bound.Stderr) {
		c.limit = 0
	}
	return c, nil
}

// sanitized reports whether a sanitizer complains that it cannot start.
func sanitized(stderr string) bool { return strings.Contains(stderr, "Sanitizer") }

// Close removes the files of the reader.
func (c *Command) Close() {
	c.runner.Close()
	_ = os.RemoveAll(c.dir)
}

// Shared reports that many files may be read at a time.
func (c *Command) Shared() bool { return true }

// Measure is Read: each file has a process of its own.
func (c *Command) Measure(ctx context.Context, format string, data []byte, limit time.Duration) (Reply, error) {
	return c.Read(ctx, format, data, limit)
}

// Read starts the command with a file.
func (c *Command) Read(ctx context.Context, format string, data []byte, limit time.Duration) (r Reply, err error) {
	e, err := c.run(ctx, format, data, limit, func(out string, e *adapter.Exit) {
		if e.Succeeded() {
			if b, err := adapter.ReadOutput(out); err == nil {
				r.Rewritten = b
			}
		}
	})
	if err != nil {
		return r, err
	}
	if e.Kind == "exit" && (e.Message == "126" || e.Message == "127") {
		return r, fmt.Errorf("%s: %s", c.command, strings.TrimSpace(e.Stderr))
	}
	r.judge(&e)
	return r, nil
}

// run runs the command with a file; done sees the file written before it is removed.
func (c *Command) run(ctx context.Context, format string, data []byte, limit time.Duration, done func(out string, e *adapter.Exit)) (adapter.Exit, error) {
	name := c.name()
	defer c.release(name)
	in, out := name+extension(format), name+".out"
	if err := os.WriteFile(in, data, 0o666); err != nil {
		return adapter.Exit{}, err
	}
	_ = os.Remove(out)
	e, err := c.runner.Run(ctx, c.with(in, out), limit)
	if err == nil {
		done(out, &e)
	}
	return e, err
}

// name returns a name for files that nobody else uses until it is released.
func (c *Command) name() (name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.free); n > 0 {
		name, c.free = c.free[n-1], c.free[:n-1]
		return name
	}
	c.made++
	return filepath.Join(c.dir, strconv.Itoa(c.made))
}

func (c *Command) release(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.free = append(c.free, name)
}

// with returns the command for files.
func (c *Command) with(in, out string) string {
	s := strings.NewReplacer(In, in, Out, out).Replace(c.command)
	switch {
	case c.limit == 0:
		return s
	case strings.ContainsAny(c.command, "&|;<>()\n"):
		return fmt.Sprintf("ulimit -v %d && { %s\n}", c.limit, s)
	}
	return fmt.Sprintf("ulimit -v %d && exec %s", c.limit, s)
}

func extension(format string) string {
	f, ok := registry.ByName(format)
	if !ok {
		return ""
	}
	return f.Extensions[0]
}

// Reproduce returns a shell command with the file in it, if it is small.
func (c *Command) Reproduce(format string, data []byte) string {
	name := "case" + extension(format)
	run := strings.NewReplacer(In, name, Out, "out").Replace(c.command)
	const small = 3000
	if len(data) > small {
		return run
	}
	return fmt.Sprintf("echo %s | base64 -d > %s; %s", base64.StdEncoding.EncodeToString(data), name, run)
}

// judge fills in what the end of a process says.
func (r *Reply) judge(e *adapter.Exit) {
	r.Stderr, r.Message = e.Stderr, strings.TrimSpace(firstLine(e.Stderr))
	if e.State != nil {
		r.CPU, r.Memory = e.State.UserTime()+e.State.SystemTime(), peak(e)
	}
	fault := sanitizerFault(e.Stderr)
	switch {
	case e.Kind == "timeout":
		r.Outcome, r.Message = Hung, "no end after "+e.Message
	case fault != "":
		r.Outcome, r.Fault = Crashed, fault
	case e.Kind == "signal":
		r.Outcome, r.Fault, r.Message = Crashed, e.Message, e.Message
	case e.Succeeded():
		r.Outcome = Accepted
	default:
		status, _ := strconv.Atoi(e.Message)
		if status > 125 || status < 0 {
			r.Outcome, r.Fault, r.Message = Crashed, "exit status "+e.Message, "exit status "+e.Message
			return
		}
		r.Outcome = Refused
	}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
