package asm

import (
	"fmt"
	"strings"
)

// Error describes a fault at a place in a source. Its text is one line,
// "shader.v.pica:12:6: ASM001: ..."; Excerpt shows the place.
type Error struct {
	Rule    string // id of one of Rules
	File    string
	Line    int // from 1; 0 for an error of the whole program
	Column  int // in bytes, from 1
	Length  int // bytes that are wrong, at least 1
	Message string
	Hint    string // the probable intention of the author; may be empty
	Text    string // the line
	at      *place
}

// Error implements error.
func (e *Error) Error() string {
	place := e.File
	if e.Line > 0 {
		place = fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column)
	}
	message := e.Message
	if e.Hint != "" {
		message += "; " + e.Hint
	}
	return strings.TrimPrefix(fmt.Sprintf("%s: %s: %s", place, e.Rule, message), ": ")
}

// Excerpt returns the line and, below it, a caret under each wrong byte. It is
// empty for an error of the whole program.
func (e *Error) Excerpt() string {
	if e.Line == 0 {
		return ""
	}
	var below strings.Builder
	for _, c := range []byte(e.Text[:min(e.Column-1, len(e.Text))]) {
		if c != '\t' {
			c = ' '
		}
		below.WriteByte(c)
	}
	return e.Text + "\n" + below.String() + strings.Repeat("^", e.Length)
}

// Errors are the errors of one run, in the order of the sources.
type Errors []*Error

// Error implements error; each error is a line.
func (list Errors) Error() string {
	lines := make([]string, len(list))
	for i, e := range list {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the errors one by one.
func (list Errors) Unwrap() []error {
	all := make([]error, len(list))
	for i, e := range list {
		all[i] = e
	}
	return all
}

// errSpoiled ends the reading of a line that uses a name whose definition failed.
// It is not reported.
var errSpoiled = new(Error)

// maxErrors is the number of errors after which a run gives up.
const maxErrors = 100

// wrong returns an error about a part of the current line.
func wrong(at text, rule, format string, args ...any) *Error {
	return &Error{Rule: rule, Column: at.col + 1, Length: max(len(at.s), 1), Message: fmt.Sprintf(format, args...)}
}

// hint adds the probable intention of the author.
func (e *Error) hint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// suggest adds a similar name, if there is one.
func (e *Error) suggest(near string) *Error {
	if near == "" {
		return e
	}
	return e.hint("did you mean %q?", near)
}
