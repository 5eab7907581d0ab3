package reader

import (
	"context"
	"sync"
	"time"

	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/adapter/fileserver"
)

// Protocol is a reader that answers requests in long-lived processes.
type Protocol struct {
	*fileserver.Server
	mu   sync.Mutex
	read map[*adapter.Session][]Shown // the files read by the present process of a session
}

// NewProtocol returns the reader that a command starts.
func NewProtocol(command string) *Protocol {
	return &Protocol{Server: fileserver.New(command), read: map[*adapter.Session][]Shown{}}
}

// Shared reports that many files may be read at a time.
func (p *Protocol) Shared() bool { return true }

// Read asks a long-lived process. It does not repeat a crash: an earlier file may have done the
// damage, and the verdict looks for it.
func (p *Protocol) Read(ctx context.Context, format string, data []byte, limit time.Duration) (Reply, error) {
	return adapter.AskIdle(p.Sessions, func(s *adapter.Session) (Reply, error) {
		r, lost, err := p.ask(ctx, s, format, data, limit)
		p.mu.Lock()
		defer p.mu.Unlock()
		r.Earlier = p.read[s]
		p.read[s] = append(r.Earlier, Shown{format, data})
		if lost {
			delete(p.read, s)
		}
		return r, err
	})
}

// Sequence asks a fresh process about files, one after the other.
func (p *Protocol) Sequence(ctx context.Context, list []Shown, limit time.Duration) (r Reply, err error) {
	s := p.Fresh()
	defer s.Close()
	for _, x := range list {
		if r, _, err = p.ask(ctx, s, x.Format, x.Data, limit); err != nil {
			return r, err
		}
	}
	return r, nil
}

// Measure asks a fresh process and waits for its end.
func (p *Protocol) Measure(ctx context.Context, format string, data []byte, limit time.Duration) (Reply, error) {
	s := p.Fresh()
	r, _, err := p.ask(ctx, s, format, data, limit)
	if e := s.Close(); e != nil && e.State != nil {
		r.CPU, r.Memory = e.State.UserTime()+e.State.SystemTime(), peak(e)
	}
	return r, err
}

// ask also reports whether the process is lost.
func (p *Protocol) ask(ctx context.Context, s *adapter.Session, format string, data []byte,
	limit time.Duration) (r Reply, lost bool, err error) {
	q := request(format, data)
	a, err := p.Ask(ctx, s, &q, limit)
	if err != nil {
		return r, a.Lost, err
	}
	r.judge(&a.End, a.Exit)
	r.Rewritten, r.Model = a.Rewritten, a.Model
	if r.Outcome == Refused && a.Kind == "unsupported" {
		r.Outcome = Unsupported
	}
	return r, a.Lost, nil
}

// request returns the request to read a file.
func request(format string, data []byte) fileserver.Request {
	return fileserver.Request{Op: "read", Format: format, Data: append([]byte{}, data...)}
}

// Reproduce returns a command that sends the request.
func (p *Protocol) Reproduce(format string, data []byte) string {
	return p.ReproduceSequence([]Shown{{format, data}})
}

// ReproduceSequence returns a command that sends the requests.
func (p *Protocol) ReproduceSequence(list []Shown) string {
	requests := make([]fileserver.Request, len(list))
	for i, x := range list {
		requests[i] = request(x.Format, x.Data)
	}
	return p.Server.Reproduce(requests...)
}
