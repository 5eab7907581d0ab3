package adapter

import (
	"bytes"
	"fmt"
	"os"
	"slices"
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
	stateField    = 0 // field 3, the first one
	parentField   = 4 - 3
	userField     = 14 - 3 // the first of four times: user and system, of the process and of ended children
	timesOfOne    = 2
	timesOfEnded  = 2
	ticksASecond  = 100 // on every processor that Go supports
	durationATick = time.Second / ticksASecond
)

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
	for _, n := range numbers("/proc") {
		fields := stat(fmt.Sprintf("/proc/%d/stat", n))
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
	tasks := fmt.Sprintf("/proc/%d/task", pid)
	return slices.ContainsFunc(numbers(tasks), func(thread int) bool {
		fields := stat(fmt.Sprintf("%s/%d/stat", tasks, thread))
		return len(fields) > stateField && string(fields[stateField]) == "R"
	})
}

// numbers returns the names in a directory that are numbers.
func numbers(directory string) (list []int) {
	d, err := os.Open(directory)
	if err != nil {
		return nil
	}
	defer d.Close()
	names, _ := d.Readdirnames(-1)
	for _, name := range names {
		if n, err := strconv.Atoi(name); err == nil {
			list = append(list, n)
		}
	}
	return list
}

// stat returns the fields of a file stat behind the name; none if the process is gone.
func stat(file string) [][]byte {
	text, _ := os.ReadFile(file)
	return bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
}
