package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
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

// A record is the knowledge about the mutants of one package: the equivalents of the repository,
// and a working file with one JSON object a line, to which runs append. The last line of a place
// counts. A hash tells whether an entry fits today's source.
type record struct {
	path        string
	entries     map[identity]entry // by place
	equivalents map[identity]entry // by place
}

func recordPath(root, pkg string) string {
	return filepath.Join(root, filepath.FromSlash(pkg)+".jsonl")
}

// readRecord reads a working file; a file that does not exist is an empty one. It skips a line
// that is no entry, such as one that a killed run has cut off: its mutant is judged again.
func readRecord(path string, equivalents []entry) (*record, error) {
	r := &record{path, map[identity]entry{}, map[identity]entry{}}
	for _, e := range equivalents {
		r.equivalents[e.place()] = e
	}
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for line := range bytes.Lines(text) {
		var e entry
		if json.Unmarshal(line, &e) == nil {
			r.entries[e.place()] = e
		}
	}
	return r, nil
}

// of returns the entry of a mutant, and whether there is one: after a change of its unit or of an
// operator, the place of an entry may have another mutant. Then it returns the reason alone.
func (r *record) of(m *mutant) (entry, bool) {
	for _, known := range []map[identity]entry{r.equivalents, r.entries} {
		if e := known[m.place()]; e.Hash == m.Hash && e.Change == m.Change {
			return e, true
		}
	}
	return entry{Reason: r.equivalents[m.place()].Reason}, false
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
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return err
}
