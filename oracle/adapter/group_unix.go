//go:build linux || darwin

package adapter

import (
	"os/exec"
	"syscall"
	"unsafe"

	"github.com/picaproof/picaproof/oracle/adapter/orphans"
)

// separate gives a command a process group of its own.
func separate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithUs(cmd.SysProcAttr)
}

// finish returns when a process and the rest of its group have ended. Until then the
// process keeps its number, so that no other process is killed in its place.
func (p *process) finish() {
	for {
		if _, errno := p.ending(0); errno != syscall.EINTR {
			break
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.killGroup()
	p.gone = true
	orphans.Wait(p.cmd)
}

// over reports whether the process has ended. The caller holds the lock.
func (p *process) over() bool {
	if p.gone {
		return true
	}
	ended, _ := p.ending(syscall.WNOHANG)
	return ended
}

// ending asks the kernel whether the process has ended; without WNOHANG it waits for that.
// The process stays as it is.
func (p *process) ending(options uintptr) (ended bool, errno syscall.Errno) {
	const byNumber = 1  // P_PID
	var info [32]uint32 // siginfo_t; the first word, si_signo, stays zero while the process runs
	_, _, errno = syscall.Syscall6(syscall.SYS_WAITID, byNumber, uintptr(p.cmd.Process.Pid),
		uintptr(unsafe.Pointer(&info)), syscall.WEXITED|syscall.WNOWAIT|options, 0, 0)
	return errno == 0 && info[0] != 0, errno
}

// killGroup kills all processes of the group. The caller holds the lock.
func (p *process) killGroup() {
	if !p.gone {
		_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
	}
}

// signalled returns the name of the signal that ended a process, if one did.
func signalled(cmd *exec.Cmd) string {
	s, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if !ok || !s.Signaled() {
		return ""
	}
	return signalName(int(s.Signal()))
}

// signalName returns "SIGSEGV", or "signal 77".
func signalName(n int) string {
	if name := signalNames[syscall.Signal(n)]; name != "" {
		return name
	}
	return syscall.Signal(n).String()
}

var signalNames = map[syscall.Signal]string{
	syscall.SIGABRT: "SIGABRT", syscall.SIGALRM: "SIGALRM", syscall.SIGBUS: "SIGBUS", syscall.SIGFPE: "SIGFPE",
	syscall.SIGHUP: "SIGHUP", syscall.SIGILL: "SIGILL", syscall.SIGINT: "SIGINT", syscall.SIGKILL: "SIGKILL",
	syscall.SIGPIPE: "SIGPIPE", syscall.SIGQUIT: "SIGQUIT", syscall.SIGSEGV: "SIGSEGV", syscall.SIGSYS: "SIGSYS",
	syscall.SIGTERM: "SIGTERM", syscall.SIGTRAP: "SIGTRAP", syscall.SIGXCPU: "SIGXCPU",
}
