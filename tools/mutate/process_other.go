//go:build !unix

package main

import (
	"os/exec"
	"time"
)

// ownGroup does nothing: cancelling ends the process itself.
func ownGroup(*exec.Cmd) {}

// usage returns nothing here, so that only wall time limits a test.
func usage(int) (memory int, spent time.Duration) { return 0, 0 }
