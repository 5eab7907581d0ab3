package reader

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/adapter/command"
)

// Protocol is a reader that answers requests, one JSON object a line, in processes that
// live on.
type Protocol struct {
	*adapter.Sessions
	command string
	mu      sync.Mutex
	read    map[*adapter.Session][]Shown // by the process that runs in a session
}

// NewProtocol returns the reader that a command starts.
func NewProtocol(command string) *Protocol {
	return &Protocol{Sessions: adapter.NewSessions(command), command: command, read: map[*adapter.Session][]Shown{}}
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

// Read asks a process that lives on. A crash is not asked about again: the file that did
// the damage may be an earlier one, and it is the verdict that looks for it.
func (p *Protocol) Read(ctx context.Context, format string, data []byte, limit time.Duration) (Reply, error) {
	return adapter.AskIdle(p.Sessions, func(s *adapter.Session) (r Reply, crashed bool, err error) {
		r, err = ask(ctx, s, format, data, limit)
		p.mu.Lock()
		defer p.mu.Unlock()
		r.Earlier = p.read[s]
		p.read[s] = append(r.Earlier, Shown{format, data})
		if r.Outcome == Crashed || r.Outcome == Hung {
			delete(p.read, s)
		}
		return r, false, err
	})
}

// Sequence asks a fresh process about files, one after the other.
func (p *Protocol) Sequence(ctx context.Context, list []Shown, limit time.Duration) (r Reply, err error) {
	s := p.Fresh()
	defer s.Close()
	for _, x := range list {
		if r, err = ask(ctx, s, x.Format, x.Data, limit); err != nil {
			return r, err
		}
	}
	return r, nil
}

// Measure asks a fresh process and waits for its end.
func (p *Protocol) Measure(ctx context.Context, format string, data []byte, limit time.Duration) (Reply, error) {
	s := p.Fresh()
	r, err := ask(ctx, s, format, data, limit)
	if e := s.Close(); e != nil && e.State != nil {
		r.CPU, r.Memory = e.State.UserTime()+e.State.SystemTime(), peak(e)
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
	return p.ReproduceSequence([]Shown{{format, data}})
}

// ReproduceSequence returns a command that sends the requests.
func (p *Protocol) ReproduceSequence(list []Shown) string {
	lines := make([]string, len(list))
	for i, x := range list {
		line, err := json.Marshal(request{strconv.Itoa(i + 1), "read", x.Format, x.Data})
		if err != nil {
			return ""
		}
		lines[i] = string(line)
	}
	return command.Lines(p.command, lines...)
}
