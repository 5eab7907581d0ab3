// Package orphans serves this module: it starts programs, and ends what they leave behind.
//
// A program may start others in sessions of their own, which no signal to its process group
// reaches. Where this process is the parent of all orphans (see Adopt), such a process becomes a
// child of this one when its parent ends. It is ended when the program ends that started it:
// programs get a mark in their environment, which their children inherit. A child without the
// mark is ended when every program that ran at its first sight has ended.
package orphans

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os/exec"
	"strconv"
	"sync"
	"time"
)

// ErrEnded means that EndAll was called: nothing is started any more.
var ErrEnded = errors.New("the programs were ended")

// children has what is known about the children of this process. A program starts, and is waited
// for, under its lock: every other child is an orphan.
var children = state{programs: map[int]program{}, unmarked: map[int]uint64{}}

type state struct {
	sync.Mutex
	programs map[int]program // by the number of the process
	started  uint64          // programs
	adopts   bool
	ended    bool
	// unmarked has the number of started programs at the first sight of an orphan without a mark.
	unmarked map[int]uint64
	list     lister
}

// program is a running program.
type program struct {
	cmd    *exec.Cmd
	number uint64
}

// variable is the name of the mark in the environment, prefix the part of its value that tells
// the programs of this process from those of other processes.
const variable = "PICAPROOF_PROGRAM"

var prefix = strconv.FormatUint(rand.Uint64()|1<<63, 16) + "."

// Adopt says that this process gets all orphans of its children, and that Start starts all its
// children. Both are properties of the process, so only a command line may say so.
func Adopt() {
	children.Lock()
	defer children.Unlock()
	children.adopts = true
	children.list.begin()
}

// Start starts a program. When it has ended, the caller calls Wait.
func Start(cmd *exec.Cmd) error {
	c := &children
	c.Lock()
	defer c.Unlock()
	if c.ended {
		return ErrEnded
	}
	c.started++
	if c.adopts {
		cmd.Env = append(cmd.Environ(), variable+"="+prefix+strconv.FormatUint(c.started, 10))
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("cannot start %q: %w", cmd.Args[0], withoutCall(err))
	}
	c.programs[cmd.Process.Pid] = program{cmd, c.started}
	return nil
}

// withoutCall takes the name of the system call and of the program from an error of [exec.Cmd.Start].
func withoutCall(err error) error {
	if call, ok := errors.AsType[*fs.PathError](err); ok {
		return call.Err
	}
	if search, ok := errors.AsType[*exec.Error](err); ok {
		return search.Err
	}
	return err
}

// Wait waits for a program that has ended, or is about to. Afterwards its number may be the number
// of another process.
func Wait(cmd *exec.Cmd) {
	c := &children
	c.Lock()
	defer c.Unlock()
	_ = cmd.Wait() // the caller looks at its state
	delete(c.programs, cmd.Process.Pid)
}

// Times within which an orphan is waited for. One that the kernel holds longer is left to EndAll,
// and then to the system.
const (
	patience     = 2 * time.Second
	lastPatience = 5 * time.Second
	firstPause   = 50 * time.Microsecond
	longestPause = 5 * time.Millisecond
)

// End ends the orphans of programs that have ended. It returns when they are gone.
func End() {
	c := &children
	until(patience, func() (done bool) {
		c.Lock()
		defer c.Unlock()
		return !c.adopts || !sweep(false)
	})
}

// EndAll ends all programs and orphans. Afterwards nothing can be started.
func EndAll() {
	c := &children
	c.Lock()
	c.ended = true
	for _, p := range c.programs {
		kill(p.cmd)
	}
	c.Unlock()
	until(lastPatience, func() (done bool) {
		c.Lock()
		defer c.Unlock()
		left := c.adopts && c.started > 0 && sweep(true)
		return !left && len(c.programs) == 0
	})
}

// until calls step until it is done or the time is over.
func until(limit time.Duration, step func() (done bool)) {
	end := time.Now().Add(limit)
	for pause := firstPause; !step() && time.Now().Before(end); pause = min(2*pause, longestPause) {
		time.Sleep(pause)
	}
}
