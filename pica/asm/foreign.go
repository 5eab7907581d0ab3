package asm

import (
	"regexp"
	"slices"
)

// foreignForms are statements of other assemblers, which no source for picasso has. The three
// languages share their mnemonics, so that one such statement makes many unrelated errors.
var foreignForms = []struct {
	assembler string
	form      *regexp.Regexp
}{
	{"nihstro", regexp.MustCompile(`^\s*\.alias\s+\w+\s+(\w+\s+as\b|[a-z]\d+\s*-\s*[a-z]\d+)`)},
	{"aemstro", regexp.MustCompile(`^\s*\.(const|uniform|out)\s+[a-z]\d+\s*,`)},
	{"aemstro", regexp.MustCompile(`^\s*\w+\s[^;"]*\(0x[0-9a-fA-F]+\)\s*(;.*)?$`)}, // the index of a descriptor
}

// foreign returns an error for a source in the language of another assembler, at the first statement
// that shows it, or nil.
func foreign(source *Source) (e *Error, at *place) {
	statements(source.Text, func(s *statement) bool {
		for _, f := range foreignForms {
			if m := f.form.FindString(s.whole); m != "" {
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
