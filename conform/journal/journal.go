// Package journal serves this module: it stores the answers of a program, so that an interrupted
// run goes on. The same run asks the same questions again: it gets the stored answers, and only
// the rest from the program.
//
// A journal is a file of lines. The first has the options of the run. Each other line has an
// answer, under the hash of its question and the number of times that it was asked before. It is
// written with one call: a kill loses at most the last line, whose torn beginning the next run
// cuts off.
package journal

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/picaproof/picaproof/internal/lockfile"
)

// Errors of Open.
var (
	ErrJournal = errors.New("not a journal of answers")
	ErrOther   = errors.New("the journal of another run")
	ErrRebuilt = errors.New("the program has changed since this state was stored; delete the state")
	ErrRunning = errors.New("the run is already going on")
)

// Journal stores answers. Several goroutines may use it.
type Journal struct {
	name string
	file *os.File // nil if nothing is stored
	lock *lockfile.Lock
	// fail is called when the program cannot be asked any more, although it has answered before.
	fail     func(error)
	answered atomic.Bool

	mu    sync.Mutex
	end   int64            // of the last line
	asked map[string]int   // how often each question was asked in this run
	lines map[string]place // by question and number
	history
}

// place is the place of a line in the file.
type place struct {
	at   int64
	size int
}

// head is the first line.
type head struct {
	Journal int               `json:"picaproof_journal"` // the version
	Options map[string]string `json:"options"`
}

// line is any other line.
type line struct {
	Question string            `json:"q"`           // its hash
	Number   int               `json:"n,omitempty"` // the number of times that it was asked before
	Answer   json.RawMessage   `json:"a"`
	Raw      map[string][]byte `json:"raw,omitempty"` // fields of the answer that JSON cannot represent
	Behind   *behind           `json:"behind,omitempty"`
}

// Programs is the option with the hash of the judged programs. A program of the same name with another content is
// another one.
const Programs = "programs"

// Bounds of what is read from a journal.
const (
	version    = 1
	longest    = 256 << 20 // bytes of a line: an output of 64 MiB in Base64, and as much for other fields
	mostAsked  = 1 << 40
	hashLength = 2 * sha256.Size
)

// OnFailure sets what is called with the error when the program cannot be asked any more, although
// it has answered before, or an answer cannot be stored. It ends the context of the run, so that the
// results so far are reported.
func (j *Journal) OnFailure(do func(error)) { j.fail = do }

// failed returns the error of a question.
func (j *Journal) failed(ctx context.Context, err error) error {
	if j.fail == nil || ctx.Err() != nil || !j.answered.Load() {
		return err
	}
	j.fail(err)
	return context.Canceled
}

// give ends the run with an error of the journal itself, and returns the error.
func (j *Journal) give(err error) error {
	if j.fail != nil && !errors.Is(err, context.Canceled) {
		j.fail(err)
	}
	return err
}

// Open opens the journal of a run with these options, which it creates if there is none. With an
// empty name it stores nothing. The caller closes it.
func Open(name string, options map[string]string) (*Journal, error) {
	if name == "" {
		return &Journal{}, nil
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w: no regular file", name, ErrJournal)
	}
	j := &Journal{name: name, asked: map[string]int{}, lines: map[string]place{}, history: newHistory()}
	var err error
	if j.lock, err = lockfile.Take(name + ".lock"); errors.Is(err, lockfile.ErrTaken) {
		return nil, fmt.Errorf("%s: %w", name, ErrRunning)
	} else if err != nil {
		return nil, err
	}
	if err := j.begin(options); err != nil {
		return nil, errors.Join(err, j.Close())
	}
	return j, nil
}

// begin reads the answers of earlier runs, and cuts off a torn line.
func (j *Journal) begin(options map[string]string) (err error) {
	if j.file, err = os.OpenFile(j.name, os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		return err
	}
	if err := j.load(options); err != nil {
		return fmt.Errorf("%s: %w", j.name, err)
	}
	if j.end == 0 {
		if err := j.torn(); err != nil {
			return fmt.Errorf("%s: %w", j.name, err)
		}
	}
	if err := j.file.Truncate(j.end); err != nil || j.end > 0 {
		return err
	}
	return j.write(head{version, options})
}

// headStart is the beginning of every journal.
const headStart = `{"picaproof_journal":`

