//go:build unix

package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// die ends the program as a signal does.
func die(s os.Signal) {
	signal.Reset(s)
	if n, ok := s.(syscall.Signal); ok {
		_ = syscall.Kill(os.Getpid(), n)
	}
	select {} // the signal may be on its way
}
