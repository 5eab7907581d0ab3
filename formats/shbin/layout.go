package shbin

import (
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// Sizes of the headers, in bytes.
var (
	dvlbHeaderSize      = uint64(dvlbRecord.Bytes) // and four bytes for each DVLE
	dvlpHeaderSize      = uint64(dvlpRecord.Bytes)
	shortDVLPHeaderSize = uint64(shortDVLPRecord.Bytes) // nihstro, Selena, Azahar's dump
)

// dvleHeaderSize is the size of a DVLE header, in bytes.
const dvleHeaderSize = 64

// The kinds of spans. The kind of DVLP table k is dvlpTableSpan+k, the kind of
// DVLE table k is dvleTableSpan+k.
const (
	dvlbSpan uint8 = iota // DVLB header and DVLE offsets
	dvlpSpan              // DVLP header
	dvlpTableSpan
	dvleSpan      = dvlpTableSpan + numDVLPTables // DVLE header
	dvleTableSpan = dvleSpan + 1
)

// placeOf returns the place of a whole header or table.
func placeOf(s wire.Span) diag.Place {
	at := diag.Place{Off: s.Off, Len: s.Len}
	switch {
	case s.Kind == dvlbSpan:
		at.Path.Field = "dvlb"
	case s.Kind == dvlpSpan:
		at.Path.Field = "dvlp"
	case s.Kind < dvleSpan:
		at.Path = diag.Path{Prefix: "dvlp.", Field: dvlpTables[s.Kind-dvlpTableSpan].Name}
	default:
		at.Path.Prefix = dvlePrefix(int(s.Owner))
		if s.Kind >= dvleTableSpan {
			at.Path.Field = dvleTables[s.Kind-dvleTableSpan].Name
		}
	}
	return at
}

// shares reports whether two spans are one table that two DVLEs share.
func shares(s, o wire.Span) bool { return s.Same(o) && s.Kind >= dvleTableSpan }

// dvlpOffset returns the offset of the DVLP, which follows the DVLE offsets.
func (l *Layout) dvlpOffset() uint64 { return dvlbHeaderSize + 4*uint64(len(l.DVLEs)) }

// dvlpPlace returns the place of a field of the DVLP header.
func (l *Layout) dvlpPlace(field string) diag.Place {
	return dvlpRecord.At(l.dvlpOffset(), diag.Path{Prefix: "dvlp.", Field: field})
}

// dvlpRecord returns the record of the DVLP header, short or full.
func (l *Layout) dvlpRecord() *wire.Record[dvlpHeader] {
	if l.ShortHeader {
		return shortDVLPRecord
	}
	return dvlpRecord
}

// extents returns the extents of the tables of the DVLP, in header order.
func (l *Layout) extents() [numDVLPTables]*Extent {
	return [...]*Extent{&l.Code, &l.Descriptors, &l.Lines, &l.FileNames}
}

// spans returns the spans of all headers and of all tables that are not empty,
// sorted by offset. Spans of a shared table are neighbours, in the order of their
// DVLEs. The result has no spans of DVLEs for which skip returns true.
func (l *Layout) spans(skip func(dvle int) bool) []wire.Span {
	n := 2 + numDVLPTables
	for i := range l.DVLEs {
		n++
		for _, x := range l.DVLEs[i].Tables {
			if x.Count > 0 {
				n++
			}
		}
	}
	list := make([]wire.Span, 0, n)
	add := func(kind uint8, dvle int, off, size uint64) {
		if size > 0 {
			list = append(list, wire.Span{Off: off, Len: size, Kind: kind, Owner: int32(dvle)})
		}
	}
	p := l.dvlpOffset()
	add(dvlbSpan, -1, 0, p)
	add(dvlpSpan, -1, p, uint64(l.dvlpRecord().Bytes))
	for k, x := range l.extents() {
		add(dvlpTableSpan+uint8(k), -1, p+uint64(x.Offset), dvlpTables[k].Bytes(*x))
	}
	for i := range l.DVLEs {
		if skip != nil && skip(i) {
			continue
		}
		e := &l.DVLEs[i]
		q := uint64(e.Offset)
		add(dvleSpan, i, q, dvleHeaderSize)
		for k, x := range e.Tables {
			add(dvleTableSpan+uint8(k), i, q+uint64(x.Offset), dvleTables[k].Bytes(x))
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
	if !v.HasTable(dvlbHeaderSize, n, 4) {
		return nil
	}
	l := &Layout{Size: v.Size(), DVLEs: make([]DVLELayout, n)}
	offsetRecord.Get(v.B[dvlbHeaderSize:], l.DVLEs)
	l.readDVLP(v, new(DVLP))
	header := []dvleHeader{{dvle: new(DVLE)}}
	for i := range l.DVLEs {
		if q := uint64(l.DVLEs[i].Offset); v.Has(q, dvleHeaderSize) {
			header[0].layout = &l.DVLEs[i]
			dvleRecord.Get(v.B[q:], header)
		}
	}
	return l
}

// readDVLP reads the DVLP header, with zeros for bytes after the end of the
// file. first is the smallest offset, from the DVLP, of the code, the descriptors
// and the DVLEs; at is the place of the field that stores it. The header is a
// short one when first leaves no room for the full one.
func (l *Layout) readDVLP(v wire.View, to *DVLP) (first uint64, at diag.Place) {
	p := l.dvlpOffset()
	header := []dvlpHeader{{to, l}}
	head := v.Bytes(p, dvlpHeaderSize)
	if missing := dvlpHeaderSize - uint64(len(head)); missing > 0 {
		head = append(head, make([]byte, missing)...)
	}
	shortDVLPRecord.Get(head, header)
	first, at = uint64(l.Code.Offset), l.dvlpPlace("code.offset")
	if off := uint64(l.Descriptors.Offset); l.Descriptors.Count > 0 && off < first {
		first, at = off, l.dvlpPlace("descriptors.offset")
	}
	for i, e := range l.DVLEs {
		if off := uint64(e.Offset) - p; uint64(e.Offset) >= p && off < first {
			first, at = off, offsetPlace(uint64(i))
		}
	}
	if l.ShortHeader = first >= shortDVLPHeaderSize && first < dvlpHeaderSize; !l.ShortHeader {
		dvlpRecord.Get(head, header)
	}
	return first, at
}
