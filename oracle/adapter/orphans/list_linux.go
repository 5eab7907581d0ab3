package orphans

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// lister lists the children of this process.
type lister struct {
	adopted string // the kernel's list of the children of the first thread, "" if it has none
	// before has the processes that existed when this one began to adopt orphans and are none of
	// its children: they never become children. It spares most of the work where the kernel has
	// no list.
	before map[int]bool
}

// begin prepares the lister.
func (l *lister) begin() {
	name := fmt.Sprintf("/proc/self/task/%d/children", os.Getpid())
	if _, err := os.Stat(name); err == nil {
		l.adopted = name
		return
	}
	l.before = map[int]bool{}
	for _, pid := range processes() {
		l.before[pid] = parent(pid) != os.Getpid()
	}
}

// children returns the children of this process, all or at least those that it has adopted: the kernel gives them to
// the first thread (find_new_reaper in kernel/exit.c), which lives as long as the process. One that appears meanwhile
// may be missing, but then its parent was a child that was listed.
func (l *lister) children(all bool) (list []int) {
	if l.adopted != "" {
		files := []string{l.adopted}
		if all {
			files, _ = filepath.Glob("/proc/self/task/*/children")
		}
		for _, name := range files {
			text, _ := os.ReadFile(name) // the thread may have ended
			for _, word := range bytes.Fields(text) {
				if pid, err := strconv.Atoi(string(word)); err == nil {
					list = append(list, pid)
				}
			}
		}
		return list
	}
	still := map[int]bool{}
	for _, pid := range processes() {
		if l.before[pid] {
			still[pid] = true
		} else if parent(pid) == os.Getpid() {
			list = append(list, pid)
		}
	}
	l.before = still
	return list
}

// processes returns the numbers of all processes.
func processes() (list []int) {
	d, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer d.Close()
	names, _ := d.Readdirnames(-1)
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			list = append(list, pid)
		}
	}
	return list
}

// parent returns the number of the parent of a process, 0 if the process is gone.
func parent(pid int) (number int) {
	if fields := stat(pid); len(fields) > 1 {
		number, _ = strconv.Atoi(string(fields[1]))
	}
	return number
}

// stat returns the fields of the state of a process behind its name, which may contain anything.
func stat(pid int) [][]byte {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
}
