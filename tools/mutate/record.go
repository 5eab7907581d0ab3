package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// An outcome says how a mutant ended.
type outcome string

const (
	killed     outcome = "killed"
	timeout    outcome = "timeout"    // killed by a test that did not end
	survived   outcome = "survived"   // every suite so far
	equivalent outcome = "equivalent" // survived, and the reason says why no test can tell
)

// An entry is the record of one mutant.
type entry struct {
	identity
	Change  string  `json:"change"`
	Outcome outcome `json:"outcome"`
	// The first failing test of each suite; nobody, if none failed; empty, if the suite has not
	// judged the mutant.
	Generated string `json:"generated,omitempty"`
	Whole     string `json:"whole,omitempty"`
	// Why no test can tell an equivalent mutant. A survivor has the reason for an older text of
	// its unit.
	Reason string `json:"reason,omitempty"`
}

// nobody is the killer if no test failed.
const nobody = "none"

// killer returns the field of a suite.
func (e *entry) killer(suite string) *string {
	if suite == generatedSuite {
		return &e.Generated
	}
	return &e.Whole
}

// dead reports whether a test of a suite has noticed the mutant.
func (e *entry) dead(suite string) bool {
	k := *e.killer(suite)
	return k != "" && k != nobody
}

// A record is the knowledge about the mutants of one package: a file with one JSON object a
// line. Runs append to it; the last line of a place counts. Its hash tells whether it fits
// today's source.
type record struct {
	path    string
	entries map[identity]entry // by place
}

func recordPath(root, pkg string) string {
	return filepath.Join(root, filepath.FromSlash(pkg)+".jsonl")
}

// readRecord reads a record; a file that does not exist is an empty one. A last line without
// its newline was being written when a run was killed.
func readRecord(path string) (*record, error) {
	r := &record{path: path, entries: map[identity]entry{}}
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for n := 1; ; n++ {
		line, rest, ended := bytes.Cut(text, []byte("\n"))
		if !ended {
			return r, nil
		}
		var e entry
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&e); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		r.entries[e.place()] = e
		text = rest
	}
}

// of returns the entry of a place, and whether it fits today's mutant there: after a change of
// an operator its edits may have other numbers.
func (r *record) of(m *mutant) (entry, bool) {
	e, ok := r.entries[m.place()]
	return e, ok && e.Hash == m.Hash && e.Change == m.Change
}

func encode(e entry) []byte {
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		panic(err) // an entry is strings and a number
	}
	return line.Bytes()
}

// add appends an entry to the file, in one write, and flushes it to disk.
func (r *record) add(e entry) (err error) {
	if err := os.MkdirAll(filepath.Dir(r.path), 0o777); err != nil {
		return err
	}
	f, err := os.OpenFile(r.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Sync(), f.Close()) }()
	r.entries[e.place()] = e
	_, err = f.Write(encode(e))
	return err
}

// sorted returns the entries in the order of the file.
func (r *record) sorted() []entry {
	return slices.SortedFunc(maps.Values(r.entries), func(a, b entry) int { return a.compare(b.identity) })
}

// compact sorts a record as it is on disk, where another process may have appended to it.
func compact(path string) error {
	r, err := readRecord(path)
	if err != nil {
		return err
	}
	return r.save()
}

// save rewrites the file: sorted, one line for each place. It cannot import internal/atomicfile:
// this module would have to replace the library by ../, which leads out of the repository
// where the root uses its tools with -modfile=tools/go.mod.
func (r *record) save() error {
	if len(r.entries) == 0 {
		return nil
	}
	var text []byte
	for _, e := range r.sorted() {
		text = append(text, encode(e)...)
	}
	f, err := os.CreateTemp(filepath.Dir(r.path), "*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // nothing is left to remove after the renaming
	_, err = f.Write(text)
	if err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), r.path)
}
