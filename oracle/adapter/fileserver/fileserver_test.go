//go:build linux || darwin

package fileserver_test

import (
	"testing"
	"time"

	"github.com/picaproof/picaproof/oracle/adapter/command"
	"github.com/picaproof/picaproof/oracle/adapter/fileserver"
)

// TestEnds: the end of a program is told by what happened to it, whatever is read first.
func TestEnds(t *testing.T) {
	const brief, long = 300 * time.Millisecond, time.Minute
	for _, c := range []struct {
		behavior       string // on the second request
		limit          time.Duration
		outcome        command.Outcome
		fault, message string
	}{
		{"exit 3", long, command.Crashed, "end without an answer", "exit status 3"},
		{"exec >&-; sleep 0.7; exit 3", long, command.Crashed, "end without an answer", "exit status 3"},
		{"exec >&-; read z", brief, command.Crashed, "the output was closed without an answer",
			"the output was closed without an answer"},
		{"kill -SEGV $$", long, command.Crashed, "SIGSEGV", "SIGSEGV"},
		{"exec >&-; sleep 0.7; kill -SEGV $$", long, command.Crashed, "SIGSEGV", "SIGSEGV"},
		{"echo oops; kill -ABRT $$", long, command.Crashed, "SIGABRT", "SIGABRT"},
		{"echo oops; exit 3", long, command.Crashed, "not an answer", `request 2: not an answer: "oops"`},
		{"echo oops; read z", long, command.Crashed, "not an answer", `request 2: not an answer: "oops"`},
		{"echo oops; echo 'x.c:1:2: runtime error: shift by 99: bad' >&2; exit 1", long, command.Crashed,
			"UndefinedBehaviorSanitizer: shift by N at x.c:1", "x.c:1:2: runtime error: shift by 99: bad"},
		{`echo '{"id":"1","status":"ok"}'; read z`, long, command.Crashed, "answers out of step",
			`request 2: answers out of step: "{\"id\":\"1\",\"status\":\"ok\"}"`},
		{"sleep 60", brief, command.Hung, "", "no end after 3s"},
	} {
		v := fileserver.New(`read x; echo '{"id":"1","status":"ok"}'; read y; ` + c.behavior)
		s := v.Fresh()
		if a, err := v.Ask(t.Context(), s, &fileserver.Request{Op: "read"}, long); err != nil || a.Outcome != command.Done {
			t.Errorf("%s: first request: got %+v, %v", c.behavior, a, err)
		}
		a, err := v.Ask(t.Context(), s, &fileserver.Request{Op: "read"}, c.limit)
		if err != nil || a.Outcome != c.outcome || a.Fault != c.fault || a.Message != c.message || !a.Lost {
			t.Errorf("%s: got %+v, %v", c.behavior, a.End, err)
		}
		s.Close()
		v.Close()
	}
}

// TestStatus: the status of an answer becomes an outcome, and the program goes on.
func TestStatus(t *testing.T) {
	for status, want := range map[string]command.End{
		`"ok"`:                        {Outcome: command.Done},
		`"error","msg":"no file"`:     {Outcome: command.Failed, Message: "no file"},
		`"crash","signal":"SIGBUS"`:   {Outcome: command.Crashed, Fault: "SIGBUS", Message: "SIGBUS"},
		`"crash","exit":7`:            {Outcome: command.Crashed, Fault: "exit status 7", Message: "exit status 7"},
		`"timeout"`:                   {Outcome: command.Hung, Message: "the program says so"},
		`"bad-request","msg":"what?"`: {Outcome: command.Crashed, Fault: `status "bad-request"`, Message: "what?"},
	} {
		v := fileserver.New(`read x; echo '{"id":"1","status":` + status + `}'; read y`)
		s := v.Fresh()
		a, err := v.Ask(t.Context(), s, &fileserver.Request{Op: "read"}, time.Minute)
		if err != nil || a.End != want || a.Lost {
			t.Errorf("%s: got %+v, %v", status, a.End, err)
		}
		s.Close()
		v.Close()
	}
}
