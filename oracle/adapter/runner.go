package adapter

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// Runner runs commands that speak no protocol, each in a process group of its own, which
// ends with the command.
type Runner struct{ launcher *launcher }

// NewRunner returns a runner, which several goroutines may use.
func NewRunner() *Runner { return &Runner{newLauncher()} }

// Close ends the runner. No command may be running.
func (r *Runner) Close() { r.launcher.close() }

// Exit says how a command ended.
type Exit struct {
	// Kind is "exit", "signal", "timeout" or, for a session whose program closed or flooded
	// its output, "output". Message is the exit status, the signal's name, the limit, or what
	// happened to the output.
	Kind, Message string
	Stdout        []byte // the beginning, at most maxStdout bytes
	Stderr        string
	// State has the times and the memory of the command alone.
	State *os.ProcessState
	// Memory is the highest measured memory of the program, in bytes; 0 means that it was
	// not measured. Unlike State, it never includes memory of this process.
	Memory int64
}

// Succeeded reports whether the command ended with status 0.
func (e *Exit) Succeeded() bool { return e.Kind == "exit" && e.Message == "0" }

// maxStdout is the number of bytes of a command's output that are kept.
const maxStdout = 64 << 20

// Run runs a command until it ends or exceeds the limit: of processor time, or of ten times as much
// sleep. Where the system does not tell the processor time of a program, the limit is one of wall
// time. A command of plain words is started directly, any other by the shell. An error means that
// nothing was started, or that the context ended.
func (r *Runner) Run(ctx context.Context, command string, limit time.Duration) (Exit, error) {
	p, err := startProcess(r.launcher, command)
	if err != nil {
		return Exit{}, err
	}
	_ = p.in.Close()
	memory := watchMemory(p.cmd.Process.Pid)
	output := make(chan []byte, 1)
	go func() {
		kept, _ := io.ReadAll(io.LimitReader(p.out, maxStdout))
		_, _ = io.Copy(io.Discard, p.out)
		output <- kept
	}()
	p.dog.watch(r.launcher.allow(limit))
	select {
	case <-p.ended:
	case <-ctx.Done():
		p.kill()
	}
	<-p.ended
	e := Exit{Stdout: <-output, Memory: memory()}
	e.Kind, e.Message, e.Stderr = p.stop(0)
	e.State = p.cmd.ProcessState
	if p.killed {
		e.Kind, e.Message = "timeout", p.dog.spent()
		return e, ctx.Err()
	}
	return e, nil
}

// ReadOutput reads an output file of a command: a regular file of at most 64 MiB. The
// error names anything else: a pipe, a link, no file. It never waits, and follows no link,
// whatever the command puts in the place of the file meanwhile.
func ReadOutput(name string) ([]byte, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return nil, errors.New("no output file")
	}
	if err := regular(info); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, os.O_RDONLY|cautious, 0)
	if err != nil {
		return nil, fmt.Errorf("an output that cannot be read: %w", err)
	}
	defer f.Close()
	if info, err = f.Stat(); err == nil { // another file than before, perhaps
		err = regular(info)
	}
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.LimitReader(f, maxStdout+1))
	if err == nil && len(b) > maxStdout {
		err = fmt.Errorf("an output file of more than %d bytes", maxStdout)
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

// regular returns why a file is no output that can be read.
func regular(info fs.FileInfo) error {
	switch {
	case !info.Mode().IsRegular():
		return fmt.Errorf("an output that is no regular file (%s)", info.Mode().Type())
	case info.Size() > maxStdout:
		return fmt.Errorf("an output file of %d bytes", info.Size())
	}
	return nil
}
