package orphans

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/picaproof/picaproof/oracle/adapter/internal/proc"
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
	for _, pid := range proc.All() {
		l.before[pid] = proc.Of(pid).Int(proc.Parent) != os.Getpid()
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
	for _, pid := range proc.All() {
		if l.before[pid] {
			still[pid] = true
		} else if proc.Of(pid).Int(proc.Parent) == os.Getpid() {
			list = append(list, pid)
		}
	}
	l.before = still
	return list
}
