package adapter

import (
	"os/exec"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestWatchdogSleep: a process sleeps while none of its threads and children is ready to run, and only as long as this
// program can look.
func TestWatchdogSleep(t *testing.T) {
	const spins, sleeps = "while :; do :; done", "sleep 1000"
	for _, c := range []struct {
		script    string
		ago, want time.Duration
	}{
		{sleeps, time.Second, time.Second},
		{sleeps, time.Hour, time.Second}, // the next look was planned for then
		{spins, time.Second, 0},
		{"{ " + spins + "; } & wait", time.Second, 0},
		{sleeps + " & wait", time.Second, time.Second},
	} {
		cmd := exec.Command("sh", "-c", c.script)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		w := newWatchdog(cmd.Process.Pid, func(bool) { t.Errorf("%s: its time was over", c.script) })
		w.watch(allowance{time.Minute, time.Minute})
		slept := time.Duration(-1)
		for end := time.Now().Add(20 * time.Second); slept != c.want && time.Now().Before(end); { // the shell starts
			w.mu.Lock()
			w.looked, w.gap, w.awake, w.slept = time.Now().Add(-c.ago), time.Second, time.Minute, 0
			w.mu.Unlock()
			w.look()
			w.mu.Lock()
			slept = w.slept.Round(time.Second)
			w.mu.Unlock()
		}
		w.rest()
		if slept != c.want {
			t.Errorf("%s, looked at after %v: it slept for %v, want %v", c.script, c.ago, slept, c.want)
		}
		_ = unix.Kill(-cmd.Process.Pid, unix.SIGKILL)
		_ = cmd.Wait()
	}
}
