package adapter

import (
	"sync"
	"time"
)

// allowance is the time in which a process must make progress. It is over when the process has used so much processor
// time, or has slept for so long. A process that waits for a processor does not sleep, so a busy machine makes no
// hangs. Where the system does not tell the processor time of another process, its wall time counts instead.
type allowance struct{ processor, sleep time.Duration }

// Sleeps, in limits of processor time. A program that was found asleep once, alone, has less.
const (
	slack     = 10
	lessSlack = 3
)

// Between two looks at a process.
const (
	shortestGap = 10 * time.Millisecond
	longestGap  = time.Second
)

// exactly returns as much processor time as sleep.
func exactly(d time.Duration) allowance { return allowance{d, d} }

// plus adds the same time to both.
func (a allowance) plus(d time.Duration) allowance { return allowance{a.processor + d, a.sleep + d} }

// left returns the time until the next look at a process that has used processor time and has slept; the time is over
// if nothing is left.
func (a allowance) left(used, slept time.Duration) time.Duration {
	if used >= a.processor || slept >= a.sleep {
		return 0
	}
	return min(max(a.processor-used, shortestGap), a.sleep-slept, longestGap)
}

// spent returns how an exceeded allowance is reported.
func (a allowance) spent(slept time.Duration) string {
	if slept >= a.sleep {
		return a.sleep.String()
	}
	return a.processor.String() + " of processor time"
}

// watchdog ends a process that exceeds its allowance. One goroutine calls watch and rest.
type watchdog struct {
	pid  int
	bite func(slept bool) // ends the process
	mu   sync.Mutex
	on   bool
	allowance
	timer  *time.Timer
	looked time.Time     // at the start, then at each look
	gap    time.Duration // planned, to the next look
	awake  time.Duration // the gaps so far, none longer than planned
	slept  time.Duration
	before usage // the processor time at the start
	// children says that before has the time of the children of the process, too. At first they
	// have used none; later it takes a look to know it.
	children bool
	told     string // how the exceeded allowance is reported
}

// usage is the processor time of a process and of its children. If it is not known, known is false.
type usage struct {
	own, children time.Duration
	ready         bool // one of them runs or waits for a processor
	known         bool
}

func newWatchdog(pid int, bite func(slept bool)) *watchdog {
	w := &watchdog{pid: pid, bite: bite, children: true}
	w.timer = time.AfterFunc(time.Hour, w.look)
	w.timer.Stop()
	return w
}

// watch gives the process time from now on, and returns the processor time that it used itself since the last call.
func (w *watchdog) watch(a allowance) (used time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.children = w.looked.IsZero()
	w.on, w.allowance, w.looked, w.awake, w.slept = true, a, time.Now(), 0, 0
	before := w.before.own
	w.before.own, w.before.known = ownTime(w.pid)
	w.gap = a.left(0, 0)
	w.timer.Reset(w.gap)
	return w.before.own - before
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

// look ends the process if its time is over. Of a gap that got longer than planned only the planned time counts: this
// program did not get a processor either, or the machine stood still.
func (w *watchdog) look() {
	w.mu.Lock()
	if !w.on {
		w.mu.Unlock()
		return
	}
	gap := min(time.Since(w.looked), w.gap)
	w.looked = time.Now()
	w.awake += gap
	used, now := w.awake, w.now()
	if w.before.known && now.known {
		used = now.own + now.children - w.before.own - w.before.children
	}
	if !now.ready {
		w.slept = min(w.slept+gap, w.awake-used)
	}
	if w.gap = w.left(used, w.slept); w.gap > 0 {
		w.timer.Reset(w.gap)
		w.mu.Unlock()
		return
	}
	w.on, w.told = false, w.allowance.spent(w.slept)
	slept := used < w.processor
	w.mu.Unlock()
	w.bite(slept)
}

// now returns the processor time so far. The first look at a process that has answered before
// sets the time of its children: they may have used it for earlier answers.
func (w *watchdog) now() (u usage) {
	u.own, u.known = ownTime(w.pid)
	if u.known {
		u.children, u.ready = family(w.pid)
	}
	if !w.children {
		w.before.children, w.children = u.children, true
	}
	return u
}
