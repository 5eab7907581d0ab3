//go:build !unix

package orphans

import "os/exec"

// kill ends a program.
func kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
