//go:build unix

package orphans

import (
	"os/exec"
	"syscall"
)

// kill ends a program and the rest of its process group, if it has one of its own.
func kill(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	_ = cmd.Process.Kill()
}
