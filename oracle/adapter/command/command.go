package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"

	"github.com/picaproof/picaproof/oracle/adapter"
)

// The places of a command line.
const (
	In        = "{in}"
	Second    = "{in2}"
	Out       = "{out}"
	Directory = "{outdir}"
	Entry     = "{entry}"
	Geometry  = "{gs:" // {gs:TEXT} stands for TEXT if the input is a geometry program, else for nothing
)

var places = regexp.MustCompile(`\{(?:in|in2|out|outdir|entry|gs:([^}]*))\}`)

// Input is the input of one run of a command.
type Input struct {
	Files     [][]byte // one, or two: {in} and {in2}
	Extension string   // of the names of the files, with its dot
	Entry     string   // for {entry}
	Geometry  bool     // for {gs:TEXT}
}

// Line is a command line with places. Several goroutines may use it.
type Line struct {
	text    string
	program string // the file of its first word, "" if that is no program
	runner  *adapter.Runner

	mu    sync.Mutex
	root  string   // the directory above the directories of the runs
	files *os.Root // root, whatever the command puts in its place
	lock  *flock.Flock
	free  []string // idle directories of runs
	made  int      // number of directories made

	// answered says that some end shows that the shell found the command.
	answered atomic.Bool

	probe  sync.Once
	memory int // KiB of address space; 0 means no limit
}

// New returns a command line. Nothing is started yet.
func New(text string) *Line {
	l := &Line{text: text, runner: adapter.NewRunner()}
	if words := strings.Fields(text); len(words) > 0 {
		l.program, _ = exec.LookPath(words[0]) // it may be no program, but a word of the shell
	}
	return l
}

// NewUnbounded is New for a command whose memory has no limit.
func NewUnbounded(text string) *Line {
	l := New(text)
	l.probe.Do(func() {})
	return l
}

// Has reports whether the command line has a place.
func (l *Line) Has(place string) bool { return strings.Contains(l.text, place) }

// String returns the command line.
func (l *Line) String() string { return l.text }

// Close removes the files of all runs. No run may be under way.
func (l *Line) Close() {
	l.runner.Close()
	if l.root != "" {
		_ = l.remove(".")
		_ = l.files.Close()
		_ = os.RemoveAll(l.root)
		_ = l.lock.Close()
	}
}

// Result is the result of a run.
type Result struct {
	End
	Exit adapter.Exit
	// Output is the content of {out}, or of the first file of {outdir}. NoOutput says
	// why there is no output.
	Output   []byte
	NoOutput error
	// Misdeed says what the command did to a file that it must not touch: "its input is
	// changed", "its input is gone", "an output behind a failure". It may be empty.
	Misdeed string
}

// ErrStart says that the shell found no executable program.
var ErrStart = errors.New("the command does not start")

// maxMemory is the address space of a command. It keeps a command that allocates by an
// unchecked count from using up the memory of the machine.
const maxMemory = 2 << 20 // KiB

// Run runs the command on an input. An error means that the run says nothing about the
// command: it does not start, or the context ended.
//
// A command that cannot run within the limit of memory, such as a program built with
// sanitizers, has no limit: the first input is tried both ways.
func (l *Line) Run(ctx context.Context, in *Input, limit time.Duration) (Result, error) {
	l.probe.Do(func() {
		if runtime.GOOS == "windows" {
			return
		}
		free, err := l.run(ctx, in, limit, 0)
		if err != nil {
			return
		}
		bound, err := l.run(ctx, in, limit, maxMemory)
		if err == nil && bound.Outcome == free.Outcome && bound.Exit.Message == free.Exit.Message &&
			bound.Fault == free.Fault {
			l.memory = maxMemory
		}
	})
	return l.run(ctx, in, limit, l.memory)
}

// run runs the command in a directory of its own.
func (l *Line) run(ctx context.Context, in *Input, limit time.Duration, memory int) (r Result, err error) {
	dir, err := l.take()
	if err != nil {
		return r, err
	}
	defer l.put(dir)
	n := names{files: dir, out: filepath.Join(dir, outDirectory), extension: in.Extension}
	if err := os.Mkdir(n.out, 0o700); err != nil {
		return r, err
	}
	for i, b := range in.Files {
		if err := os.WriteFile(n.file(i), b, 0o600); err != nil {
			return r, err
		}
	}
	if r.Exit, err = l.runner.Run(ctx, bounded(l.with(in, n), memory), limit); err != nil {
		return r, err
	}
	r.Exit.Stderr = strings.ReplaceAll(r.Exit.Stderr, dir+string(filepath.Separator), "")
	r.End = EndOf(&r.Exit)
	if missing := r.Exit.Kind == "exit" && (r.Exit.Message == "126" || r.Exit.Message == "127"); !missing {
		l.answered.Store(true)
	} else if !l.answered.Load() || l.gone() {
		return r, fmt.Errorf("%s: %w: status %s: %s", l.text, ErrStart, r.Exit.Message, firstLine(r.Stderr))
	}
	if r.Outcome == Done {
		r.Output, r.NoOutput = adapter.ReadOutput(l.output(&n))
	}
	r.Misdeed = l.misdeed(in, &n, r.Outcome)
	return r, nil
}

