package writer

import (
	"cmp"
	"context"
	"time"

	"github.com/picaproof/picaproof/fuzz/conform/source"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/adapter/command"
	"github.com/picaproof/picaproof/oracle/adapter/fileserver"
)

// Protocol is an assembler that answers requests in processes that live on.
type Protocol struct {
	*fileserver.Server
	timeout  time.Duration
	patience command.Patience
}

// NewProtocol returns the tool that a command starts.
func NewProtocol(command string, timeout time.Duration) *Protocol {
	return &Protocol{Server: fileserver.New(command), timeout: cmp.Or(timeout, defaultTimeout)}
}

// Lacks implements Tool: a request has one source.
func (p *Protocol) Lacks(t *source.Text) string {
	if len(t.Files) > 1 {
		return "no place for a second source in the protocol"
	}
	return ""
}

// Assemble implements Tool.
func (p *Protocol) Assemble(ctx context.Context, t *source.Text) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	q := requestFor(t)
	return command.Ask(&p.patience, p.timeout, func(limit time.Duration) (Answer, bool, error) {
		a, err := adapter.AskIdle(p.Sessions, func(s *adapter.Session) (Answer, error) { return p.write(s, &q, limit) })
		return a, a.Fate == Hung, err
	})
}

// Reproduce implements Tool.
func (p *Protocol) Reproduce(t *source.Text) string { return p.Server.Reproduce(requestFor(t)) }

// requestFor returns the request to write a source.
func requestFor(t *source.Text) fileserver.Request {
	stage := map[bool]string{false: "vs", true: "gs"}[t.Geometry]
	return fileserver.Request{Op: "write", Format: "shbin", Source: t.Files[0], Entry: t.Entry, Stage: stage}
}

// write sends a request and reads its answer.
func (p *Protocol) write(s *adapter.Session, q *fileserver.Request, limit time.Duration) (Answer, error) {
	r, err := p.Ask(s, q, limit)
	a := ended(&r.End)
	a.Data = r.Data
	return a, err
}
