package adapter

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// MaxLine is the longest request line that is read; a longer one is a bad
// request.
const MaxLine = 64 << 20

// Server answers requests with an engine of this process.
type Server struct {
	Engine  pica.Engine
	Profile pica.Profile
	// Resolve turns the profile a request names into the profile; Profile is
	// used when it names none.
	Resolve func(name string) (pica.Profile, error)

	out   pica.Outcome
	reply []byte
}

// Serve answers one request a line, in order, until the input ends. Malformed
// requests are answered like all others. Replies are flushed whenever no
// further request is waiting. The error is one of reading or writing.
func (s *Server) Serve(r io.Reader, w io.Writer) error {
	in, out := bufio.NewReaderSize(r, 1<<16), bufio.NewWriterSize(w, 1<<16)
	for {
		line, tooLong, err := readLine(in)
		if len(bytes.TrimSpace(line)) > 0 || tooLong {
			if tooLong {
				line = nil
			}
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

// readLine returns the next line. The rest of a line longer than MaxLine is
// read and dropped.
func readLine(in *bufio.Reader) (line []byte, tooLong bool, err error) {
	chunk, err := in.ReadSlice('\n')
	if err != bufio.ErrBufferFull {
		return chunk, false, err
	}
	for err == bufio.ErrBufferFull {
		if tooLong = tooLong || len(line)+len(chunk) > MaxLine; !tooLong {
			line = append(line, chunk...)
		}
		chunk, err = in.ReadSlice('\n')
	}
	return append(line, chunk...), tooLong, err
}

// answer returns the reply line to one request, valid until the next call.
func (s *Server) answer(line []byte, tooLong bool) []byte {
	var q Request
	if tooLong {
		return s.encode(&Reply{Status: StatusBadRequest, Msg: fmt.Sprintf("line longer than %d bytes", MaxLine)})
	}
	if err := json.Unmarshal(line, &q); err != nil {
		return s.encode(&Reply{ID: idOf(line), Status: StatusBadRequest, Msg: err.Error()})
	}
	switch q.Op {
	case "", "run":
		return s.run(&q)
	case "info":
		return s.encode(s.info(&q))
	case "bench":
		return s.encode(s.bench(&q))
	}
	return s.encode(&Reply{ID: q.ID, Status: StatusBadRequest, Msg: fmt.Sprintf("op %q: want run, bench or info", q.Op)})
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
	return &Reply{ID: q.ID, Status: StatusOK, Core: "picaproof " + s.Engine.Name(), Protocol: Version,
		Profile: s.Profile.Name, Stages: []string{pica.Vertex.String(), pica.Geometry.String()}, Unsupported: unsupported(&s.Profile)}
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

// job makes the engine's job of a request.
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
	if err := s.Engine.Run(job, &s.out); err != nil {
		return s.encode(refusal(q, err))
	}
	reply := Reply{ID: q.ID, Status: StatusOK, Log: logOf(&s.out)}
	for i := range s.out.Vertices {
		switch t := s.out.Vertices[i].Trap; {
		case t.Cause == pica.TrapNone || reply.Status != StatusOK:
		case t.Cause == pica.TrapUnsupported:
			reply.Status, reply.Kind, reply.Msg = StatusError, KindUnsupported, fmt.Sprintf("not predictable at %d", t.PC)
		default:
			reply.Status, reply.Kind, reply.Msg = StatusError, KindTrap, t.Cause.String()
		}
	}
	regs := q.Regs == nil || *q.Regs
	// The head is encoded by the library; the banks, nearly all of the bytes,
	// are appended behind it.
	b := s.encode(&reply)
	b = append(b[:len(b)-len("}\n")], `,"out":[`...)
	for i := range s.out.Vertices {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendVertex(b, s.out.Storage, job.Stage, &s.out.Vertices[i], regs)
	}
	b = append(b, "]}\n"...)
	s.reply = b
	return b
}

// refusal is the reply to a request that the engine did not run.
func refusal(q *Request, err error) *Reply {
	if errors.Is(err, pica.ErrUnsupportedProfile) {
		return &Reply{ID: q.ID, Status: StatusError, Kind: KindUnsupported, Msg: err.Error()}
	}
	return &Reply{ID: q.ID, Status: StatusBadRequest, Msg: err.Error()}
}

// logOf lists what the core skipped and what it estimated, once each.
func logOf(out *pica.Outcome) (log []string) {
	add := func(what string, ops []pica.Opcode) {
		for _, op := range ops {
			if line := what + " " + op.String(); !slices.Contains(log, line) {
				log = append(log, line)
			}
		}
	}
	for i := range out.Vertices {
		add("skipped", out.Vertices[i].Skipped)
		add("estimated", out.Vertices[i].Estimated)
	}
	return log
}

func (s *Server) encode(r *Reply) []byte {
	b, err := json.Marshal(r)
	if err != nil {
		b = []byte(`{"status":"error","kind":"exception","msg":"reply cannot be encoded"}`)
	}
	s.reply = append(append(s.reply[:0], b...), '\n')
	return s.reply
}
