//go:build linux || darwin

package reader

import (
	"runtime"
	"syscall"

	"github.com/picaproof/picaproof/oracle/adapter"
)

// peak returns the largest memory of a program, in bytes; 0 if it is not known. On Linux, the
// system reports at least the memory that this process had when it started the program; only a
// larger number describes the program. The system counts in batches, so up to an eighth more may
// also be this process.
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
