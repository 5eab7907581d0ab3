package asm

import (
	"slices"
	"strings"
)

// foreignForms are statements of other assemblers, which no source for picasso has. The three
// languages share their mnemonics, so that one such statement makes many unrelated errors.
// The expressions in comments say the same; a test compares. Package regexp would be a thirtieth of the page's engine.
var foreignForms = []struct {
	assembler string
	matches   func(s scan) bool
}{
	// ^\s*\.alias\s+\w+\s+(\w+\s+as\b|[a-z]\d+\s*-\s*[a-z]\d+)
	{"nihstro", func(s scan) bool {
		if s.spaces(0); !s.text(".alias") || !s.spaces(1) || !s.words(1) || !s.spaces(1) {
			return false
		}
		t := s
		return t.words(1) && t.spaces(1) && t.text("as") && !t.words(1) ||
			s.register() && s.spaces(0) && s.text("-") && s.spaces(0) && s.register()
	}},
	// ^\s*\.(const|uniform|out)\s+[a-z]\d+\s*,
	{"aemstro", func(s scan) bool {
		s.spaces(0)
		return (s.text(".const") || s.text(".uniform") || s.text(".out")) && s.spaces(1) && s.register() && s.spaces(0) &&
			s.text(",")
	}},
	// ^\s*\w+\s[^;"]*\(0x[0-9a-fA-F]+\)\s*(;.*)?$: the index of a descriptor
	{"aemstro", func(s scan) bool {
		if s.spaces(0); !s.words(1) || !s.is(isSpace) {
			return false
		}
		for ; s != "" && s[0] != ';' && s[0] != '"'; s = s[1:] {
			t := s
			if t.text("(0x") && t.run(1, isHex) && t.text(")") && t.spaces(0) && (t == "" || t[0] == ';') {
				return true
			}
		}
		return false
	}},
}

// scan is the rest of a statement. Its methods report whether it begins with something, and go behind that.
type scan string

func (s *scan) text(want string) bool {
	rest, ok := strings.CutPrefix(string(*s), want)
	*s = scan(rest)
	return ok
}

// run goes behind the characters of a class, at least some number of them.
func (s *scan) run(least int, class func(c byte) bool) bool {
	n := 0
	for n < len(*s) && class((*s)[n]) {
		n++
	}
	*s = (*s)[n:]
	return n >= least
}

func (s *scan) is(class func(c byte) bool) bool {
	if *s == "" || !class((*s)[0]) {
		return false
	}
	*s = (*s)[1:]
	return true
}

func (s *scan) spaces(least int) bool { return s.run(least, isSpace) }
func (s *scan) words(least int) bool  { return s.run(least, isWord) }

// register goes behind a letter and digits.
func (s *scan) register() bool {
	return s.is(func(c byte) bool { return 'a' <= c && c <= 'z' }) && s.run(1, isDigit)
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r' }
func isWord(c byte) bool  { return isDigit(c) || c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' }

// foreign returns an error for a source in the language of another assembler, at the first statement
// that shows it, or nil.
func foreign(source *Source) (e *Error, at *place) {
	statements(source.Text, func(s *statement) bool {
		for _, f := range foreignForms {
			if f.matches(scan(s.whole)) {
				at = &place{source, s.line, s.whole}
				e = wrong(text{s.whole, 0}.trim(), "ASM028", "this is a source for %s, another assembler", f.assembler)
				return false
			}
		}
		return true
	})
	return e, at
}

// reportForeign replaces the errors of each source for another assembler by one.
func (a *assembler) reportForeign() {
	for _, f := range a.files {
		of := func(e *Error) bool { return e.at != nil && e.at.source == f.source }
		if !slices.ContainsFunc(a.errors, of) {
			continue
		}
		if e, at := foreign(f.source); e != nil {
			a.errors = slices.DeleteFunc(a.errors, func(e *Error) bool { return e.at == nil || of(e) })
			a.report(e, at)
		}
	}
}
