package adapter

import (
	"errors"
	"time"
)

// Session is a program that answers lines with lines, one at a time, under the
// supervision of cores. One goroutine uses it.
type Session struct {
	runner  *Runner
	command string
	process *process
}

// Session returns a session with a program, which starts with the first question.
func (r *Runner) Session(command string) *Session { return &Session{runner: r, command: command} }

// startTime is what a program may take to start, besides the time of its first answer.
const startTime = 10 * time.Second

// Ask sends a line, with its end, and returns the answer without copying it: it is valid
// until the next call. When there is none in time, or the program ends, its end is
// returned, and the next question starts it again. An error means that it does not start.
func (s *Session) Ask(line []byte, limit time.Duration) (answer []byte, end *Exit, err error) {
	allowed := limit
	if s.process == nil {
		if s.process, err = startProcess(s.runner.launcher, s.command); err != nil {
			return nil, nil, err
		}
		allowed += startTime
	}
	p := s.process
	p.timer.Reset(allowed)
	defer p.timer.Stop()
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		_ = p.send(line) // a failure shows by the end of the output
	}()
	answer, err = p.receive(MaxLine)
	if err == nil {
		<-sent
		return answer, nil, nil
	}
	e := s.end(endGrace)
	<-sent
	if errors.Is(err, errLate) {
		e.Kind, e.Message = "timeout", allowed.String()
	}
	return nil, e, nil
}

// Close ends the program, if it runs, and says how it ended.
func (s *Session) Close() *Exit {
	if s.process == nil {
		return nil
	}
	return s.end(idleGrace)
}

func (s *Session) end(grace time.Duration) *Exit {
	e := new(Exit)
	_, e.Kind, e.Message, e.Stderr = s.process.stop(grace)
	e.State = s.process.cmd.ProcessState
	s.process = nil
	return e
}
