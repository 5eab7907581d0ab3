package shbin

import (
	"github.com/picaproof/picaproof/formats/diag"
)

// coverage checks that every byte has one owner and keeps those that have none.
// The file has no error so far, so every span is inside it.
func (r *reader) coverage(spans []span) {
	last := spans[0] // the one that reaches farthest
	for i, s := range spans[1:] {
		switch {
		case s.shares(spans[i]):
			r.Report("DVLB010", s.place(), diag.Text("a table of its own"), diag.Value{}, spans[i].place())
		case s.off < last.end():
			r.Report("DVLB009", s.place(), diag.Value{Format: "start >= 0x%x", N: last.end()}, diag.Value{Format: "start 0x%x", N: s.off}, last.place())
		case s.off > last.end():
			r.gap(last.end(), s.off, false)
		}
		if s.end() > last.end() {
			last = s
		}
	}
	if end := last.end(); end < r.Size() {
		r.gap(end, r.Size(), true)
	}
}

// gap keeps the bytes from start to end, which belong to nothing.
func (r *reader) gap(start, end uint64, tail bool) {
	g := Gap{start, r.Bytes(start, end-start)}
	r.layout.Gaps = append(r.layout.Gaps, g)
	if g.padding() {
		return
	}
	at := diag.Place{Off: start, Len: end - start, Path: diag.Path{Field: "gap"}}
	rule := "DVLB011"
	switch {
	case tail:
		rule = "DVLB013"
	case !isZero(g.Bytes):
		rule = "DVLB012"
	}
	r.Report(rule, at, diag.Text("1 to 3 zero bytes up to a multiple of 4"), diag.Value{Format: "%d bytes", N: end - start})
}

// padding reports whether the gap is one that writers leave: one to three zero
// bytes up to a multiple of 4.
func (g Gap) padding() bool {
	n := len(g.Bytes)
	return n < 4 && (g.Offset+uint64(n))%4 == 0 && isZero(g.Bytes)
}

func isZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// place is the whole span as the place of a finding.
func (s span) place() diag.Place {
	path := diag.Path{Prefix: "dvlp.", Field: sections[s.section].name}
	switch {
	case s.section == libraryHeader || s.section == programHeader:
		path.Prefix = ""
	case s.entry >= 0:
		path.Prefix = entryPrefix(int(s.entry))
	}
	return diag.Place{Off: s.off, Len: s.len, Path: path}
}
