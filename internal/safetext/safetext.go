// Package safetext serves this module: it makes text from outside harmless. Names in a file, messages
// of a foreign program, and reasons in a baseline may contain anything: control characters that move a
// terminal's cursor, bidirectional controls that reorder a line, line breaks that forge one, commands
// of a CI service ("::error::" at the beginning of a line, "##[error]" and "##vso[" anywhere).
//
// A [Writer] stands between a command and its output and replaces what is no plain text, whoever
// wrote it. It cannot know which line breaks are foreign: a text within one line goes through [Line]
// or, with all other strings of a value, through [OneLine].
package safetext

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Form is the kind of output that text becomes a part of.
type Form uint8

// The forms.
const (
	Text   Form = iota // for terminals and logs
	Colour             // Text with sequences that select a colour: ESC [ digits and ; m
	Markup             // HTML and XML
	JSON
)

// Writer replaces what is unsafe in a form by an escape sequence, such as \x1b or \u202e: control
// characters other than line feeds and tabs, bytes that are no UTF-8, characters that are not graphic
// by package strconv, and the commands of CI services. Colons and number signs of these commands become
// references in Markup, \u0023 in JSON.
type Writer struct {
	w    io.Writer
	form Form
	held []byte // an incomplete character or command at the end of the input
	out  []byte
	body bool // the line has more than blanks
}

// NewWriter returns a writer to w. After the last Write, Close writes what it held back.
func NewWriter(w io.Writer, form Form) *Writer { return &Writer{w: w, form: form} }

// Unwrap returns the writer below.
func (s *Writer) Unwrap() io.Writer { return s.w }

// Write implements io.Writer.
func (s *Writer) Write(b []byte) (int, error) { return len(b), s.write(b, false) }

// Close writes the held bytes. It leaves the writer below open.
func (s *Writer) Close() error { return s.write(nil, true) }

func (s *Writer) write(b []byte, last bool) error {
	if len(s.held) > 0 {
		b = append(s.held, b...)
		s.held = nil
	}
	s.out = s.out[:0]
	for len(b) > 0 {
		n := s.next(b, last)
		if n == 0 {
			s.held = bytes.Clone(b)
			break
		}
		b = b[n:]
	}
	if len(s.out) == 0 {
		return nil
	}
	_, err := s.w.Write(s.out)
	return err
}

// commands begin a command of a CI service, wherever they stand in a line.
var commands = [][]byte{[]byte("##["), []byte("##vso[")}

// maxColour is the length of the longest sequence that selects a colour.
const maxColour = 24

// next appends the beginning of b to the output and returns its length. It returns 0 if more of the
// input decides what b is; nothing follows the last b.
func (s *Writer) next(b []byte, last bool) int {
	c, whole := b[0], last || len(b) > maxColour
	switch {
	case c == '\n':
		s.body = false
		return s.copied(b[:1])
	case c == ' ', c == '\t':
		return s.copied(b[:1])
	case c == ':' && !s.body:
		if len(b) == 1 && !last {
			return 0
		}
		if s.body = true; bytes.HasPrefix(b, []byte("::")) {
			return s.escaped(':', 1)
		}
	case c == '#':
		for _, command := range commands {
			if bytes.HasPrefix(b, command) {
				s.body = true
				return s.escaped('#', 1)
			}
			if !last && bytes.HasPrefix(command, b) {
				return 0
			}
		}
	case s.form == Colour && c == 0x1B:
		n := colourLength(b)
		if n > 0 {
			return s.copied(b[:n])
		}
		if n < 0 && !whole {
			return 0
		}
	case c >= utf8.RuneSelf && !last && !utf8.FullRune(b):
		return 0
	}
	s.body = true
	if n := plain(b); n > 0 {
		return s.copied(b[:n])
	}
	switch r, n := utf8.DecodeRune(b); {
	case n == 1 && r == utf8.RuneError:
		return s.invalid(c)
	case strconv.IsGraphic(r):
		return s.copied(b[:n])
	default:
		return s.escaped(r, n)
	}
}

// plain returns the length of the printable ASCII at the beginning of b. A number sign may only be
// its first character.
func plain(b []byte) (n int) {
	for n < len(b) && b[n] >= ' ' && b[n] < 0x7F && (b[n] != '#' || n == 0) {
		n++
	}
	return n
}

// colourLength returns the length of the sequence that selects a colour at the beginning of b: 0 if
// there is none, -1 if b ends within it.
func colourLength(b []byte) int {
	for n := 1; n < len(b); n++ {
		switch c := b[n]; {
		case n == 1 && c == '[', n > 1 && (c >= '0' && c <= '9' || c == ';'):
		case n > 1 && c == 'm':
			return n + 1
		default:
			return 0
		}
	}
	return -1
}

func (s *Writer) copied(b []byte) int {
	s.out = append(s.out, b...)
	return len(b)
}

// escaped appends the escape sequence of a character of n bytes.
func (s *Writer) escaped(r rune, n int) int {
	switch {
	case s.form == Markup && (r == ':' || r == '#'):
		s.out = fmt.Appendf(s.out, "&#%d;", r)
	case s.form != JSON:
		s.out = appendEscape(s.out, r)
	case r > 0xFFFF:
		high, low := utf16.EncodeRune(r)
		s.out = fmt.Appendf(s.out, `\u%04x\u%04x`, high, low)
	default:
		s.out = fmt.Appendf(s.out, `\u%04x`, r)
	}
	return n
}

// invalid appends the escape sequence of a byte that is no UTF-8. JSON has none.
func (s *Writer) invalid(c byte) int {
	if s.form == JSON {
		s.out = append(s.out, `\ufffd`...)
	} else {
		s.out = fmt.Appendf(s.out, `\x%02x`, c)
	}
	return 1
}

func appendEscape(b []byte, r rune) []byte {
	switch {
	case r == '\n':
		return append(b, `\n`...)
	case r == '\r':
		return append(b, `\r`...)
	case r == '\t':
		return append(b, `\t`...)
	case r < utf8.RuneSelf:
		return fmt.Appendf(b, `\x%02x`, r)
	case r <= 0xFFFF:
		return fmt.Appendf(b, `\u%04x`, r)
	}
	return fmt.Appendf(b, `\U%08x`, r)
}

// Line returns a text as one safe line: with escape sequences instead of line feeds, tabs, and what
// a [Writer] replaces wherever it stands.
func Line(text string) string {
	if !strings.ContainsFunc(text, unsafe) {
		return text
	}
	var b []byte
	for len(text) > 0 {
		switch r, n := utf8.DecodeRuneInString(text); {
		case r == utf8.RuneError && n == 1:
			b = fmt.Appendf(b, `\x%02x`, text[0])
			text = text[1:]
		case unsafe(r):
			b = appendEscape(b, r)
			text = text[n:]
		default:
			b = append(b, text[:n]...)
			text = text[n:]
		}
	}
	return string(b)
}

// unsafe reports whether a character, or RuneError for a byte that is none, is unsafe in a line.
func unsafe(r rune) bool { return !strconv.IsGraphic(r) || r == utf8.RuneError }

// Lines returns a text with escape sequences for what a [Writer] replaces in Text: it may have lines.
func Lines(text string) string {
	var b strings.Builder
	w := NewWriter(&b, Text)
	_ = w.write([]byte(text), true) // a Builder does not fail
	return b.String()
}

// Name returns the name of a file for one line: in quotation marks if it has characters that are
// unsafe there.
func Name(name string) string {
	if strings.ContainsFunc(name, unsafe) {
		return strconv.Quote(name)
	}
	return name
}
