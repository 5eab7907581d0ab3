package writer

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/adapter/command"
	"github.com/picaproof/picaproof/oracle/adapter/fileserver"
)

// Protocol is an assembler that answers requests in long-lived processes.
type Protocol struct {
	*fileserver.Server
	timeout  time.Duration
	patience command.Patience

	mu      sync.Mutex
	written map[*adapter.Session][]*Text // the requests to the process of a session
	damaged map[string]*damages          // by fault
}

// Damage is a crash of a process after earlier answers that a fresh process does not show.
type Damage struct {
	Fault, Message, Stderr string
	Text                   *Text
	Earlier                []*Text // the sources that the process had answered
}

// damages are crashes with one fault; Damage is the one with the fewest earlier sources.
type damages struct {
	*Damage
	count int
}

// NewProtocol returns the tool that a command starts.
func NewProtocol(command string, timeout time.Duration) *Protocol {
	return &Protocol{Server: fileserver.New(command), timeout: cmp.Or(timeout, defaultTimeout),
		written: map[*adapter.Session][]*Text{}, damaged: map[string]*damages{}}
}

// Lacks implements Tool: a request has one source.
func (p *Protocol) Lacks(t *source.Text) string {
	if len(t.Files) > 1 {
		return "no place for a second source in the protocol"
	}
	return ""
}

// Assemble implements Tool. After a crash of a process with earlier answers, a fresh process
// gets the source again: an earlier source may have done the damage.
func (p *Protocol) Assemble(ctx context.Context, t *source.Text) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	return command.Ask(ctx, &p.patience, p.timeout, func(limit time.Duration) (Answer, bool, error) {
		a, err := adapter.AskIdle(p.Sessions, func(s *adapter.Session) (Answer, error) {
			a, earlier, err := p.note(ctx, s, t, limit)
			if err != nil || a.Fate != Crashed || len(earlier) == 0 {
				return a, err
			}
			again, _, err := p.note(ctx, s, t, limit)
			if err == nil && again.Fate != Crashed {
				again.Damage = &Damage{a.Fault, a.Message, a.Stderr, t, slices.Clone(earlier)}
				p.Recall(again.Damage)
			}
			return again, err
		})
		return a, a.Fate == Hung, err
	})
}

// note is write; it also returns the sources that the process had answered before.
func (p *Protocol) note(ctx context.Context, s *adapter.Session, t *source.Text, limit time.Duration) (
	Answer, []*Text, error) {
	a, lost, err := p.write(ctx, s, t, limit)
	p.mu.Lock()
	defer p.mu.Unlock()
	earlier := p.written[s]
	p.written[s] = append(earlier, t)
	if lost {
		delete(p.written, s)
	}
	return a, earlier, err
}

// Recall records a damage, of this run or of its earlier part.
func (p *Protocol) Recall(d *Damage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := p.damaged[d.Fault]
	if all == nil {
		all = &damages{Damage: d}
		p.damaged[d.Fault] = all
	}
	if all.count++; len(d.Earlier) < len(all.Earlier) {
		all.Damage = d
	}
}

// damages returns the crashes that no fresh process shows, and forgets them.
func (p *Protocol) damages() (list []*damages) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, fault := range slices.Sorted(maps.Keys(p.damaged)) {
		list = append(list, p.damaged[fault])
	}
	p.damaged = map[string]*damages{}
	return list
}

// sequence gives a fresh process sources, one after the other, and returns its answer to the
// last, or to the first that ends it.
func (p *Protocol) sequence(ctx context.Context, list []*Text) (a Answer, err error) {
	s := p.Fresh()
	defer s.Close()
	for _, t := range list {
		lost := false
		if a, lost, err = p.write(ctx, s, t, p.timeout); err != nil || lost {
			break
		}
	}
	return a, err
}

// Reproduce implements Tool.
func (p *Protocol) Reproduce(t *source.Text) string { return p.Server.Reproduce(requestFor(t)) }

// Files implements Tool: the last file is the request.
func (p *Protocol) Files(t *source.Text) []report.CaseFile {
	return append(inputFiles(t, ".txt"), report.CaseFile{Name: "request.jsonl", Data: p.Lines(requestFor(t))})
}

// Named implements Tool.
func (p *Protocol) Named(_ *source.Text, names ...string) (line, script string) {
	return p.Name(), p.Name() + " < " + command.Word(names[len(names)-1])
}

// requestFor returns the request to write a source.
func requestFor(t *source.Text) fileserver.Request {
	stage := map[bool]string{false: "vs", true: "gs"}[t.Geometry]
	return fileserver.Request{Op: "write", Format: "shbin", Source: t.Files[0], Entry: t.Entry, Stage: stage}
}

// reproduceSequence returns a command that sends sources to one process.
func (p *Protocol) reproduceSequence(list []*Text) string {
	requests := make([]fileserver.Request, len(list))
	for i, t := range list {
		requests[i] = requestFor(t)
	}
	return p.Server.Reproduce(requests...)
}

// write sends a request and reads its answer. It reports whether the process is lost.
func (p *Protocol) write(ctx context.Context, s *adapter.Session, t *source.Text, limit time.Duration) (
	a Answer, lost bool, err error) {
	q := requestFor(t)
	r, err := p.Ask(ctx, s, &q, limit)
	a = ended(&r.End)
	a.Data = r.Data
	return a, r.Lost, err
}