// gone reports whether the program at the beginning of the command line was there and is there no
// more.
func (l *Line) gone() bool {
	if l.program == "" {
		return false
	}
	_, err := os.Stat(l.program)
	return errors.Is(err, fs.ErrNotExist)
}

// misdeed returns the misdeed of a run. An output behind a failure is one, because the
// next tool would use it, unless it is empty or the shell opened it.
func (l *Line) misdeed(in *Input, n *names, o Outcome) string {
	for i, want := range in.Files {
		if _, err := os.Lstat(n.file(i)); errors.Is(err, fs.ErrNotExist) {
			return "its input is gone"
		}
		if got, err := adapter.ReadOutput(n.file(i)); err != nil || !bytes.Equal(got, want) {
			return "its input is changed"
		}
	}
	if o != Failed || strings.Contains(l.text, ">") {
		return ""
	}
	if b, err := adapter.ReadOutput(l.output(n)); err == nil && len(b) > 0 {
		return "an output behind a failure"
	}
	return ""
}

// take returns an empty directory for the caller alone, until put returns it.
func (l *Line) take() (dir string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.root == "" {
		if err := l.begin(); err != nil {
			return "", err
		}
	}
	if n := len(l.free); n > 0 {
		dir, l.free = l.free[n-1], l.free[:n-1]
		return dir, nil
	}
	l.made++
	dir = filepath.Join(l.root, strconv.Itoa(l.made))
	return dir, os.Mkdir(dir, 0o700)
}

// put empties a directory and returns it for another run.
func (l *Line) put(dir string) {
	name := filepath.Base(dir)
	if err := l.remove(name); err != nil { // the command made a file that cannot be removed
		return
	}
	if err := l.files.Mkdir(name, 0o700); err != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.free = append(l.free, dir)
}

// outDirectory is the name of {outdir}, outFile the name of {out}.
const (
	outDirectory = "out"
	outFile      = "out.bin"
)

// names are the names of the files of a run.
type names struct {
	files     string // directory of the inputs, "" for the current one
	out       string // directory of the output
	extension string
	inputs    []string // the names of the inputs, if they are given
}

// file returns the name of an input.
func (n *names) file(i int) string {
	if i < len(n.inputs) {
		return n.inputs[i]
	}
	return filepath.Join(n.files, "in"+strings.TrimPrefix(strconv.Itoa(i+1), "1")+n.extension)
}

// output returns the name of the output file.
func (l *Line) output(n *names) string {
	if info, err := os.Lstat(n.out); err != nil || !info.IsDir() { // the command put something in its place
		return n.out
	}
	if !l.Has(Out) && l.Has(Directory) {
		if files, err := os.ReadDir(n.out); err == nil && len(files) > 0 {
			return filepath.Join(n.out, files[0].Name())
		}
	}
	return filepath.Join(n.out, outFile)
}

// with returns the command line for an input.
func (l *Line) with(in *Input, n names) string {
	return places.ReplaceAllStringFunc(l.text, func(place string) string {
		switch {
		case place == In && len(in.Files) > 0:
			return Word(n.file(0))
		case place == Second && len(in.Files) > 1:
			return Word(n.file(1))
		case place == Out:
			return Word(filepath.Join(n.out, outFile))
		case place == Directory:
			return Word(n.out)
		case place == Entry:
			return in.Entry
		case strings.HasPrefix(place, Geometry) && in.Geometry:
			return places.FindStringSubmatch(place)[1]
		}
		return ""
	})
}

// bounded returns a command whose address space has a limit, in KiB.
func bounded(line string, memory int) string {
	switch {
	case memory == 0:
		return line
	case strings.ContainsAny(line, "&|;<>()#=!\n"):
		return fmt.Sprintf("ulimit -v %d && { %s\n}", memory, line)
	}
	return fmt.Sprintf("ulimit -v %d && exec %s", memory, line)
}
