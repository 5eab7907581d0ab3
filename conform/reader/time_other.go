//go:build !linux

package reader

import "time"

var start = time.Now()

// processorTime returns the time since the start: the processor time of a thread is not
// available.
func processorTime() time.Duration { return time.Since(start) }
