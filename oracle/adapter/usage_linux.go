package adapter

import (
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/picaproof/picaproof/oracle/adapter/internal/proc"
)

// ownTime returns the processor time of a process without its children.
func ownTime(pid int) (d time.Duration, known bool) {
	const allThreads = 2 // CPUCLOCK_SCHED
	var t unix.Timespec
	err := unix.ClockGettime(int32(^pid<<3|allThreads), &t)
	return time.Duration(t.Nano()), err == nil
}

// family looks at a process, its children, and their children. It returns the processor time of all but the process
// itself, and whether one of them runs or waits for a processor. Those that have lost their parent are missing.
func family(pid int) (others time.Duration, ready bool) {
	type process struct {
		own, ended time.Duration
		children   []int
	}
	all := map[int]*process{}
	at := func(pid int) *process {
		if all[pid] == nil {
			all[pid] = &process{}
		}
		return all[pid]
	}
	const ticksASecond = 100 // on every processor that Go supports
	for _, n := range proc.All() {
		fields := proc.Of(n)
		times := func(user int) time.Duration {
			return time.Duration(fields.Int(user)+fields.Int(user+1)) * time.Second / ticksASecond
		}
		parent := at(fields.Int(proc.Parent))
		parent.children = append(parent.children, n)
		at(n).own, at(n).ended = times(proc.UserTime), times(proc.UserTime+2)
	}
	var add func(pid int)
	add = func(pid int) {
		ready = ready || anyReady(pid)
		others += at(pid).ended
		for _, child := range at(pid).children {
			others += at(child).own
			add(child)
		}
	}
	add(pid)
	return others, ready
}

// anyReady reports whether a thread of a process runs or waits for a processor.
func anyReady(pid int) bool {
	return slices.ContainsFunc(proc.Threads(pid), func(thread int) bool {
		return proc.OfThread(pid, thread).Text(proc.State) == "R"
	})
}
