package adapter

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/picaproof/picaproof/pica"
)

// MaxLine is the largest number of bytes of a request line, line end included; a longer
// line is a bad request.
const MaxLine = 64 << 20

// Server answers requests with an engine of this process.
type Server struct {
	Engine  pica.Engine
	Profile pica.Profile
	// Resolve returns the profile that a request names; Profile is used for a request that
	// names none.
	Resolve func(name string) (pica.Profile, error)
	// Info is the reply to an info request; nil means the name of the engine and the
	// profile.
	Info *Reply

	out   pica.Outcome
	reply []byte
}

// Serve answers one request a line, in order, until the input ends. A malformed request
// gets an answer like any other. Replies are flushed whenever no further request is
// waiting. An error is an error of r or w.
func (s *Server) Serve(r io.Reader, w io.Writer) error {
	in, out := bufio.NewReaderSize(r, 1<<16), bufio.NewWriterSize(w, 1<<16)
	for {
		line, tooLong, err := readLine(in)
		if len(bytes.TrimSpace(line)) > 0 || tooLong {
			if _, err := out.Write(s.answer(line, tooLong)); err != nil {
				return err
			}
		}
		if in.Buffered() == 0 || err != nil {
			if err := out.Flush(); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// readLine returns the next line, which may share the memory of in. A line
// longer than MaxLine is read to its end and dropped.
func readLine(in *bufio.Reader) (line []byte, tooLong bool, err error) {
	chunk, err := in.ReadSlice('\n')
	if err != bufio.ErrBufferFull {
		return chunk, false, err
	}
	for {
		if tooLong = tooLong || len(line)+len(chunk) > MaxLine; !tooLong {
			line = append(line, chunk...)
		}
		if err != bufio.ErrBufferFull {
			break
		}
		chunk, err = in.ReadSlice('\n')
	}
	if tooLong {
		line = nil
	}
	return line, tooLong, err
}

// answer returns the reply line to one request, valid until the next call.
func (s *Server) answer(line []byte, tooLong bool) []byte {
	var q Request
	if tooLong {
		return s.encode(&Reply{Status: StatusBadRequest, Msg: fmt.Sprintf("line longer than %d bytes", MaxLine)})
	}
	if line = bytes.TrimSpace(line); !bytes.HasPrefix(line, []byte("{")) {
		return s.encode(&Reply{Status: StatusBadRequest, Msg: "the line is no JSON object"})
	}
	exactNames(line, requestFields)
	if err := json.Unmarshal(line, &q); err != nil {
		return s.encode(&Reply{ID: idOf(line), Status: StatusBadRequest, Msg: err.Error()})
	}
	if q.TimeoutMS < 0 {
		return s.encode(&Reply{ID: q.ID, Status: StatusBadRequest, Msg: "timeout_ms is negative"})
	}
	switch q.Op {
	case "", "run":
		return s.run(&q)
	case "info":
		return s.encode(s.info(&q))
	}
	return s.encode(&Reply{ID: q.ID, Status: StatusError, Kind: KindUnsupported,
		Msg: fmt.Sprintf("op %q: want run or info", q.Op)})
}

// idOf finds the id of a request whose other fields do not fit.
func idOf(line []byte) json.RawMessage {
	var q struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(line, &q) != nil {
		return nil
	}
	return q.ID
}

func (s *Server) info(q *Request) *Reply {
	if s.Info != nil {
		r := *s.Info
		r.ID, r.Status, r.Protocol = q.ID, StatusOK, Version
		return &r
	}
	stages := []string{pica.Vertex.String(), pica.Geometry.String()}
	if s.Profile.NoGeometry {
		stages = stages[:1]
	}
	return &Reply{ID: q.ID, Status: StatusOK, Core: "picaproof " + s.Engine.Name(), Protocol: Version,
		Profile: s.Profile.Name, Stages: stages, Unsupported: unsupported(&s.Profile), SetsB15: len(stages) > 1}
}

// unsupported lists the mnemonics that a profile skips or refuses.
func unsupported(p *pica.Profile) []string {
	var names []string
	for op, info := range pica.Opcodes {
		if info.Name != "" && info.Base == pica.Opcode(op) && p.Support[op] != pica.SupportRun {
			names = append(names, info.Name)
		}
	}
	return names
}

// job returns the job of a request.
func (s *Server) job(q *Request) (*pica.Job, error) {
	return q.Job(func(name string) (pica.Profile, error) {
		if name == "" {
			return s.Profile, nil
		}
		return s.Resolve(name)
	})
}

func (s *Server) run(q *Request) []byte {
	job, err := s.job(q)
	if err != nil {
		return s.encode(&Reply{ID: q.ID, Status: StatusBadRequest, Msg: err.Error()})
	}
	if err := s.execute(job, deadlineOf(q)); err != nil {
		return s.encode(refusal(q, err))
	}
	reply := Reply{ID: q.ID, Status: StatusOK, Remarks: remarksOf(&s.out), Log: logOf(&s.out)}
	for i := range s.out.Vertices {
		if t := s.out.Vertices[i].Trap; t.Cause != pica.TrapNone {
			reply.trap(t)
			break
		}
	}
	if reply.Status == StatusCrash {
		return s.encode(&reply)
	}
	var unreported pica.Registers
	if q.Regs != nil && !*q.Regs {
		unreported = temporaries
	}
	// The library encodes the head; the banks, nearly all bytes of the reply, are
	// appended behind it.
	b := s.encode(&reply)
	b = append(b[:len(b)-len("}\n")], `,"out":[`...)
	for i := range s.out.Vertices {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendVertex(b, s.out.Storage, job.Stage, &s.out.Vertices[i], unreported)
	}
	b = append(b, "]}\n"...)
	s.reply = b
	return b
}

// errNoGeometry answers geometry programs if the implementation has no geometry stage.
var errNoGeometry = fmt.Errorf("%w: no geometry stage", pica.ErrUnsupportedProfile)

// deadlineOf returns the deadline of a request that is read now; zero means no deadline.
func deadlineOf(q *Request) (t time.Time) {
	if q.TimeoutMS > 0 {
		t = time.Now().Add(time.Duration(q.TimeoutMS) * time.Millisecond)
	}
	return t
}

// execute runs a job up to a deadline. An engine that cannot be interrupted may end
// later.
func (s *Server) execute(job *pica.Job, deadline time.Time) error {
	if job.Stage == pica.Geometry && job.Profile.NoGeometry {
		return errNoGeometry
	}
	if deadline.IsZero() {
		return s.Engine.Run(job, &s.out)
	}
	inTime := func() bool { return time.Now().Before(deadline) }
	if e, ok := s.Engine.(pica.Interruptible); ok {
		return e.RunWhile(job, &s.out, inTime)
	}
	if err := s.Engine.Run(job, &s.out); err != nil || inTime() {
		return err
	}
	return pica.ErrInterrupted
}

// trap sets the status of a run that trapped.
func (r *Reply) trap(t pica.Trap) {
	r.Status, r.Kind, r.Msg = StatusError, t.Refusal.String(), fmt.Sprintf("%v at %d", t.Refusal, t.PC)
	switch {
	case t.Cause != pica.TrapUnsupported:
		r.Kind, r.Msg = KindTrap, t.Cause.String()
	case t.Refusal == pica.RefusalUnknown:
		r.Kind, r.Msg = KindUnsupported, fmt.Sprintf("not predictable at %d", t.PC)
	case t.Refusal == pica.RefusalCrash:
		r.Status, r.Kind = StatusCrash, ""
	}
}

// RefusalError is the error of an engine that refuses a job: it becomes a reply of
// status error.
type RefusalError struct {
	Kind    string // one of the kinds of StatusError
	Message string
}

// Error returns "unsupported: dst".
func (e *RefusalError) Error() string { return e.Kind + ": " + e.Message }

// AsRefusal returns an error as a RefusalError; any other error becomes an exception.
func AsRefusal(err error) error {
	if errors.As(err, new(*RefusalError)) {
		return err
	}
	return &RefusalError{KindException, err.Error()}
}

// refusal returns the reply to a request that failed.
func refusal(q *Request, err error) *Reply {
	var r *RefusalError
	switch {
	case errors.As(err, &r):
		return &Reply{ID: q.ID, Status: StatusError, Kind: r.Kind, Msg: r.Message}
	case errors.Is(err, pica.ErrUnsupportedProfile):
		return &Reply{ID: q.ID, Status: StatusError, Kind: KindUnsupported, Msg: err.Error()}
	case errors.Is(err, pica.ErrInterrupted):
		return &Reply{ID: q.ID, Status: StatusTimeout, Msg: fmt.Sprintf("not done after %d ms", q.TimeoutMS)}
	}
	return &Reply{ID: q.ID, Status: StatusBadRequest, Msg: err.Error()}
}

// logOf lists the skipped opcodes, once each.
func logOf(out *pica.Outcome) (log []string) {
	for i := range out.Vertices {
		for _, op := range out.Vertices[i].Skipped {
			log = once(log, "skipped "+op.String())
		}
	}
	return log
}

// remarksOf lists estimates, hazards of which the profile only warns, and registers that
// a run read before it wrote them, once each.
func remarksOf(out *pica.Outcome) (remarks []string) {
	for i := range out.Vertices {
		v := &out.Vertices[i]
		for _, op := range v.Estimated {
			remarks = once(remarks, "estimated "+op.String())
		}
		for _, h := range v.Hazards {
			remarks = once(remarks, h.String())
		}
		if v.Uninitialised != 0 {
			for _, name := range v.Uninitialised.Names() {
				remarks = once(remarks, "uninitialised "+name)
			}
		}
	}
	return remarks
}

// once adds a line to a list unless the list contains it.
func once(list []string, line string) []string {
	if slices.Contains(list, line) {
		return list
	}
	return append(list, line)
}

func (s *Server) encode(r *Reply) []byte {
	b, err := json.Marshal(r)
	if err != nil {
		b = []byte(`{"status":"error","kind":"exception","msg":"reply cannot be encoded"}`)
	}
	s.reply = append(append(s.reply[:0], b...), '\n')
	return s.reply
}
