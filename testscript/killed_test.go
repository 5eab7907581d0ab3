//go:build unix

package testscript_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// A run that is killed again and again goes on each time, and its report is that of a run without
// an interruption. It leaves no other files.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("kills a run some times")
	}
	for name, arguments := range map[string][]string{
		"reader": {"conform", "reader", "--exec", "inside reader accepts", "--as", "csdr", "--cases", "4", "--repeats", "1",
			"--no-cost"},
		"core":   {"conform", "core", "--exec", "inside oracle hw", "--suite", "upload", "--cases", "100"},
		"writer": {"conform", "writer", "--exec", "inside picasso", "--cases", "30"},
	} {
		dir := t.TempDir()
		run := func(limit time.Duration, more ...string) (status int) {
			ctx, stop := context.WithTimeout(t.Context(), limit)
			defer stop()
			cmd := exec.CommandContext(ctx, "picaproof", append(append([]string{}, arguments...), more...)...) // killed
			_ = cmd.Run()                                                                                      // its status tells
			return cmd.ProcessState.ExitCode()
		}
		report := func(file string) string {
			b, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return string(b)
		}
		if status := run(time.Minute, "--format", "json", "-o", filepath.Join(dir, "whole")); status > 1 || status < 0 {
			t.Fatalf("%s: exit status %d", name, status)
		}
		status, kills := -1, 0
		// The first start gets no further than its first answers; the last one ends under any load.
		for limit := 50 * time.Millisecond; status < 0 && limit < 2*time.Minute; limit = limit * 3 / 2 {
			kills++
			status = run(limit, "--state", filepath.Join(dir, "state"), "--format", "json", "-o", filepath.Join(dir, "parts"))
		}
		if status < 0 || status > 1 || report("parts") != report("whole") {
			t.Errorf("%s: exit status %d after %d starts, or another report", name, status, kills)
		}
		left, err := filepath.Glob(filepath.Join(dir, "*"))
		if hidden, _ := filepath.Glob(filepath.Join(dir, ".*")); err != nil || len(left)+len(hidden) != 3 {
			t.Errorf("%s: %q, %q, %v are left, want two reports and the state", name, left, hidden, err)
		}
		t.Logf("%s: %d starts", name, kills)
	}
}
