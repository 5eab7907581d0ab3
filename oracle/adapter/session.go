package adapter

import (
	"context"
	"sync"
	"time"
)

// Session is a program that answers lines with lines, one at a time, and is supervised
// like a core. One goroutine uses it.
type Session struct {
	runner  *Runner
	command string
	process *process
}

// startTime is added to the limit of the first answer, for the start of the program.
const startTime = 10 * time.Second

// Ask sends a line, with its end, and returns the answer, valid until the next call. If
// there is no answer in time (see Runner.Run), or the program ends, Ask returns how it ended, and the next
// call starts it again. An error means that the program does not start, or that the context ended, and the program
// with it.
func (s *Session) Ask(ctx context.Context, line []byte, limit time.Duration) (answer []byte, end *Exit, err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	allowed := s.runner.launcher.allow(limit)
	if s.process == nil {
		if s.process, err = startProcess(s.runner.launcher, s.command); err != nil {
			return nil, nil, err
		}
		allowed = allowed.plus(startTime)
	}
	p := s.process
	p.grace = limit
	p.dog.watch(allowed)
	defer p.dog.rest()
	defer context.AfterFunc(ctx, p.kill)()
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		_ = p.send(line) // a failure shows as the end of the output
	}()
	answer, err = p.receive(MaxLine)
	if err == nil {
		<-sent
		return answer, nil, nil
	}
	e := s.end(0)
	<-sent
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	switch err {
	case errLate:
		e.Kind, e.Message = "timeout", p.dog.spent()
	case errClosed, errFlood:
		e.Kind, e.Message = "output", err.Error()
	}
	return nil, e, nil
}

// Close ends the program, if it runs, and returns how it ended.
func (s *Session) Close() *Exit {
	if s.process == nil {
		return nil
	}
	return s.end(idleGrace)
}

// Fault ends the input of the program, which wrote a line that is no answer, and returns
// how it ended within the limit, or nil if it was ended, by the end of the context too. The exit status may be due
// to the end of the input; a signal is not.
func (s *Session) Fault(ctx context.Context, limit time.Duration) *Exit {
	p := s.process
	defer context.AfterFunc(ctx, p.kill)()
	p.dog.watch(exactly(limit))
	itself := p.drain(maxMessages) == errEnded
	if e := s.end(0); itself {
		return e
	}
	return nil
}

func (s *Session) end(grace time.Duration) *Exit {
	e := &Exit{Memory: memoryOf(s.process.cmd.Process.Pid)}
	e.Kind, e.Message, e.Stderr = s.process.stop(grace)
	e.State = s.process.cmd.ProcessState
	s.process = nil
	return e
}

// Sessions keeps sessions with one program, as many as are in use at a time. Several
// goroutines may use it.
type Sessions struct {
	runner  *Runner
	command string
	mu      sync.Mutex
	idle    []*Session
}

// NewSessions returns sessions with a program. Nothing is started yet.
func NewSessions(command string) *Sessions {
	return &Sessions{runner: NewRunner(), command: command}
}

// Close ends all programs. No session may be in use.
func (p *Sessions) Close() {
	for _, s := range p.idle {
		s.Close()
	}
	p.runner.Close()
}

// Fresh returns a session for the caller alone, which the caller closes. Its program starts
// at the first Ask.
func (p *Sessions) Fresh() *Session { return &Session{runner: p.runner, command: p.command} }

// AskIdle calls ask with an idle session, or with a new one.
func AskIdle[T any](p *Sessions, ask func(s *Session) (T, error)) (T, error) {
	p.mu.Lock()
	var s *Session
	if n := len(p.idle); n > 0 {
		s, p.idle = p.idle[n-1], p.idle[:n-1]
	}
	p.mu.Unlock()
	if s == nil {
		s = p.Fresh()
	}
	defer func() {
		p.mu.Lock()
		p.idle = append(p.idle, s)
		p.mu.Unlock()
	}()
	return ask(s)
}
