package asm

import "strings"

// Source is one file of assembly text.
type Source struct {
	Name string // for messages
	Text string
}

// text is a part of a line and the column where it starts, from 0.
type text struct {
	s   string
	col int
}

// from returns the text behind the first n bytes, to returns those bytes.
func (t text) from(n int) text { return text{t.s[n:], t.col + n} }
func (t text) to(n int) text   { return text{t.s[:n], t.col} }

// blanks are the characters that C's isspace accepts.
const blanks = " \t\v\f\r\n"

// trim cuts white space at both ends.
func (t text) trim() text {
	n := len(t.s) - len(strings.TrimLeft(t.s, blanks))
	t = t.from(n)
	return t.to(len(strings.TrimRight(t.s, blanks)))
}

// cut splits the text around the first sep.
func (t text) cut(sep byte) (before, after text, found bool) {
	k := strings.IndexByte(t.s, sep)
	if k < 0 {
		return t, t.from(len(t.s)), false
	}
	return t.to(k), t.from(k + 1), true
}

// word splits off the first word, which ends at a blank or tab; the rest is
// trimmed.
func (t text) word() (first, rest text) {
	k := strings.IndexAny(t.s, " \t")
	if k < 0 {
		return t, t.from(len(t.s))
	}
	return t.to(k), t.from(k).trim()
}

// fields returns the words of the text, which blanks and tabs separate.
func (t text) fields() (list []text) {
	for t = t.trim(); t.s != ""; {
		var first text
		first, t = t.word()
		list = append(list, first.trim())
	}
	return list
}

// list splits the text at its commas and trims the parts. One comma behind the
// last part is ignored; an empty text has no parts.
func (t text) list() (parts []text) {
	if t.trim().s == "" {
		return nil
	}
	parts = make([]text, 0, 1+strings.Count(t.s, ","))
	for more := true; more; {
		var part text
		part, t, more = t.cut(',')
		parts = append(parts, part.trim())
	}
	if n := len(parts); n > 1 && parts[n-1].s == "" {
		parts = parts[:n-1]
	}
	return parts
}

// statement is a line without labels and comments.
type statement struct {
	line   int // from 1
	whole  string
	labels []text
	word   text // mnemonic or directive; empty if the line has labels only
	args   text
}

// statements splits a file into statements. A file ends at its first NUL byte,
// a line at LF, and a semicolon starts a comment. A line that starts with "#"
// is a line marker of a preprocessor.
func statements(source string, yield func(*statement) bool) {
	source, _, _ = strings.Cut(source, "\x00")
	s := &statement{}
	for source != "" {
		s.whole, source, _ = strings.Cut(source, "\n")
		s.line++
		s.labels = s.labels[:0]
		code, _, _ := text{s.whole, 0}.cut(';')
		for code = code.trim(); ; {
			label, rest, found := code.cut(':')
			if !found {
				break
			}
			s.labels = append(s.labels, label)
			code = rest.trim()
		}
		if strings.HasPrefix(code.s, "#") {
			code = code.to(0)
		}
		s.word, s.args = code.word()
		if (s.word.s != "" || len(s.labels) > 0) && !yield(s) {
			return
		}
	}
}
