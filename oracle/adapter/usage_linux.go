package adapter

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// ownTime returns the processor time of a process without its children.
func ownTime(pid int) (d time.Duration, known bool) {
	const allThreads = 2 // CPUCLOCK_SCHED
	var t unix.Timespec
	err := unix.ClockGettime(int32(^pid<<3|allThreads), &t)
	return time.Duration(t.Nano()), err == nil
}

// Fields of /proc/PID/stat behind the name.
const (
	parentField   = 4 - 3
	userField     = 14 - 3 // the first of four times: user and system, of the process and of ended children
	timesOfOne    = 2
	timesOfEnded  = 2
	ticksASecond  = 100 // on every processor that Go supports
	durationATick = time.Second / ticksASecond
)

// childrenTime returns the processor time of all children of a process, and of their children.
// Those that have lost their parent are missing.
func childrenTime(pid int) (sum time.Duration) {
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
	d, err := os.Open("/proc")
	if err != nil {
		return 0
	}
	defer d.Close()
	names, _ := d.Readdirnames(-1)
	for _, name := range names {
		n, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", n)) // the process may be gone
		fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
		if len(fields) < userField+timesOfOne+timesOfEnded {
			continue
		}
		times := func(from, count int) (d time.Duration) {
			for _, field := range fields[from : from+count] {
				ticks, _ := strconv.ParseInt(string(field), 10, 64)
				d += time.Duration(ticks) * durationATick
			}
			return d
		}
		parent, _ := strconv.Atoi(string(fields[parentField]))
		at(parent).children = append(at(parent).children, n)
		at(n).own, at(n).ended = times(userField, timesOfOne), times(userField+timesOfOne, timesOfEnded)
	}
	var add func(pid int)
	add = func(pid int) {
		sum += at(pid).ended
		for _, child := range at(pid).children {
			sum += at(child).own
			add(child)
		}
	}
	add(pid)
	return sum
}
