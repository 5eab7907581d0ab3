package reader

import (
	"time"

	"golang.org/x/sys/unix"
)

// processorTime returns the processor time of this thread so far.
func processorTime() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
