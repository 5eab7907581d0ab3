package formattest

import (
	"time"

	"golang.org/x/sys/unix"
)

// processorTime returns the processor time of the thread.
func processorTime() time.Duration {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &now); err != nil {
		panic(err)
	}
	return time.Duration(now.Nano())
}
