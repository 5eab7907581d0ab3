package adapter

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"
)

// memoryOf returns the peak memory of a running program, in bytes, or 0.
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

// Intervals between two measurements of the memory of a program. The peak never falls, so
// only the last moments are missed.
const (
	firstLook = time.Millisecond
	lastLook  = 4 * time.Millisecond
)

// watchMemory measures the memory of a program until stop is called; stop returns the
// peak.
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
