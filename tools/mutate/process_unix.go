//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// ownGroup makes cancelling end the children of a process, too.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// usage returns the resident memory of a process in bytes and the processor time that it has
// used: zero without /proc.
func usage(pid int) (memory int, spent time.Duration) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, text, ok := bytes.Cut(text, []byte(") ")) // the name before it may have spaces
	fields := bytes.Fields(text)
	const user, system, pages = 11, 12, 21 // fields 14, 15 and 24 of proc(5)
	if err != nil || !ok || len(fields) <= pages {
		return 0, 0
	}
	number := func(field int) int {
		n, err := strconv.Atoi(string(fields[field]))
		if err != nil {
			return 0
		}
		return n
	}
	const tick = 10 * time.Millisecond
	return number(pages) * os.Getpagesize(), time.Duration(number(user)+number(system)) * tick
}
