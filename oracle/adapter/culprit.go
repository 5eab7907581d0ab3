package adapter

import "context"

// maxReplays limits the replays of a sequence.
const maxReplays = 300

// confirmations is the number of replays in which the result must end a process. A
// process that ends at random does not pass.
const confirmations = 4

// Culprit finds the jobs that cause a damage. It replays the sequence; if a process ends
// again, it finds by bisection the last request that is necessary for that, then drops as
// many of the later ones as possible. The result begins with the request that does the
// damage and ends with the request that shows it; last is the answer to the latter.
// Culprit returns nil if no replay ends a process: the crash was a fluke.
func Culprit(ctx context.Context, core Core, d *Damage) (s Sequence, last Answer) {
	s = d.Sequence
	replays := 0
	ends := func(s Sequence) bool {
		replays++
		a, answered := core.Replay(ctx, s)
		if a.Fate != Crashed {
			return false
		}
		last = a
		return answered < len(s)
	}
	if !ends(s) {
		return nil, last
	}
	// s[low:] ends a process, s[high:] does not.
	low, high := 0, len(s)
	for high-low > 1 {
		if middle := (low + high) / 2; ends(s[middle:]) {
			low = middle
		} else {
			high = middle
		}
	}
	s = s[low:]
	for size := len(s) / 2; size >= 1; size /= 2 {
		for at := 1; at < len(s) && ctx.Err() == nil && replays < maxReplays; {
			rest := append(append(Sequence{}, s[:at]...), s[min(at+size, len(s)):]...)
			if ends(rest) {
				s = rest
			} else {
				at += size
			}
		}
	}
	for range confirmations {
		if !ends(s) {
			return nil, last
		}
	}
	return s, last
}
