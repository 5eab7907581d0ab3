package orphans

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"

	"github.com/picaproof/picaproof/oracle/adapter/internal/proc"
)

// sweep kills or buries the orphans that it finds: of programs that have ended, or all. It reports
// whether it found any; their own children are orphans only when they are gone. The caller holds
// the lock.
func sweep(all bool) (found bool) {
	c := &children
	oldest := c.started + 1
	for _, p := range c.programs {
		oldest = min(oldest, p.number)
	}
	present := map[int]bool{}
	for _, pid := range c.list.children(all) {
		if _, ours := c.programs[pid]; ours {
			continue
		}
		if buried(pid) {
			found = true
			continue
		}
		present[pid] = true
		ownerless, known := c.ownerless(pid, oldest)
		found = found || all || ownerless || !known
		if all || ownerless {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	for pid := range c.unmarked {
		if !present[pid] {
			delete(c.unmarked, pid)
		}
	}
	return found
}

// ownerless reports whether the program that left an orphan behind has ended. It is not known of
// an orphan that is about to become another program.
func (c *state) ownerless(pid int, oldest uint64) (ownerless, known bool) {
	environment, known := environmentOf(pid)
	if !known {
		return false, false
	}
	if number, ok := mark(environment); ok {
		for _, p := range c.programs {
			if p.number == number {
				return false, true
			}
		}
		return true, true
	}
	seen, ok := c.unmarked[pid]
	if !ok {
		seen = c.started
		c.unmarked[pid] = seen
	}
	return oldest > seen, true
}

// mark returns the number of the program that has this environment, or a parent with it.
func mark(environment []byte) (number uint64, ok bool) {
	for entry := range bytes.SplitSeq(environment, []byte{0}) {
		if text, ok := bytes.CutPrefix(entry, []byte(variable+"="+prefix)); ok {
			number, err := strconv.ParseUint(string(text), 10, 64)
			return number, err == nil
		}
	}
	return 0, false
}

// environmentOf returns the environment of a process, which may be empty, or hidden from us. It is
// not known while the kernel replaces the memory of the process by that of another program.
func environmentOf(pid int) (environment []byte, known bool) {
	for range 2 { // the first look may be at memory that is gone
		environment, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
		if err != nil || len(environment) > 0 {
			return environment, true
		}
		if start := proc.Of(pid).Text(proc.EnvironmentStart); start == "" || start == "0" {
			return nil, false
		}
	}
	return nil, true
}

// buried waits for an orphan that has ended, and reports whether it has. The lock keeps the number
// from being the number of a program, for which somebody else waits.
func buried(pid int) bool {
	got, err := syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
	return err == nil && got == pid
}
