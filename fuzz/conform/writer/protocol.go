package writer

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/picaproof/picaproof/fuzz/conform/source"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/adapter/command"
)

// Protocol is an assembler that answers requests, one JSON object a line, in processes
// that live on.
type Protocol struct {
	*adapter.Sessions
	command  string
	timeout  time.Duration
	answers  atomic.Bool // it has answered once
	patience command.Patience
}

// NewProtocol returns the tool that a command starts.
func NewProtocol(command string, timeout time.Duration) *Protocol {
	return &Protocol{Sessions: adapter.NewSessions(command), command: command, timeout: cmp.Or(timeout, defaultTimeout)}
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

// Assemble implements Tool.
func (p *Protocol) Assemble(ctx context.Context, t *source.Text) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	line, err := requestFor(t)
	if err != nil {
		return Answer{}, err
	}
	line = append(line, '\n')
	return command.Ask(&p.patience, p.timeout, func(limit time.Duration) (Answer, bool, error) {
		a, err := adapter.AskIdle(p.Sessions, func(s *adapter.Session) (a Answer, crashed bool, err error) {
			a, err = p.write(s, line, limit)
			return a, a.Fate == Crashed, err
		})
		return a, a.Fate == Hung, err
	})
}

// Reproduce implements Tool.
func (p *Protocol) Reproduce(t *source.Text) string {
	line, err := requestFor(t)
	if err != nil {
		return ""
	}
	return command.Lines(p.command, string(line))
}

// requestFor returns the request to write a source.
func requestFor(t *source.Text) ([]byte, error) {
	stage := map[bool]string{false: "vs", true: "gs"}[t.Geometry]
	return json.Marshal(writeRequest{"1", "write", "shbin", t.Files[0], t.Entry, stage})
}

// write sends a request and reads its answer.
func (p *Protocol) write(s *adapter.Session, line []byte, limit time.Duration) (Answer, error) {
	text, end, err := s.Ask(line, limit)
	if err != nil {
		return Answer{}, err
	}
	if end != nil {
		e := command.Judge(end)
		a := ended(&e)
		switch {
		case a.Fate == Crashed || a.Fate == Hung:
		case !p.answers.Load():
			return Answer{}, fmt.Errorf("%s: end without an answer, exit status %s: %s", p.command, end.Message, a.Message)
		default:
			a.Fate, a.Message = Crashed, "end without an answer"
		}
		return a, nil
	}
	var r writeReply
	if err := json.Unmarshal(text, &r); err != nil {
		if !p.answers.Load() {
			return Answer{}, fmt.Errorf("not an answer: %.80q: %w", text, err)
		}
		return Answer{Fate: Crashed, Message: fmt.Sprintf("not an answer: %.80q", text)}, nil
	}
	p.answers.Store(true)
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
