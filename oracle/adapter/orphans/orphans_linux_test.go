package orphans_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/picaproof/picaproof/oracle/adapter/orphans"
)

// TestMain makes the test process the parent of orphans, as a command line does.
func TestMain(m *testing.M) {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		panic(err)
	}
	orphans.Adopt()
	os.Exit(m.Run())
}

// start starts a script whose processes all have the mark in their command lines.
func start(t *testing.T, script, mark string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("sh", "-c", script, mark, mark)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := orphans.Start(cmd); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// running counts the processes with a mark in their command lines, those that have ended excepted. A
// shell that is about to run another program counts twice.
func running(mark string) (n int) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range files {
		if text, _ := os.ReadFile(f); strings.Contains(string(text), mark) {
			n++
		}
	}
	return n
}

// waitFor waits until a process has a mark.
func waitFor(t *testing.T, mark string) {
	t.Helper()
	for range 30_000 {
		if running(mark) > 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("%s: no such process", mark)
}

// wait is a command that runs for long, with the mark $1.
const wait = `sh -c 'sleep 1000; :' $1`

// TestEnd: nothing of a program is left when it has ended, whatever the program did to escape.
func TestEnd(t *testing.T) {
	for name, script := range map[string]string{
		"nothing":      ":",
		"session":      "setsid " + wait + " &",
		"double fork":  "(setsid sh -c '(sleep 1000; :) & sleep 0' $1 &) ; (setsid " + wait + " &)",
		"environment":  "env -i setsid " + wait + " &",
		"forks again":  `f() { [ $1 -gt 0 ] && (f $(($1 - 1)) &) ; sleep 0.001; }; f 15; setsid ` + wait + " &",
		"late parent":  "setsid sh -c 'setsid sh -c \"sleep 1000; :\" $1 & sleep 1000; :' $1 $1 &",
		"has no group": "setsid sh -c 'trap : TERM INT HUP; sleep 1000; :' $1 &",
	} {
		mark := fmt.Sprintf("mark-of-%s-%d", strings.ReplaceAll(name, " ", "-"), os.Getpid())
		cmd := start(t, script, mark)
		orphans.Wait(cmd)
		orphans.End()
		if n := running(mark); n != 0 {
			t.Errorf("%s: %d processes are left", name, n)
		}
	}
}

// TestOthers: an orphan lives as long as the program that started it, whatever other programs do;
// one without a mark lives as long as the programs that may have started it.
func TestOthers(t *testing.T) {
	mark := fmt.Sprintf("mark-of-others-%d", os.Getpid())
	const orphan, unmarked = " orphan", " unmarked"
	living := start(t, `(setsid sh -c 'sleep 1000; :' "$1 orphan" &)
		(env -i setsid sh -c 'sleep 1000; :' "$1 unmarked" &) ; read line`, mark)
	waitFor(t, mark+orphan)
	waitFor(t, mark+unmarked)
	for range 2 {
		other := start(t, "setsid "+wait+" &", mark+"-other")
		orphans.Wait(other)
		orphans.End()
		if a, b, c := running(mark+orphan), running(mark+unmarked), running(mark+"-other"); a == 0 || b == 0 || c != 0 {
			t.Errorf("%d orphans of the living program, %d without a mark, and %d of the other; want some, some, none",
				a, b, c)
		}
	}
	if err := living.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	orphans.Wait(living)
	orphans.End()
	if a, b := running(mark+orphan), running(mark+unmarked); a != 0 || b != 0 {
		t.Errorf("%d orphans, %d without a mark are left, want none", a, b)
	}
}

// TestEndAll ends everything, also programs that run; then nothing starts.
func TestEndAll(t *testing.T) {
	mark := fmt.Sprintf("mark-of-all-%d", os.Getpid())
	cmd := start(t, "(env -i setsid "+wait+" &) ; setsid sh -c 'sleep 1000; :' $1-child & sleep 1000", mark)
	waitFor(t, mark+"-child")
	waited := make(chan struct{})
	go func() {
		defer close(waited)
		var info unix.Siginfo
		for unix.Waitid(unix.P_PID, cmd.Process.Pid, &info, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
		}
		orphans.Wait(cmd)
	}()
	orphans.EndAll()
	defer orphans.Resume()
	<-waited
	if n := running(mark); n != 0 {
		t.Errorf("%d processes are left", n)
	}
	if err := orphans.Start(exec.Command("true")); err != orphans.ErrEnded {
		t.Errorf("got %v, want %v", err, orphans.ErrEnded)
	}
}