// torn returns an error unless the file is empty or has the beginning of a first line: another file
// without an end of a line is not overwritten.
func (j *Journal) torn() error {
	text := make([]byte, len(headStart))
	n, err := j.file.ReadAt(text, 0)
	if err != nil && err != io.EOF {
		return err
	}
	if !strings.HasPrefix(headStart, string(text[:n])) {
		return fmt.Errorf("line 1: %w: it begins with %.20q", ErrJournal, text[:n])
	}
	return nil
}

// Close closes the journal.
func (j *Journal) Close() error {
	var err error
	if j.file != nil {
		err = j.file.Close()
	}
	if j.lock != nil {
		err = errors.Join(err, j.lock.Release())
	}
	return err
}

// load reads the lines, each of which must be a line of this package. A last line without an end
// does not count.
func (j *Journal) load(options map[string]string) error {
	r := bufio.NewReaderSize(j.file, 1<<16)
	for n := 1; ; n++ {
		text, err := readLine(r)
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("line %d: %w", n, err)
		}
		if n == 1 {
			err = checkHead(text, options)
		} else {
			err = j.index(text)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		j.end += int64(len(text)) + 1
	}
}

// readLine returns the next line without its end; the error is io.EOF behind the last line with an
// end.
func readLine(r *bufio.Reader) (text []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		text = append(text, part...)
		switch {
		case len(text) > longest:
			return nil, fmt.Errorf("%w: more than %d bytes", ErrJournal, longest)
		case err == nil:
			return text[:len(text)-1], nil
		case err != bufio.ErrBufferFull:
			return nil, err
		}
	}
}

// decode reads a JSON object with these fields and no others.
func decode(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("%w: %w", ErrJournal, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("%w: more than one value", ErrJournal)
	}
	return nil
}

// checkHead compares the options of the journal with those of this run.
func checkHead(text []byte, options map[string]string) error {
	var h head
	if err := decode(text, &h); err != nil {
		return err
	}
	if h.Journal != version {
		return fmt.Errorf("%w: picaproof_journal is %d, want %d", ErrJournal, h.Journal, version)
	}
	names := slices.Concat(slices.Collect(maps.Keys(h.Options)), slices.Collect(maps.Keys(options)))
	slices.Sort(names)
	for _, name := range names {
		was, is := h.Options[name], options[name]
		if was != is && name == Programs {
			return fmt.Errorf("%w: %w", ErrOther, ErrRebuilt)
		}
		if was != is {
			return fmt.Errorf("%w: %s was %q, is %q", ErrOther, name, was, is)
		}
	}
	return nil
}

// index notes the place of an answer.
func (j *Journal) index(text []byte) error {
	var l line
	if err := decode(text, &l); err != nil {
		return err
	}
	if _, err := hex.DecodeString(l.Question); err != nil || len(l.Question) != hashLength {
		return fmt.Errorf("%w: q is %.80q, want %d hexadecimal digits", ErrJournal, l.Question, hashLength)
	}
	switch {
	case l.Number < 0 || l.Number > mostAsked:
		return fmt.Errorf("%w: n is %d, want 0 to %d", ErrJournal, l.Number, int64(mostAsked))
	case len(l.Answer) == 0 || l.Answer[0] != '{':
		return fmt.Errorf("%w: a is no object", ErrJournal)
	}
	answer := id(l.Question, l.Number)
	j.lines[answer] = place{j.end, len(text)}
	return j.add(answer, l.Behind)
}

func id(question string, number int) string { return fmt.Sprint(question, ".", number) }

// hash returns the hash of a question of several parts.
func hash(parts ...[]byte) string {
	h := sha256.New()
	for _, p := range parts {
		_ = binary.Write(h, binary.LittleEndian, uint64(len(p))) // a hash takes all
		h.Write(p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// next returns the number of times that a question was asked before.
func (j *Journal) next(question string) (number int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	number = j.asked[question]
	j.asked[question]++
	return number
}

// find returns a line of an earlier run.
func (j *Journal) find(question string, number int) (l line, ok bool, err error) {
	j.mu.Lock()
	p, ok := j.lines[id(question, number)]
	j.mu.Unlock()
	if !ok {
		return l, false, nil
	}
	text := make([]byte, p.size)
	if _, err := j.file.ReadAt(text, p.at); err != nil {
		return l, false, err
	}
	return l, true, decode(text, &l)
}

// write appends a line.
func (j *Journal) write(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, err := j.file.WriteAt(append(text, '\n'), j.end); err != nil {
		return err
	}
	j.end += int64(len(text)) + 1
	return nil
}
