//go:build !linux

package reader

import "time"

var start = time.Now()

// processorTime returns the time since the start: there is none of a thread here.
func processorTime() time.Duration { return time.Since(start) }
