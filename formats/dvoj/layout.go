package dvoj

import (
	"bytes"
	"cmp"
	"math"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
)

// span is the header (table -1) or a table that has bytes, at its place in the
// file.
type span struct {
	off, len uint64
	table    int
}

func (s span) end() uint64 { return s.off + s.len }

// place is the whole span as the place of a finding.
func (s span) place() diag.Place {
	name := "header"
	if s.table >= 0 {
		name = columns[s.table].name
	}
	return diag.Place{Off: s.off, Len: s.len, Path: diag.Path{Field: name}}
}

// spans returns the header and the tables, by offset.
func (l *Layout) spans() []span {
	list := append(make([]span, 0, 1+numTables), span{0, headerSize, -1})
	for k, x := range l.Tables {
		if x.Count > 0 {
			list = append(list, span{uint64(x.Offset), bytesOf(k, x), k})
		}
	}
	slices.SortFunc(list, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.off, b.off), cmp.Compare(a.table, b.table))
	})
	return list
}

// coverage checks that every byte has one owner, and keeps those that have
// none: DVOJ200 to DVOJ203. The file has no error so far, so every span is
// inside it.
func (r *reader) coverage() {
	spans := r.layout.spans()
	last := spans[0] // the one that reaches farthest
	for _, s := range spans[1:] {
		switch {
		case s.off < last.end():
			r.Report("DVOJ200", s.place(), diag.Value{Format: "start >= 0x%x", N: last.end()}, diag.Value{Format: "start 0x%x", N: s.off}, last.place())
		case s.off > last.end():
			r.gap(last.end(), s.off)
		}
		if s.end() > last.end() {
			last = s
		}
	}
	if last.end() < r.Size() {
		r.tail(last.end())
	}
}

// gap keeps the bytes between two spans.
func (r *reader) gap(start, end uint64) {
	rule, expected := "DVOJ201", "no gap"
	if !isZero(r.keep(start, end).Bytes) {
		rule = "DVOJ202"
	}
	r.Report(rule, gapPlace(start, end), diag.Text(expected), diag.Value{Format: "%d bytes", N: end - start})
}

// tail keeps the bytes behind the last span.
func (r *reader) tail(start uint64) {
	if g := r.keep(start, r.Size()); !isPadding(g) {
		r.Report("DVOJ203", gapPlace(start, r.Size()), diag.Text("1 to 3 zero bytes up to a multiple of 4"), diag.Value{Format: "%d bytes", N: r.Size() - start})
	}
}

func (r *reader) keep(start, end uint64) shbin.Gap {
	g := shbin.Gap{Offset: start, Bytes: r.Bytes(start, end-start)}
	r.layout.Gaps = append(r.layout.Gaps, g)
	return g
}

func gapPlace(start, end uint64) diag.Place {
	return diag.Place{Off: start, Len: end - start, Path: diag.Path{Field: "gap"}}
}

// isPadding reports whether a gap is what fills the file up to a multiple of 4.
func isPadding(g shbin.Gap) bool {
	n := len(g.Bytes)
	return n < 4 && (g.Offset+uint64(n))%4 == 0 && isZero(g.Bytes)
}

func isZero(b []byte) bool { return len(bytes.TrimLeft(b, "\x00")) == 0 }

// canonicalLayout puts the tables in header order without gaps, the offset of
// an empty one where the next starts, and the end of the file at a multiple of
// 4. ok is false when the offsets need more than 32 bits.
func (f *File) canonicalLayout() (l *Layout, ok bool) {
	l = new(Layout)
	at := uint64(headerSize)
	for k, c := range columns {
		n := c.count(f)
		if at > math.MaxUint32 || n > math.MaxUint32 {
			return nil, false
		}
		l.Tables[k] = shbin.Extent{Offset: uint32(at), Count: uint32(n)}
		at += n * c.size
	}
	l.Size = (at + 3) &^ 3
	return l, true
}

// fits reports whether the tables have the lengths that a layout says.
func (f *File) fits(l *Layout) bool {
	if l == nil {
		return false
	}
	for k, c := range columns {
		if c.count(f) != uint64(l.Tables[k].Count) {
			return false
		}
	}
	return true
}
