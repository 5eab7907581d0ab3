package adapter

import (
	"time"

	"github.com/picaproof/picaproof/pica"
)

// The two ways of reading an answer.
var (
	QuickAnswer = func(line []byte, r *Request) (Answer, bool) { return quickAnswer(line, testRequest(r)) }
	SlowAnswer  = func(line []byte, r *Request) (Answer, error) { return slowAnswer(line, testRequest(r)) }
)

func testRequest(r *Request) *request {
	q := &request{id: 7, vertices: len(r.In)}
	if r.Stage == "gs" {
		q.stage = pica.Geometry
	}
	return q
}

// AppendJob is how requests are written.
func AppendJob(job *pica.Job) []byte { return appendJob(nil, 7, job, true, time.Second) }

// NeedsShell reports whether a shell starts a command.
func NeedsShell(command string) bool {
	_, shell := commandLine(command)
	return shell
}
