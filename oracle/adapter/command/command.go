package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

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

// Input is what a command is given.
type Input struct {
	Files     [][]byte // one, or two: {in} and {in2}
	Extension string   // of the names of the files, with its dot
	Entry     string   // for {entry}
	Geometry  bool     // for {gs:TEXT}
}

// Line is a command line with places. Many goroutines may use it.
type Line struct {
	text   string
	runner *adapter.Runner

	mu   sync.Mutex
	root string   // the directory that holds those of the runs
	free []string // directories that no run uses
	made int      // directories

	// answered says that the command ended otherwise than as one that is not there.
	answered atomic.Bool

	probe  sync.Once
	memory int // KiB of address space; 0 means no limit
}

// New returns a command line. Nothing is started yet.
func New(text string) *Line { return &Line{text: text, runner: adapter.NewRunner()} }

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
		_ = os.RemoveAll(l.root)
	}
}

// Result is what became of an input.
type Result struct {
	End
	Exit adapter.Exit
	// Output is what the command wrote to {out}, or the first file of {outdir}. NoOutput
	// says why there is none.
	Output   []byte
	NoOutput error
	// Misdeed says which file the command must not have touched: "its input is changed",
	// "its input is gone", "an output behind a failure". It is empty if there is none.
	Misdeed string
}

// ErrStart says that a shell found no program, or none that it may run.
var ErrStart = errors.New("the command does not start")

// maxMemory is the address space that a command has, so that one that allocates by a
// count that nobody checked does not take the memory of the machine.
const maxMemory = 2 << 20 // KiB

// Run gives the command an input. An error means that nothing can be said about the
// command: it does not start, or the context ended.
//
// A command that does not run within the limit of its memory, as programs built with
// sanitizers do not, has none: the first input is tried both ways.
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
	r.End = Judge(&r.Exit)
	if missing := r.Exit.Kind == "exit" && (r.Exit.Message == "126" || r.Exit.Message == "127"); !missing {
		l.answered.Store(true)
	} else if !l.answered.Load() {
		return r, fmt.Errorf("%s: %w: status %s: %s", l.text, ErrStart, r.Exit.Message, firstLine(r.Stderr))
	}
	if r.Outcome == Done {
		r.Output, r.NoOutput = adapter.ReadOutput(l.output(&n))
	}
	r.Misdeed = l.misdeed(in, &n, r.Outcome)
	return r, nil
}

// misdeed returns the misdeed of a run. An output behind a failure is one because the next
// tool takes it for good, unless it is empty or the shell opened it.
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

// take returns an empty directory that nobody else uses until it is put back.
func (l *Line) take() (dir string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.root == "" {
		if l.root, err = os.MkdirTemp("", "picaproof-"); err != nil {
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

// put empties a directory for the next run.
func (l *Line) put(dir string) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
	}
	if err != nil { // the command made something that cannot be removed
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.free = append(l.free, dir)
}

// outDirectory is the name of the directory that {outdir} stands for, outFile that of {out}.
const (
	outDirectory = "out"
	outFile      = "out.bin"
)

// names are the names of the files of a run.
type names struct {
	files     string // directory of the inputs, "" for the current one
	out       string // directory of the output
	extension string
}

// file returns the name of an input.
func (n *names) file(i int) string {
	return filepath.Join(n.files, "in"+strings.TrimPrefix(strconv.Itoa(i+1), "1")+n.extension)
}

// output returns the name of the file that the command wrote.
func (l *Line) output(n *names) string {
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
			return word(n.file(0))
		case place == Second && len(in.Files) > 1:
			return word(n.file(1))
		case place == Out:
			return word(filepath.Join(n.out, outFile))
		case place == Directory:
			return word(n.out)
		case place == Entry:
			return in.Entry
		case strings.HasPrefix(place, Geometry) && in.Geometry:
			return places.FindStringSubmatch(place)[1]
		}
		return ""
	})
}

// bounded returns a command with a limit of its address space, in KiB.
func bounded(line string, memory int) string {
	switch {
	case memory == 0:
		return line
	case strings.ContainsAny(line, "&|;<>()#=!\n"):
		return fmt.Sprintf("ulimit -v %d && { %s\n}", memory, line)
	}
	return fmt.Sprintf("ulimit -v %d && exec %s", memory, line)
}
