package bnsh

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/picaproof/picaproof/formats/diag"
)

// content checks what is legal and unusual, and compares the layout with the
// canonical one. It has no errors, so a strict walk does without.
func (r *reader) content() bool {
	if r.Strict() {
		return true
	}
	r.poolStrings()
	for _, g := range r.layout.Gaps {
		at := diag.Place{Off: uint64(g.Offset), Len: uint64(len(g.Bytes)), Path: diag.Path{Field: "gap"}}
		r.Report("BNSH080", at, diag.Text("zero"), diag.Quoted(g.Bytes))
	}
	if !r.canonical() {
		r.Report("BNSH081", diag.Place{Off: 0, Len: r.Size(), Path: diag.Path{Field: "file"}}, diag.Text("the canonical layout"), diag.Value{})
	}
	r.controls()
	return true
}

// poolStrings checks the string pool as a whole.
func (r *reader) poolStrings() {
	p := &r.pool
	off := p.base
	first := firstEqual(p.texts, func(t Text) Text { return t })
	for i, text := range p.texts {
		at := stringPlace(off+2, uint64(len(text))+1, i, "")
		off += stringSize(len(text))
		if int(first[i]) != i {
			r.Report("BNSH064", at, diag.Text("a string that is not in the pool yet"), diag.Value{Format: "string %d again", N: uint64(first[i])})
		}
		if i > 0 && i != int(r.layout.Name) && (p.used == nil || !p.used[i]) {
			r.Report("BNSH066", at, diag.Text("a name or a key"), diag.Quoted([]byte(clip(text))))
		}
		if !utf8.ValidString(string(text)) || strings.IndexByte(string(text), 0) >= 0 {
			r.Report("BNSH067", at, diag.Text("UTF-8 without NUL"), diag.Quoted([]byte(clip(text))))
		}
	}
}

// clip shortens a string that is only to be printed.
func clip(t Text) Text { return t[:min(len(t), 80)] }

// layoutRules are those that speak of what the canonical writer makes in one
// way only, apart from the places of things.
var layoutRules = []string{"BNSH018", "BNSH049", "BNSH057", "BNSH064", "BNSH065", "BNSH066", "BNSH068", "BNSH074", "BNSH075", "BNSH080"}

// canonical reports whether the bytes are those of the canonical layout.
func (r *reader) canonical() bool {
	if slices.ContainsFunc(r.Findings(), func(f diag.Finding) bool { return slices.Contains(layoutRules, f.Rule) }) {
		return false
	}
	keys := r.layout.StringPool[usualName(r.file.Name)+1:]
	return slices.IsSorted(keys) && r.file.isCanonical(r.layout)
}
