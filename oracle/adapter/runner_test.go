package adapter_test

import (
	"context"
	"os"
	"path/filepath"
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
		{"sleep 60", "timeout", "2s", "", ""},
		{"while :; do :; done", "timeout", "200ms of processor time", "", ""},
		{"sh -c 'while :; do :; done'; :", "timeout", "200ms of processor time", "", ""},
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

// TestReadOutput: only a regular file of a limited size is an output.
func TestReadOutput(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "output")
	if b, err := adapter.ReadOutput(name); b != nil || err == nil || err.Error() != "no output file" {
		t.Errorf("nothing: got %q, %v", b, err)
	}
	if b, err := adapter.ReadOutput(dir); b != nil || err == nil {
		t.Errorf("a folder: got %q, %v", b, err)
	}
	if err := os.WriteFile(name, []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	if b, err := adapter.ReadOutput(name); string(b) != "text" || err != nil {
		t.Errorf("got %q, %v", b, err)
	}
	if err := os.Truncate(name, 64<<20+1); err != nil {
		t.Fatal(err)
	}
	if b, err := adapter.ReadOutput(name); b != nil || err == nil {
		t.Errorf("a long file: got %d bytes, %v", len(b), err)
	}
}
