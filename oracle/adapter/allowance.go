package adapter

import (
	"sync"
	"time"
)

// allowance is the time in which a process must make progress. It is over when the process has
// used so much processor time, or when the wall time is over: the processor may be busy with other
// processes, but one that sleeps for so long hangs, too. Where the system does not tell the
// processor time of another process, its wall time counts as processor time.
type allowance struct{ processor, wall time.Duration }

// Wall times, in limits of processor time. A program that was found asleep once, alone, has less.
const (
	slack       = 10
	lessSlack   = 3
	shortestGap = 10 * time.Millisecond // between two looks at a process
)

// exactly returns an allowance of wall time.
func exactly(d time.Duration) allowance { return allowance{d, d} }

// plus adds the same time to both.
func (a allowance) plus(d time.Duration) allowance { return allowance{a.processor + d, a.wall + d} }

// left returns the time until the next look at a process, after so much wall time and processor
// time; the time is over if nothing is left.
func (a allowance) left(wall, processor time.Duration) time.Duration {
	if wall < a.processor {
		return min(a.processor, a.wall) - wall
	}
	if processor >= a.processor || wall >= a.wall {
		return 0
	}
	return min(max(a.processor-processor, shortestGap), a.wall-wall)
}

// spent returns how an exceeded allowance is reported.
func (a allowance) spent(wall time.Duration) string {
	if wall >= a.wall {
		return a.wall.String()
	}
	return a.processor.String() + " of processor time"
}

// watchdog ends a process that exceeds its allowance. One goroutine calls watch and rest.
type watchdog struct {
	pid  int
	bite func(used share) // ends the process
	mu   sync.Mutex
	on   bool
	allowance
	timer  *time.Timer
	start  time.Time
	before usage // the processor time at the start
	// children says that before has the time of the children of the process, too. At first they
	// have used none; later it takes a look to know it.
	children bool
	told     string // how the exceeded allowance is reported
}

// usage is the processor time of a process and of its children. If it is not known, known is false.
type usage struct {
	own, children time.Duration
	known         bool
}

func newWatchdog(pid int, bite func(used share)) *watchdog {
	w := &watchdog{pid: pid, bite: bite, children: true}
	w.timer = time.AfterFunc(time.Hour, w.look)
	w.timer.Stop()
	return w
}

// watch gives the process time from now on.
func (w *watchdog) watch(a allowance) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.children = w.start.IsZero()
	w.on, w.allowance, w.start = true, a, time.Now()
	w.before.own, w.before.known = ownTime(w.pid)
	w.timer.Reset(a.left(0, 0))
}

// rest ends the watch.
func (w *watchdog) rest() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.on = false
	w.timer.Stop()
}

// spent returns how the exceeded allowance is reported.
func (w *watchdog) spent() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.told
}

// look ends the process if its time is over.
func (w *watchdog) look() {
	w.mu.Lock()
	if !w.on {
		w.mu.Unlock()
		return
	}
	wall := time.Since(w.start)
	used := wall
	if now := w.now(); w.before.known && now.known {
		used = now.own + now.children - w.before.own - w.before.children
	}
	if left := w.left(wall, used); left > 0 {
		w.timer.Reset(left)
		w.mu.Unlock()
		return
	}
	w.on, w.told = false, w.allowance.spent(wall)
	s := some
	switch {
	case used >= w.processor:
		s = all
	case used < w.processor/2:
		s = little
	}
	w.mu.Unlock()
	w.bite(s)
}

// share is how much of its processor time a process used before its allowance was over.
type share int

const (
	little share = iota // it slept
	some                // other processes had the processor
	all
)

// now returns the processor time so far. The first look at a process that has answered before
// sets the time of its children: they may have used it for earlier answers.
func (w *watchdog) now() (u usage) {
	u.own, u.known = ownTime(w.pid)
	if u.known {
		u.children = childrenTime(w.pid)
	}
	if !w.children {
		w.before.children, w.children = u.children, true
	}
	return u
}
