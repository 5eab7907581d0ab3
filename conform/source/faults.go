package source

import (
	"slices"
	"strings"
)

// Fault is a mistake that an assembler must refuse.
type Fault struct {
	Name string // the mistake in a few words
	// Check names the check that an accepting assembler lacks. Several mistakes may have the
	// same check.
	Check string
	// Before is inserted before the program, Body before the first instruction of its entry,
	// After after the last line.
	Before, Body, After string
}

// Spoil returns the text of a program with the mistake.
func (d *Dialect) Spoil(t *Text, f *Fault) *Text {
	s := *t
	lines := strings.SplitAfter(strings.TrimRight(t.Files[0], "\r\n")+"\n", "\n")
	at := slices.IndexFunc(lines, func(line string) bool { return d.isEntry(line, t.Entry) }) + 1
	if at == 0 {
		at = len(lines)
	}
	text := f.Before
	if f.Before != "" {
		text += "\n"
	}
	text += strings.Join(lines[:at], "")
	if f.Body != "" {
		text += f.Body + "\n"
	}
	text += strings.Join(lines[at:], "")
	if f.After != "" {
		text += f.After + "\n"
	}
	s.Files = append([]string{text}, t.Files[1:]...)
	return &s
}

// Defect is a source that the dialect's own assembler is known to handle wrongly.
type Defect struct {
	Name string // the defect in a few words
	// Valid is set if the source must be assembled to the meaning of Program; otherwise it must
	// be refused.
	Valid bool
	// Shows is the class of the difference that a valid source shows.
	Shows string
	// Allowed, if it is not nil, reports whether the first component of the only constant may
	// have a raw float24 value; the assembler may also refuse the source.
	Allowed func(raw uint32) bool
	Program func() *Program
	Text    Text // if Program is nil, or Print does not print it right
	About   string
}

// The classes that Shows names; see package report.
const (
	refusesValid   = "refuses valid"
	wrongMeaning   = "wrong meaning"
	wrongConstants = "wrong constants"
	wrongTables    = "wrong tables"
)

// Class returns the class of the difference when the defect shows.
func (d *Defect) Class() string {
	if d.Valid || d.Allowed != nil {
		return d.Shows
	}
	return "accepts invalid"
}
