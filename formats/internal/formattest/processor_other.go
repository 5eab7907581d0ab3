//go:build !linux

package formattest

import "time"

var start = time.Now()

// processorTime returns the time since the start: the standard library has no clock of a thread here.
func processorTime() time.Duration { return time.Since(start) }
