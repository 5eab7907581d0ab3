package source

import (
	"slices"
	"strings"
)

// Fault is a mistake that an assembler must refuse.
type Fault struct {
	Name string // what is wrong, in a few words
	// Check names the check that an assembler lacks that accepts it; several mistakes
	// may be one check's.
	Check string
	// Before stands in front of the program, Body in front of the first instruction
	// of its entry, After behind everything.
	Before, Body, After string
}

// Spoil returns the text of a program with the mistake in it.
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

// Defect is a source that the dialect's own assembler is known to get wrong.
type Defect struct {
	Name string // what it gets wrong
	// Valid says that the source must be assembled, to what Program means; otherwise
	// it must be refused.
	Valid bool
	// Shows is the class of what is wrong with a source that is valid.
	Shows string
	// Allowed, if there is one, says which raw float24 the first component of the only
	// constant may have; the source may be refused, too.
	Allowed func(raw uint32) bool
	Program func() *Program
	Text    Text // if there is no program, or none that Print gets right
	About   string
}

// The classes that Shows names; see package report.
const (
	refusesValid   = "refuses valid"
	wrongMeaning   = "wrong meaning"
	wrongConstants = "wrong constants"
	wrongTables    = "wrong tables"
)

// Class returns the class of what is wrong when the defect shows.
func (d *Defect) Class() string {
	if d.Valid || d.Allowed != nil {
		return d.Shows
	}
	return "accepts invalid"
}
