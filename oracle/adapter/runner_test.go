package adapter_test

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/picaproof/picaproof/oracle/adapter"
)

// TestRunner: how a command ends, whatever else it starts.
func TestRunner(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands are those of a POSIX shell")
	}
	r := adapter.NewRunner()
	defer r.Close()
	for _, c := range []struct{ command, kind, message, stdout, stderr string }{
		{"true", "exit", "0", "", ""},
		{"echo out; echo err >&2; exit 3", "exit", "3", "out\n", "err\n"},
		{"kill -SEGV $$", "signal", "SIGSEGV", "", ""},
		{"sleep 60", "timeout", "200ms", "", ""},
		{"sleep 60 & exit 0", "exit", "0", "", ""},
	} {
		e, err := r.Run(context.Background(), c.command, 200*time.Millisecond)
		if c.kind != "timeout" && e.Kind == "timeout" { // a loaded machine
			e, err = r.Run(context.Background(), c.command, 30*time.Second)
		}
		if err != nil || e.Kind != c.kind || e.Message != c.message || string(e.Stdout) != c.stdout ||
			e.Stderr != c.stderr {
			t.Errorf("%s: %+v, %v", c.command, e, err)
		}
	}
	if _, err := r.Run(context.Background(), "/no/such/tool", time.Second); err == nil {
		t.Error("a command that does not exist was started")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := r.Run(ctx, "sleep 60", time.Minute); err == nil {
		t.Error("a command outlived its context")
	}
}

// TestLongStderr: the beginning and the end of a command's standard error are kept.
func TestLongStderr(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands are those of a POSIX shell")
	}
	r := adapter.NewRunner()
	defer r.Close()
	for _, c := range []struct {
		lines string
		cut   bool
	}{{"1", false}, {"1000", false}, {"1300", true}, {"200000", true}} {
		e, err := r.Run(context.Background(),
			"(echo first; yes more | head -n "+c.lines+"; echo last) >&2", 30*time.Second)
		const most = 7000
		if err != nil || !strings.HasPrefix(e.Stderr, "first\nmore\n") ||
			!strings.HasSuffix(e.Stderr, "\nmore\nlast\n") ||
			strings.Contains(e.Stderr, "\n...\n") != c.cut || len(e.Stderr) > most {
			t.Errorf("%s lines: %d bytes, %q, %v", c.lines, len(e.Stderr), e.Stderr, err)
		}
	}
}
