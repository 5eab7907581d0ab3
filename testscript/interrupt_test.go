//go:build unix

package testscript_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// A stream of vertices ends at Ctrl-C, also in a program that goes on for ever:
// this one does for every vertex with v0.x = 1.
func TestInterruptedStream(t *testing.T) {
	const waits = `
.proc main
	mov o0, v0
	cmp c0, eq, eq, v0
here:
	jmpc cmp.x, here
	end
.end
`
	const chunk, register, outputs = 1 << 12, 16, 16
	for _, engine := range []string{"vm", "oracle"} {
		source := filepath.Join(t.TempDir(), "waits.v.pica")
		if err := os.WriteFile(source, []byte(waits), 0o666); err != nil {
			t.Fatal(err)
		}
		program, err := exec.Command("picaproof", "asm", "--emit", "job", source).Output()
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		var stderr bytes.Buffer
		cmd := exec.CommandContext(ctx, "picaproof", "run", string(program), "--engine", engine, "--set", "c0=1",
			"--budget", "1000000000000000",
			"--inputs", "-", "--inputs-format", "raw", "--registers", "1")
		cmd.Stderr = &stderr
		cmd.Stdin = io.MultiReader(
			bytes.NewReader(make([]byte, chunk*register)),                             // these end
			bytes.NewReader(bytes.Repeat([]byte{0, 0, 0x80, 0x3F}, chunk*register/4))) // these do not
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(out, make([]byte, chunk*outputs*register)); err != nil {
			t.Fatalf("%s: %v\n%s", engine, err, &stderr)
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		rest, err := io.ReadAll(out)
		if len(rest) > 0 || err != nil {
			t.Errorf("%s: %d bytes and error %v after the interrupt", engine, len(rest), err)
		}
		var exit *exec.ExitError
		if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 1 {
			t.Errorf("%s: %v, want exit status 1", engine, err)
		}
		if got := stderr.String(); got != "picaproof: interrupted after 4,096 vertices\n" {
			t.Errorf("%s: %q on standard error", engine, got)
		}
	}
}

// Ctrl-C ends a verdict about a writer with a report of what is known by then, also if the signal comes twice, as the
// command timeout sends it.
func TestInterruptedWriter(t *testing.T) {
	dir := t.TempDir()
	log, out := filepath.Join(dir, "log"), filepath.Join(dir, "report.json")
	tool := "echo >> " + log + "; : {in} > {out}" // no program besides the shell
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, "picaproof", "conform", "writer", "--exec", tool, "--cases", "100000000",
		"--format", "json", "-o", out)
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	const calls = 34 // more than there are known defects, which come first
	for ctx.Err() == nil {
		if info, err := os.Stat(log); err == nil && info.Size() >= calls {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	time.Sleep(5 * time.Millisecond)
	_ = cmd.Process.Signal(os.Interrupt) // it may have ended by now
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("%v, want exit status 1; %s", err, &stderr)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var report struct {
		Interrupted bool
		Deviations  []struct{ Verdict string }
	}
	if err := json.Unmarshal(b, &report); err != nil {
		t.Fatal(err)
	}
	if !report.Interrupted || len(report.Deviations) == 0 {
		t.Errorf("interrupted: %v, %d causes", report.Interrupted, len(report.Deviations))
	}
}
