package reader

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/picaproof/picaproof/fuzz/hunt"
	"github.com/picaproof/picaproof/oracle/adapter"
)

// Protocol is a reader that answers requests, one JSON object a line, in processes that
// live on.
type Protocol struct {
	*adapter.Sessions
	command string
}

// NewProtocol returns the reader that a command starts.
func NewProtocol(command string) *Protocol {
	return &Protocol{adapter.NewSessions(command), command}
}

// Shared reports that many files may be read at a time.
func (p *Protocol) Shared() bool { return true }

// request and answer are the lines of the protocol.
type request struct {
	ID     string `json:"id"`
	Op     string `json:"op"`
	Format string `json:"format"`
	Data   []byte `json:"data"`
}

type answer struct {
	ID        string          `json:"id"`
	Status    string          `json:"status"`
	Kind      string          `json:"kind"`
	Message   string          `json:"message"`
	Rewritten []byte          `json:"rewritten"`
	Model     json.RawMessage `json:"model"`
}

// Read asks a process that lives on.
func (p *Protocol) Read(ctx context.Context, format string, data []byte, limit time.Duration) (Reply, error) {
	return adapter.AskIdle(p.Sessions, func(s *adapter.Session) (r Reply, crashed bool, err error) {
		r, err = ask(ctx, s, format, data, limit)
		return r, r.Outcome == Crashed, err
	})
}

// Measure asks a fresh process and waits for its end.
func (p *Protocol) Measure(ctx context.Context, format string, data []byte, limit time.Duration) (Reply, error) {
	s := p.Fresh()
	r, err := ask(ctx, s, format, data, limit)
	if e := s.Close(); e != nil && e.State != nil {
		r.CPU, r.Memory = e.State.UserTime()+e.State.SystemTime(), peak(e.State)
	}
	return r, err
}

func ask(ctx context.Context, s *adapter.Session, format string, data []byte, limit time.Duration) (r Reply, err error) {
	if err := ctx.Err(); err != nil {
		return r, err
	}
	line, err := json.Marshal(request{"1", "read", format, data})
	if err != nil {
		return r, err
	}
	text, end, err := s.Ask(append(line, '\n'), limit)
	if err != nil {
		return r, err
	}
	if end != nil {
		if r.judge(end); r.Outcome == Accepted || r.Outcome == Refused {
			r.Outcome, r.Fault, r.Message = Crashed, "end without an answer", "exit status "+end.Message
		}
		return r, nil
	}
	var a answer
	if err := json.Unmarshal(text, &a); err != nil {
		return r, fmt.Errorf("not an answer: %.80q: %w", text, err)
	}
	r.Message, r.Rewritten, r.Model = a.Message, a.Rewritten, a.Model
	switch {
	case a.Status == "ok":
		r.Outcome = Accepted
	case a.Status == "error" && a.Kind == "unsupported", a.Status == "unsupported":
		r.Outcome = Unsupported
	case a.Status == "error":
		r.Outcome = Refused
	default:
		return r, fmt.Errorf("unknown status %q", a.Status)
	}
	return r, nil
}

// Reproduce returns a command that sends the request.
func (p *Protocol) Reproduce(format string, data []byte) string {
	line, err := json.Marshal(request{"1", "read", format, data})
	if err != nil {
		return ""
	}
	return "echo " + hunt.Quoted(string(line)) + " | " + p.command
}
