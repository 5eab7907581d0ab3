//go:build linux || darwin

package reader

import (
	"runtime"
	"syscall"

	"github.com/picaproof/picaproof/oracle/adapter"
)

// peak returns the most memory that a program had at a time, in bytes; 0 when it is not
// known. On Linux, what the system says of a process is never less than what this process
// had when it started it; only above that it speaks of the program. The system counts
// that in batches, so an eighth more may be this process, too.
func peak(e *adapter.Exit) int64 {
	usage, ok := e.State.SysUsage().(*syscall.Rusage)
	if !ok {
		return e.Memory
	}
	if runtime.GOOS == "darwin" {
		return usage.Maxrss
	}
	var own syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &own); err == nil && usage.Maxrss <= own.Maxrss+own.Maxrss/8 {
		return e.Memory
	}
	return usage.Maxrss << 10
}
