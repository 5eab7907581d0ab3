package dvoj

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
)

// headerSpan is the kind of the header's span. The kind of a table's span is the
// table's index.
const headerSpan = numTables

// place returns the whole span as the place of a finding.
func place(s wire.Span) diag.Place {
	name := "header"
	if s.Kind != headerSpan {
		name = tables[s.Kind].Name
	}
	return diag.Place{Off: s.Off, Len: s.Len, Path: diag.Path{Field: name}}
}

// spans returns the header and the tables that are not empty, sorted by offset and
// then in header order.
func (l *Layout) spans() []wire.Span {
	list := append(make([]wire.Span, 0, 1+numTables), wire.Span{Len: headerSize, Kind: headerSpan})
	for k, x := range l.Tables {
		if x.Count > 0 {
			list = append(list, wire.Span{Off: uint64(x.Offset), Len: tables[k].Bytes(x), Kind: uint8(k)})
		}
	}
	slices.SortStableFunc(list, func(a, b wire.Span) int { return cmp.Compare(a.Off, b.Off) })
	return list
}

// coverage checks that every byte has one owner, and keeps bytes without an owner as
// gaps: DVOJ200 to DVOJ203. It runs after all errors are excluded, so every span is
// inside the file.
func (r *reader) coverage() {
	wire.Cover(r.layout.spans(), r.Size(), func(s, _, farthest wire.Span) {
		r.Report("DVOJ200", place(s), diag.Value{Format: "start >= 0x%x", N: farthest.End()},
			diag.Value{Format: "start 0x%x", N: s.Off}, place(farthest))
	}, r.gap)
}

// gap keeps bytes that belong to no span.
func (r *reader) gap(start, end uint64) {
	g := shbin.Gap{Offset: start, Bytes: r.Bytes(start, end-start)}
	r.layout.Gaps = append(r.layout.Gaps, g)
	rule, expected := "DVOJ201", "no gap"
	switch {
	case end == r.Size() && g.Padding():
		return
	case end == r.Size():
		rule, expected = "DVOJ203", "1 to 3 zero bytes up to a multiple of 4"
	case !wire.Zero(g.Bytes):
		rule = "DVOJ202"
	}
	at := diag.Place{Off: start, Len: end - start, Path: diag.Path{Field: "gap"}}
	r.Report(rule, at, diag.Text(expected), diag.Bytes(end-start))
}

// canonicalLayout places the tables in header order without gaps. An empty table has
// the offset of the next one. The size of the file is a multiple of 4.
func (f *File) canonicalLayout() (*Layout, error) {
	l := new(Layout)
	at := uint64(headerSize)
	for k, t := range tables {
		n := t.Count(f)
		l.Tables[k] = shbin.Extent{Offset: uint32(at), Count: uint32(n)}
		at += n * t.Size
	}
	if l.Size = (at + 3) &^ 3; l.Size > math.MaxUint32 {
		return nil, fmt.Errorf("dvoj: file of %d bytes: %w", l.Size, diag.ErrLayout)
	}
	return l, nil
}

// fits reports whether the tables have the lengths of a layout.
func (f *File) fits(l *Layout) bool {
	if l == nil {
		return false
	}
	for k, t := range tables {
		if t.Count(f) != uint64(l.Tables[k].Count) {
			return false
		}
	}
	return true
}

// regions returns the owner of every byte of b. Where tables overlap, the first one
// owns the bytes; Parse refuses such a file.
func regions(b []byte, _ []Option) []diag.Region {
	m := wire.Map{View: wire.LE(b)}
	l := new(Layout)
	if m.Size() >= headerSize {
		headerRecord.Get(b, []header{{new(File), l}})
	}
	for _, s := range l.spans() {
		if !m.To(s.Off) {
			continue
		}
		path := place(s).Path
		switch s.Kind {
		case headerSpan:
			m.Struct(headerRecord.Struct, path)
		case symbols:
			m.Names(s.End(), path)
		case constants:
			m.Table(s.End(), path,
				func(off uint64) diag.Struct { return shbin.ConstantFields(shbin.ConstantType(m.U8(off))) })
		default:
			m.Table(s.End(), path, func(uint64) diag.Struct { return tables[s.Kind].Fields })
		}
	}
	return m.Finish()
}
