//go:build !linux

package adapter

import "time"

// ownTime returns false: the system does not tell.
func ownTime(int) (d time.Duration, known bool) { return 0, false }

func family(int) (others time.Duration, ready bool) { return 0, false }
