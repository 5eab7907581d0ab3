package adapter_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/picaproof/picaproof/oracle/adapter"
)

// TestRunner: how a command ends, whatever it starts besides.
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
		if err != nil || e.Kind != c.kind || e.Message != c.message || string(e.Stdout) != c.stdout || e.Stderr != c.stderr {
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
