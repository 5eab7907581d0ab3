package shbin

import (
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// Sizes of the headers, in bytes.
var (
	libraryHeaderSize = uint64(libraryRecord.Bytes) // and four bytes for each DVLE
	programHeaderSize = uint64(programRecord.Bytes)
	shortHeaderSize   = uint64(shortProgramRecord.Bytes) // nihstro, Selena, Azahar's dump
	entryHeaderSize   = uint64(entryRecord.Bytes)
)

// The kinds of spans. The kind of DVLP table k is programTableSpan+k, the kind of
// DVLE table k is entryTableSpan+k.
const (
	librarySpan uint8 = iota // DVLB header and DVLE offsets
	programSpan              // DVLP header
	programTableSpan
	entrySpan      = programTableSpan + numProgramTables // DVLE header
	entryTableSpan = entrySpan + 1
)

// placeOf returns the place of a whole header or table.
func placeOf(s wire.Span) diag.Place {
	at := diag.Place{Off: s.Off, Len: s.Len}
	switch {
	case s.Kind == librarySpan:
		at.Path.Field = "dvlb"
	case s.Kind == programSpan:
		at.Path.Field = "dvlp"
	case s.Kind < entrySpan:
		at.Path = diag.Path{Prefix: "dvlp.", Field: programTables[s.Kind-programTableSpan].Name}
	default:
		at.Path.Prefix = entryPrefix(int(s.Owner))
		if s.Kind >= entryTableSpan {
			at.Path.Field = entryTables[s.Kind-entryTableSpan].Name
		}
	}
	return at
}

// shares reports whether two spans are one table that two DVLEs share.
func shares(s, o wire.Span) bool { return s.Same(o) && s.Kind >= entryTableSpan }

// programOffset returns the offset of the DVLP, which follows the DVLE offsets.
func (l *Layout) programOffset() uint64 { return libraryHeaderSize + 4*uint64(len(l.Entries)) }

// programPlace returns the place of a field of the DVLP header.
func (l *Layout) programPlace(field string) diag.Place {
	return programRecord.At(l.programOffset(), diag.Path{Prefix: "dvlp.", Field: field})
}

// programRecord returns the record of the DVLP header, short or full.
func (l *Layout) programRecord() *wire.Record[programHeader] {
	if l.ShortHeader {
		return shortProgramRecord
	}
	return programRecord
}

// extents returns the extents of the tables of the DVLP, in header order.
func (l *Layout) extents() [numProgramTables]*Extent {
	return [...]*Extent{&l.Code, &l.Descriptors, &l.Lines, &l.FileNames}
}

// spans returns the spans of all headers and of all tables that are not empty,
// sorted by offset. Spans of a shared table are neighbours, in the order of their
// DVLEs. The result has no spans of DVLEs for which skip returns true.
func (l *Layout) spans(skip func(entry int) bool) []wire.Span {
	n := 2 + numProgramTables
	for i := range l.Entries {
		n++
		for _, x := range l.Entries[i].Tables {
			if x.Count > 0 {
				n++
			}
		}
	}
	list := make([]wire.Span, 0, n)
	add := func(kind uint8, entry int, off, size uint64) {
		if size > 0 {
			list = append(list, wire.Span{Off: off, Len: size, Kind: kind, Owner: int32(entry)})
		}
	}
	p := l.programOffset()
	add(librarySpan, -1, 0, p)
	add(programSpan, -1, p, uint64(l.programRecord().Bytes))
	for k, x := range l.extents() {
		add(programTableSpan+uint8(k), -1, p+uint64(x.Offset), programTables[k].Bytes(*x))
	}
	for i := range l.Entries {
		if skip != nil && skip(i) {
			continue
		}
		e := &l.Entries[i]
		q := uint64(e.Offset)
		add(entrySpan, i, q, entryHeaderSize)
		for k, x := range e.Tables {
			add(entryTableSpan+uint8(k), i, q+uint64(x.Offset), entryTables[k].Bytes(x))
		}
	}
	wire.SortSpans(list)
	return list
}

// locate reads the layout from the headers of any bytes. It checks nothing, so
// that Outline can show broken files. It returns nil when the file ends inside the
// DVLE offsets.
func locate(v wire.View) *Layout {
	n := uint64(v.U32(4))
	if !v.HasTable(libraryHeaderSize, n, 4) {
		return nil
	}
	l := &Layout{Size: v.Size(), Entries: make([]EntryLayout, n)}
	offsetRecord.Get(v.B[libraryHeaderSize:], l.Entries)
	l.readProgram(v, new(DVLP))
	header := []entryHeader{{entry: new(DVLE)}}
	for i := range l.Entries {
		if q := uint64(l.Entries[i].Offset); v.Has(q, entryHeaderSize) {
			header[0].layout = &l.Entries[i]
			entryRecord.Get(v.B[q:], header)
		}
	}
	return l
}

// readProgram reads the DVLP header, with zeros for bytes after the end of the
// file. first is the smallest offset, from the DVLP, of the code, the descriptors
// and the DVLEs; at is the place of the field that stores it. The header is a
// short one when first leaves no room for the full one.
func (l *Layout) readProgram(v wire.View, to *DVLP) (first uint64, at diag.Place) {
	p := l.programOffset()
	header := []programHeader{{to, l}}
	head := make([]byte, programHeaderSize)
	copy(head, v.Bytes(p, programHeaderSize))
	shortProgramRecord.Get(head, header)
	first, at = uint64(l.Code.Offset), l.programPlace("code.offset")
	if off := uint64(l.Descriptors.Offset); l.Descriptors.Count > 0 && off < first {
		first, at = off, l.programPlace("descriptors.offset")
	}
	for i, e := range l.Entries {
		if off := uint64(e.Offset) - p; uint64(e.Offset) >= p && off < first {
			first, at = off, offsetPlace(uint64(i))
		}
	}
	if l.ShortHeader = first >= shortHeaderSize && first < programHeaderSize; !l.ShortHeader {
		programRecord.Get(head, header)
	}
	return first, at
}
