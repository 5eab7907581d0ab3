package adapter

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/picaproof/picaproof/oracle/adapter/orphans"
)

// launcher starts processes from a thread that lives as long as the launcher, because the
// kernel may tie the life of a process to the thread that started it.
type launcher struct {
	commands chan launch
	// sleeps says that a program was found asleep that nothing disturbed.
	sleeps atomic.Bool
}

type launch struct {
	cmd    *exec.Cmd
	result chan error
}

func newLauncher() *launcher {
	l := &launcher{commands: make(chan launch)}
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		for c := range l.commands {
			c.result <- orphans.Start(c.cmd)
		}
	}()
	return l
}

func (l *launcher) start(cmd *exec.Cmd) error {
	c := launch{cmd, make(chan error)}
	l.commands <- c
	return <-c.result
}

func (l *launcher) close() { close(l.commands) }

// allow returns what a program gets that has a limit. Alone, with a limit of Longer times as much,
// it may sleep no longer.
func (l *launcher) allow(limit time.Duration) allowance {
	sleep := slack * limit
	if l.sleeps.Load() {
		sleep = lessSlack * limit
	}
	if undisturbed.Load() {
		sleep /= Longer
	}
	return allowance{limit, sleep}
}

// process is a running core. One goroutine uses it; any may call kill.
type process struct {
	cmd     *exec.Cmd
	shell   bool // the command runs in a shell, which reports signals as exit statuses
	in, out *os.File
	reader  *bufio.Reader
	long    []byte // memory for lines longer than the reader's buffer
	stderr  *tail
	mu      sync.Mutex
	gone    bool          // the process has ended and was waited for
	killed  bool          // kill ended the process: until then it had not ended itself
	ended   chan struct{} // closed when gone is set
	dog     *watchdog
	grace   time.Duration // for receive: how long the process may live after it closed its output
	late    atomic.Bool   // the time limit was exceeded
	slow    atomic.Bool   // the limit of processor time was exceeded
	busy    atomic.Bool   // requests are under way
	greeted bool
	// sequence has the requests that were sent; answered counts the replies.
	sequence Sequence
	answered int
	refused  bool // the last reply was an error
}

