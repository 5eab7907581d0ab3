package testscript_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Nothing that a program starts outlives picaproof, not even in a session of its own: programs
// for each file and long-lived ones, at the end of a run and after signals.
func TestNothingSurvives(t *testing.T) {
	input := filepath.Join(t.TempDir(), "small.bin")
	if err := os.WriteFile(input, []byte("bytes"), 0o666); err != nil {
		t.Fatal(err)
	}
	vectors := filepath.Join(t.TempDir(), "vectors.jsonl")
	export := exec.Command("picaproof", "vectors", "export", "--to", "jsonl", "-o", vectors)
	if out, err := export.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, c := range map[string]struct {
		arguments []string // EXEC stands for the program
		rest      string   // of the program
		signals   []os.Signal
	}{
		"command":     {arguments: []string{"reduce", input, "--while", "EXEC", "--tries", "2"}, rest: "; test -e {}"},
		"protocol":    {arguments: []string{"conform", "core", "--exec", "EXEC"}, rest: "; exit 1"},
		"interrupted": {[]string{"conform", "reader", "--exec", "EXEC"}, "; : {in}; sleep 1000", []os.Signal{os.Interrupt}},
		"stopped": {[]string{"conform", "reader", "--exec", "EXEC"}, "; sleep 1000",
			[]os.Signal{syscall.SIGHUP, syscall.SIGTERM, syscall.SIGTERM}},
		"ended": {[]string{"vectors", "verify", vectors, "--profile", "hw", "--exec", "EXEC"}, "; sleep 1000",
			[]os.Signal{syscall.SIGTERM}},
	} {
		mark := filepath.Join(t.TempDir(), "mark-"+strconv.Itoa(os.Getpid()))
		program := `(setsid sh -c 'sleep 1000; :' ` + mark + ` &) ; (env -i setsid sh -c 'sleep 1000; :' ` + mark +
			` &) ; echo >> ` + mark + c.rest
		for i, a := range c.arguments {
			c.arguments[i] = strings.Replace(a, "EXEC", program, 1)
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		cmd := exec.CommandContext(ctx, "picaproof", c.arguments...)
		var output bytes.Buffer
		cmd.Stdout, cmd.Stderr = &output, &output
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for _, s := range c.signals {
			for ctx.Err() == nil {
				if _, err := os.Stat(mark); err == nil {
					break
				}
				time.Sleep(time.Millisecond)
			}
			if err := cmd.Process.Signal(s); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		signalled := time.Now()
		err := cmd.Wait()
		if took := time.Since(signalled); len(c.signals) > 0 && took > 15*time.Second {
			t.Errorf("%s: the run went on for %v", name, took)
		}
		if _, notRun := os.Stat(mark); ctx.Err() != nil || notRun != nil {
			t.Errorf("%s: %v, %v: %s", name, err, notRun, &output)
		}
		if n := processes(mark); n > 0 {
			t.Errorf("%s: %d processes are left", name, n)
		}
	}
}

// processes counts the processes with an argument.
func processes(argument string) (n int) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range files {
		if text, _ := os.ReadFile(f); strings.Contains(string(text), argument) {
			n++
		}
	}
	return n
}
