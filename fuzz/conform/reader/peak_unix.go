//go:build linux || darwin

package reader

import (
	"os"
	"runtime"
	"syscall"
)

// peak returns the most memory that a process had at a time, in bytes.
func peak(s *os.ProcessState) int64 {
	usage, ok := s.SysUsage().(*syscall.Rusage)
	switch {
	case !ok:
		return 0
	case runtime.GOOS == "darwin":
		return usage.Maxrss
	}
	return usage.Maxrss << 10
}