// startProcess runs a command.
func startProcess(l *launcher, command string) (*process, error) {
	cmd, shell := commandLine(command)
	p := &process{cmd: cmd, shell: shell, stderr: new(tail), ended: make(chan struct{})}
	var ends [6]*os.File // reading and writing ends of stdin, stdout, stderr
	closeAll := func(files ...*os.File) {
		for _, f := range files {
			if f != nil {
				_ = f.Close()
			}
		}
	}
	for k := 0; k < len(ends); k += 2 {
		var err error
		if ends[k], ends[k+1], err = os.Pipe(); err != nil {
			closeAll(ends[:]...)
			return nil, err
		}
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = ends[0], ends[3], ends[5]
	separate(cmd)
	if err := l.start(cmd); err != nil {
		closeAll(ends[:]...)
		return nil, err
	}
	closeAll(ends[0], ends[3], ends[5])
	p.in, p.out = ends[1], ends[2]
	p.reader = bufio.NewReaderSize(p.out, 1<<16)
	p.stderr.follow(ends[4])
	p.dog = newWatchdog(cmd.Process.Pid, func(slept bool) {
		p.late.Store(true)
		p.slow.Store(!slept)
		if slept && undisturbed.Load() {
			l.sleeps.Store(true)
		}
		p.kill()
	})
	go func() {
		p.finish()
		orphans.End()
		// Another process that has the pipe open must not keep us waiting.
		_ = p.out.SetReadDeadline(time.Now().Add(afterlife))
		close(p.ended)
	}()
	return p, nil
}

// afterlife is the time in which output of an ended process is still read from a pipe that
// other processes have open.
const afterlife = time.Second

// kill ends the process, unless it has ended itself, and everything that waits for it.
func (p *process) kill() {
	p.stopSending()
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.over() {
		p.killed = true
		p.killGroup()
		_ = p.out.SetReadDeadline(time.Now())
	}
}

// stopSending ends a write of requests; the process goes on.
func (p *process) stopSending() { _ = p.in.SetWriteDeadline(time.Now()) }

// send writes requests. It blocks no longer than the current limit.
func (p *process) send(lines []byte) error {
	_, err := p.in.Write(lines)
	return err
}

// Errors of receive. They say what happened to the process, not what was read first.
var (
	errEnded  = errors.New("the process ended")
	errClosed = errors.New("the output was closed without an answer")
	errLate   = errors.New("no answer in time")
	errFlood  = errors.New("more output than an answer can have")
)

// receive returns the next line without its end, valid until the next call. A last line
// without an end does not count. At the end of the output, receive waits until the process
// ends or the grace is over.
func (p *process) receive(limit int) ([]byte, error) {
	line, err := p.reader.ReadSlice('\n')
	if err == nil {
		return line, nil
	}
	p.long = p.long[:0]
	for err == bufio.ErrBufferFull {
		if p.long = append(p.long, line...); len(p.long) > limit {
			return nil, errFlood
		}
		line, err = p.reader.ReadSlice('\n')
	}
	if err != nil {
		inTime := !p.late.Load()
		if inTime {
			p.dog.watch(exactly(p.grace))
		}
		<-p.ended
		p.dog.rest()
		switch {
		case !p.killed:
			return nil, errEnded
		case inTime:
			return nil, errClosed
		}
		return nil, errLate
	}
	p.long = append(p.long, line...)
	return p.long, nil
}

// drain reads the rest of the output, at most limit bytes, from a process whose input has
// ended. It returns nil if the limit is exceeded, else why the output ended.
func (p *process) drain(limit int) error {
	_ = p.in.Close()
	for limit > 0 {
		line, err := p.receive(limit)
		if err != nil {
			return err
		}
		limit -= len(line) + 1
	}
	return nil
}

// stop ends the process, at the latest after the grace, and returns how it ended.
func (p *process) stop(grace time.Duration) (kind, message, stderr string) {
	_ = p.in.Close()
	if grace > 0 {
		select {
		case <-p.ended:
		case <-time.After(grace):
		}
	}
	p.dog.rest()
	p.kill()
	<-p.ended
	_ = p.out.Close()
	stderr = p.stderr.close()
	if name := signalled(p.cmd); name != "" {
		return "signal", name, stderr
	}
	status := p.cmd.ProcessState.ExitCode()
	if name := signalName(status - 128); p.shell && status > 128 && status < 160 && name != "" {
		return "signal", name, stderr
	}
	return "exit", strconv.Itoa(status), stderr
}

// shellCharacters are the characters with a meaning in a shell. In the first word "=" has one, too: a=b sets a
// variable.
const shellCharacters = "|&;<>()$`\\\"'*?[]#~%{}!\n"

// commandLine returns the process of a command: the program itself if the command
// consists of plain words, else a shell.
func commandLine(command string) (cmd *exec.Cmd, shell bool) {
	words := strings.Fields(command)
	switch {
	case len(words) > 0 && !strings.ContainsAny(command, shellCharacters) && !strings.Contains(words[0], "="):
		return exec.Command(words[0], words[1:]...), false
	case runtime.GOOS == "windows":
		return exec.Command("cmd", "/c", command), true
	}
	return exec.Command("sh", "-c", command), true
}

// tail keeps the beginning and the end of the standard error of a process.
type tail struct {
	file *os.File
	done chan struct{}
	head []byte
	kept []byte
	cut  bool
}

// Sizes of the kept beginning, which shows the first fault, and of the kept end, where
// reports of sanitizers have their summary.
const (
	maxHead = 2048
	maxTail = 4096
)

func (t *tail) follow(f *os.File) {
	t.file, t.done = f, make(chan struct{})
	go func() {
		defer close(t.done)
		chunk := make([]byte, maxTail)
		for {
			n, err := f.Read(chunk)
			more := chunk[:n]
			first := min(maxHead-len(t.head), n)
			t.head, more = append(t.head, more[:first]...), more[first:]
			if t.kept = append(t.kept, more...); len(t.kept) > 2*maxTail {
				t.kept = append(t.kept[:0], t.kept[len(t.kept)-maxTail:]...)
				t.cut = true
			}
			if err != nil {
				return
			}
		}
	}()
}

// close returns the kept text.
func (t *tail) close() string {
	_ = t.file.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
	<-t.done
	_ = t.file.Close()
	if len(t.kept) > maxTail {
		t.kept, t.cut = t.kept[len(t.kept)-maxTail:], true
	}
	if t.cut {
		return string(t.head) + "\n...\n" + string(t.kept)
	}
	return string(t.head) + string(t.kept)
}
