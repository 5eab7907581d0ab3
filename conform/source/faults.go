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
	// Right is the nearest right thing in place of the wrong part, which is Body, else Before,
	// else After. A source that has neither is wrong because it lacks Right in its body.
	Right string
}

// nothing is the Right of a mistake that need not be there.
const nothing = "\x00"

// Spoil returns the text of a program with the mistake.
func (d *Dialect) Spoil(t *Text, f *Fault) *Text { return d.insert(t, f.Before, f.Body, f.After) }

// Control returns the text with the nearest right thing in place of the mistake. A refusal of the
// mistake counts as right only if an assembler accepts the control.
func (d *Dialect) Control(t *Text, f *Fault) *Text {
	before, body, after, right := f.Before, f.Body, f.After, f.Right
	if right == nothing {
		right = ""
	}
	switch {
	case body != "" || before == "" && after == "":
		body = right
	case before != "":
		before = right
	default:
		after = right
	}
	return d.insert(t, before, body, after)
}

// insert returns a text with lines before the program, in its entry and after it.
func (d *Dialect) insert(t *Text, before, body, after string) *Text {
	s := *t
	lines := strings.SplitAfter(strings.TrimRight(t.Files[0], "\r\n")+"\n", "\n")
	at := slices.IndexFunc(lines, func(line string) bool { return d.isEntry(line, t.Entry) }) + 1
	if at == 0 {
		at = len(lines)
	}
	var b strings.Builder
	for _, part := range []string{before, strings.Join(lines[:at], ""), body, strings.Join(lines[at:], ""), after} {
		if b.WriteString(part); part != "" && !strings.HasSuffix(part, "\n") {
			b.WriteString("\n")
		}
	}
	s.Files = append([]string{b.String()}, t.Files[1:]...)
	return &s
}

// Defect is a source that the dialect's own assembler is known to handle wrongly.
type Defect struct {
	// Fault has the lines that are inserted into Base. Of a right source it may have a name only.
	Fault
	// Valid is set if the source must be assembled to the meaning of Program; otherwise it must
	// be refused.
	Valid bool
	// Shows is the class of the difference that a valid source shows.
	Shows string
	// Allowed, if it is not nil, reports whether the first component of the only constant may
	// have a raw float24 value; the assembler may also refuse the source.
	Allowed func(raw uint32) bool
	Program func() *Program // the meaning of a right source
	Base    func() *Program // nil means a program of END alone
	About   string
}

// Sources returns the source of a defect and, if it must be refused, its control.
func (d *Dialect) Sources(x *Defect) (text, control *Text) {
	base := x.Base
	switch {
	case base != nil:
	case x.Valid && x.Before+x.Body+x.After == "":
		base = x.Program
	default:
		base = func() *Program { return Minimal() }
	}
	plain := d.Print(base())
	text = d.Spoil(plain, &x.Fault)
	if !x.Valid {
		control = d.Control(plain, &x.Fault)
	}
	return text, control
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
