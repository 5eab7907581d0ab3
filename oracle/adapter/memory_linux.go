package adapter

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"
)

// memoryOf returns the most memory that a running program had at a time, in bytes, or 0.
func memoryOf(pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := bytes.Cut(status, []byte("VmHWM:"))
	number, _, _ := bytes.Cut(bytes.TrimSpace(rest), []byte(" "))
	kilobytes, _ := strconv.ParseInt(string(number), 10, 64)
	return kilobytes << 10
}

// How often the memory of a program is looked at: it never falls, so that only what is
// taken in the last moments is missed.
const (
	firstLook = time.Millisecond
	lastLook  = 4 * time.Millisecond
)

// watchMemory looks at the memory of a program until stop is called, which returns the
// most that it had.
func watchMemory(pid int) (stop func() int64) {
	quit, most := make(chan struct{}), make(chan int64)
	go func() {
		var peak int64
		for pause := firstLook; ; pause = min(2*pause, lastLook) {
			peak = max(peak, memoryOf(pid))
			select {
			case <-quit:
				most <- peak
				return
			case <-time.After(pause):
			}
		}
	}()
	return func() int64 {
		close(quit)
		return <-most
	}
}
