package bnsh

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// content evaluates the rules about legal but unusual content, compares the
// layout with the canonical layout, and limits the names.
func (r *reader) content() {
	if !r.Strict() {
		if r.known&knowPool != 0 {
			r.poolStrings()
		}
		if r.complete(somePointer) {
			for _, g := range r.layout.Gaps {
				at := diag.Place{Off: uint64(g.Offset), Len: uint64(len(g.Bytes)), Path: diag.Path{Field: "gap"}}
				r.Report("BNSH080", at, diag.Text("zero"), diag.Quoted(g.Bytes))
			}
		}
		if !r.Failed() && !r.canonical() {
			r.Report("BNSH081", diag.Place{Off: 0, Len: r.Size(), Path: diag.Path{Field: "file"}},
				diag.Text("the canonical layout"), diag.Text("another"))
		}
		if r.complete(someTarget) {
			r.controls()
		}
	}
	if r.tooManyNames() && !r.Failed() {
		at := diag.Place{Off: 0, Len: r.Size(), Path: diag.Path{Field: "file"}}
		r.fail("BNSH098", at, diag.Value{Format: "names of at most %d bytes", N: wire.MaxNames(r.Size())},
			diag.Bytes(r.keys.names))
	}
}

// poolStrings checks the string pool as a whole.
func (r *reader) poolStrings() {
	p := &r.pool
	place := func(i int) diag.Place {
		return stringPlace(uint64(p.starts[i])+2, uint64(len(p.texts[i]))+1, i, "")
	}
	for i, first := range diag.Repeats(len(p.texts), func(i int) Text { return p.texts[i] }) {
		r.Report("BNSH064", place(i), diag.Text("a string that is not in the pool yet"),
			diag.Value{Format: "string %d again", N: uint64(first)})
	}
	for i, text := range p.texts {
		if i > 0 && i != int(r.layout.Name) && !r.keys.used[i] && r.complete(someKey|fileName) {
			r.Report("BNSH066", place(i), diag.Text("a name or a key"), diag.Quoted([]byte(clip(text))))
		}
		if !utf8.ValidString(string(text)) || strings.IndexByte(string(text), 0) >= 0 {
			r.Report("BNSH067", place(i), diag.Text("UTF-8 without NUL"), diag.Quoted([]byte(clip(text))))
		}
	}
}

// clip shortens a string for a finding.
func clip(t Text) Text { return t[:min(len(t), 80)] }

// layoutRules are the rules that every file in the canonical layout keeps,
// except rules about offsets.
var layoutRules = []string{"BNSH018", "BNSH049", "BNSH057", "BNSH064", "BNSH065", "BNSH066", "BNSH068", "BNSH074",
	"BNSH075", "BNSH080"}

// canonical reports whether the file is in the canonical layout.
func (r *reader) canonical() bool {
	if slices.ContainsFunc(r.Findings(), func(f diag.Finding) bool { return slices.Contains(layoutRules, f.Rule) }) {
		return false
	}
	keys := r.layout.StringPool[usualName(r.file.Name)+1:]
	return slices.IsSorted(keys) && r.file.isCanonical(r.layout)
}
