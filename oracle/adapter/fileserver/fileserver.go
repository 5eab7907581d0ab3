// Package fileserver serves this module: it asks long-running programs that read or write files. A
// request is one line of JSON, and so is its answer. An answer that cannot belong to its request is
// a fault of the program. Its process is then ended, because later answers may belong to other
// requests.
package fileserver

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/adapter/command"
)

// Request is a request to a program; it gets its number when it is sent.
type Request struct {
	Op     string `json:"op"` // "read" or "write"
	Format string `json:"format"`
	Data   []byte `json:"data,omitzero"` // the file to be read
	// Source is the text to be written as a file, Entry the entry label, Stage "vs" or "gs".
	Source string `json:"source,omitempty"`
	Entry  string `json:"entry,omitempty"`
	Stage  string `json:"stage,omitempty"`
}

func (q *Request) line(id string) ([]byte, error) {
	return json.Marshal(struct {
		ID string `json:"id"`
		*Request
	}{id, q})
}

// Reply has the fields of an answer besides its status.
type Reply struct {
	Kind      string          `json:"kind"` // of a refusal: "malformed", "unsupported"
	Data      []byte          `json:"data"` // the file that was written
	Rewritten []byte          `json:"rewritten"`
	Model     json.RawMessage `json:"model"`
}

// Answer is the result of a request: an answer, or the end of the process.
type Answer struct {
	command.End
	Reply
	// Exit says how the process ended, nil if it still runs.
	Exit *adapter.Exit
	// Lost says that the process of the session is gone.
	Lost bool
}

// Server is a program that answers requests. Several goroutines may use it, each with its
// own sessions.
type Server struct {
	*adapter.Sessions
	command  string
	number   atomic.Int64 // of the last request
	answered atomic.Bool  // it has answered once
}

// New returns the program that a command line starts. Nothing is started yet.
func New(line string) *Server { return &Server{Sessions: adapter.NewSessions(line), command: line} }

// Name returns the command line.
func (v *Server) Name() string { return v.command }

// Ask sends a request to a session. An error means that the result says nothing about the
// program: it does not start, or has never answered, or the context ended.
func (v *Server) Ask(ctx context.Context, s *adapter.Session, q *Request, limit time.Duration) (a Answer, err error) {
	id := strconv.FormatInt(v.number.Add(1), 10)
	line, err := q.line(id)
	if err != nil {
		return a, err
	}
	text, end, err := s.Ask(ctx, append(line, '\n'), limit)
	switch {
	case err != nil:
		return a, err
	case end == nil:
		if a, err = v.parse(text, id); !a.Lost && err == nil {
			return a, nil
		}
		lastWords := string(text)
		if end = s.Fault(ctx, limit); end == nil || err != nil || command.EndOf(end).Outcome != command.Crashed {
			return a, err
		}
		end.Stderr = cmp.Or(end.Stderr, lastWords)
	}
	a = Answer{End: command.EndOf(end), Exit: end, Lost: true}
	if a.Outcome == command.Done || a.Outcome == command.Failed {
		if !v.answered.Load() {
			return a, fmt.Errorf("%s: end without an answer, exit status %s: %s", v.command, end.Message, a.Message)
		}
		a.Outcome, a.Fault, a.Message = command.Crashed, "end without an answer", "exit status "+end.Message
	}
	return a, nil
}

// parse reads the answer to the request with an id.
func (v *Server) parse(text []byte, id string) (a Answer, err error) {
	var r struct {
		ID      json.RawMessage `json:"id"`
		Status  string          `json:"status"`
		Message string          `json:"msg"`
		Signal  string          `json:"signal"`
		Exit    json.RawMessage `json:"exit"`
		Reply
	}
	wrong := func(fault string) (Answer, error) {
		message := fmt.Sprintf("request %s: %s: %.120q", id, fault, bytes.TrimSpace(text))
		if !v.answered.Load() {
			return Answer{}, fmt.Errorf("%s: %s", v.command, message)
		}
		return Answer{End: command.End{Outcome: command.Crashed, Fault: fault, Message: message}, Lost: true}, nil
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return wrong("not an answer")
	}
	if string(r.ID) != strconv.Quote(id) {
		return wrong("answers out of step")
	}
	v.answered.Store(true)
	a.Reply, a.Message = r.Reply, r.Message
	switch r.Status {
	case "ok":
		a.Outcome = command.Done
	case "error":
		a.Outcome = command.Failed
	case "crash":
		a.Outcome = command.Crashed
		if a.Fault = cmp.Or(r.Signal, r.Message); a.Fault == "" {
			a.Fault = "exit status " + string(r.Exit)
		}
		a.Message = cmp.Or(r.Message, a.Fault)
	case "timeout":
		a.Outcome, a.Message = command.Hung, cmp.Or(r.Message, "the program says so")
	default:
		a.Outcome, a.Fault = command.Crashed, fmt.Sprintf("status %q", r.Status)
		a.Message = cmp.Or(r.Message, a.Fault)
	}
	return a, nil
}

// Lines returns requests to a fresh process as lines; nil if one cannot be sent.
func (v *Server) Lines(list ...Request) (lines []byte) {
	for i := range list {
		line, err := list[i].line(strconv.Itoa(i + 1))
		if err != nil {
			return nil
		}
		lines = append(append(lines, line...), '\n')
	}
	return lines
}

// Reproduce returns a shell command that sends requests to a fresh process.
func (v *Server) Reproduce(list ...Request) string {
	text := string(v.Lines(list...))
	if text == "" {
		return ""
	}
	return command.Lines(v.command, strings.Split(strings.TrimSuffix(text, "\n"), "\n")...)
}
