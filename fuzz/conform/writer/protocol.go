package writer

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/picaproof/picaproof/fuzz/conform/source"
	"github.com/picaproof/picaproof/oracle/adapter"
)

// Protocol is an assembler that answers requests, one JSON object a line, in processes
// that live on.
type Protocol struct {
	command string
	timeout time.Duration
	runner  *adapter.Runner
	mu      sync.Mutex
	idle    []*adapter.Session
}

// NewProtocol returns the tool that a command starts.
func NewProtocol(command string, timeout time.Duration) *Protocol {
	return &Protocol{command: command, timeout: cmp.Or(timeout, defaultTimeout), runner: adapter.NewRunner()}
}

// Close ends all processes.
func (p *Protocol) Close() {
	for _, s := range p.idle {
		s.Close()
	}
	p.runner.Close()
}

// Name implements Tool.
func (p *Protocol) Name() string { return p.command }

// Lacks implements Tool: a request has one source.
func (p *Protocol) Lacks(t *source.Text) string {
	if len(t.Files) > 1 {
		return "no place for a second source in the protocol"
	}
	return ""
}

// writeRequest and writeReply are the lines of the protocol.
type writeRequest struct {
	ID     string `json:"id"`
	Op     string `json:"op"`
	Format string `json:"format"`
	Source string `json:"source"`
	Entry  string `json:"entry"`
	Stage  string `json:"stage"`
}

type writeReply struct {
	Status  string `json:"status"`
	Kind    string `json:"kind"`
	Message string `json:"msg"`
	Signal  string `json:"signal"`
	Data    []byte `json:"data"`
}

// Assemble implements Tool. When the process ends, the source is given to a fresh one,
// because it may be an earlier source that did the damage.
func (p *Protocol) Assemble(ctx context.Context, t *source.Text) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	p.mu.Lock()
	var s *adapter.Session
	if n := len(p.idle); n > 0 {
		s, p.idle = p.idle[n-1], p.idle[:n-1]
	}
	p.mu.Unlock()
	fresh := s == nil
	if fresh {
		s = p.runner.Session(p.command)
	}
	defer func() {
		p.mu.Lock()
		p.idle = append(p.idle, s)
		p.mu.Unlock()
	}()
	stage := map[bool]string{false: "vs", true: "gs"}[t.Geometry]
	line, err := json.Marshal(writeRequest{"1", "write", "shbin", t.Files[0], t.Entry, stage})
	if err != nil {
		return Answer{}, err
	}
	a, err := p.ask(s, append(line, '\n'))
	if err == nil && a.Fate == Crashed && !fresh {
		a, err = p.ask(s, append(line, '\n'))
	}
	return a, err
}

func (p *Protocol) ask(s *adapter.Session, line []byte) (Answer, error) {
	text, end, err := s.Ask(line, p.timeout)
	if err != nil {
		return Answer{}, err
	}
	if end != nil {
		a := Answer{Fate: Crashed, Message: end.Kind + " " + end.Message, Stderr: end.Stderr}
		if end.Kind == "timeout" {
			a.Fate = Hung
		}
		return a, nil
	}
	var r writeReply
	if err := json.Unmarshal(text, &r); err != nil {
		return Answer{}, fmt.Errorf("not an answer: %.80q: %w", text, err)
	}
	switch r.Status {
	case "ok":
		return Answer{Data: r.Data}, nil
	case "error":
		return Answer{Fate: Refused, Message: r.Message}, nil
	case "crash":
		return Answer{Fate: Crashed, Message: cmp.Or(r.Signal, r.Message)}, nil
	case "timeout":
		return Answer{Fate: Hung}, nil
	}
	return Answer{}, fmt.Errorf("unknown status %q", r.Status)
}
