package cgfx

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
)

// regionMap builds the list of regions.
type regionMap struct {
	wire.Map
	*reader
	names []text // still to add, by offset; of names with one end only the longest
}

// regions returns regions that cover all bytes of b. Bytes that the reader does
// not understand are gaps or opaque.
func regions(b []byte, _ []Option) []diag.Region {
	r := walk(b, diag.Collect(ruleSet))
	if len(r.spans) == 0 {
		r.span(0, headerSize, headerSpan, -1, 0)
	}
	r.sortSpans()
	m := regionMap{wire.Map{View: wire.LE(b)}, r, slices.Concat(r.keys, r.names)}
	m.names = slices.DeleteFunc(m.names, func(t text) bool { return t.b == nil })
	slices.SortFunc(m.names, func(a, b text) int { return cmp.Compare(a.at, b.at) })
	m.names = slices.CompactFunc(m.names, func(a, b text) bool { return a.end() == b.end() })
	for _, s := range r.spans {
		if s.Off < m.End || s.Off > m.Map.Size() {
			continue
		}
		m.rest(s.Off)
		m.addSpan(s)
	}
	m.rest(m.reader.Size())
	m.Add(m.Map.Size()-m.End, diag.GapRegion, "tail")
	return m.Regions
}

// addSpan adds the regions of a span that starts at m.End.
func (m *regionMap) addSpan(s span) {
	path := s.path()
	entries := func(table string, n int, fields diag.Struct) {
		m.Table(m.End+uint64(n)*fields.Size(), diag.Path{Prefix: path.Prefix, Field: table},
			func(uint64) diag.Struct { return fields })
	}
	switch s.Kind {
	case headerSpan:
		m.Struct(headerRecord.Struct, path)
		m.Add(max(s.End(), m.End)-m.End, diag.OpaqueRegion, "header.extra")
	case dataSpan:
		m.Struct(dataRecord.Struct, path)
		entries("data.kinds", int(s.sub), pairRecord.Struct)
	case dictSpan:
		m.Struct(dictRecord.Struct, path)
		entries("dict.nodes", int(s.sub)+1, nodeRecord.Struct)
	case objectSpan:
		m.Struct(objectRecord.Struct, path)
	case referenceSpan:
		m.Struct(referenceRecord.Struct, path)
	case arraySpan:
		entries(path.Field, int(s.sub), pointerRecord.Struct)
	case programSpan:
		m.Struct(programRecord.Struct, path)
	case commandSpan:
		m.Add(s.Len, diag.OpaqueRegion, path.String())
	case dvlbSpan:
		m.dvlb(s)
	}
}

// dvlb adds the regions of a DVLB.
func (m *regionMap) dvlb(s span) {
	prefix := dvlbPrefix(int(s.Owner))
	for _, inner := range shbin.Outline(m.Map.Bytes(s.Off, s.Len)).Regions {
		r := m.Add(uint64(inner.Len), inner.Kind, prefix+inner.Path)
		r.Value = inner.Value
		for _, also := range inner.Also {
			r.Also = append(r.Also, prefix+also)
		}
	}
}

// rest adds the bytes up to end, which are in no span: names, and the bytes between them.
func (m *regionMap) rest(end uint64) {
	for m.End < end {
		for len(m.names) > 0 && m.names[0].end() < m.End {
			m.names = m.names[1:]
		}
		if len(m.names) == 0 || m.names[0].at >= end {
			m.unknown(end)
			return
		}
		name := m.names[0]
		m.names = m.names[1:]
		m.unknown(name.at)
		n := min(name.end()+1, end) - m.End
		m.Add(n, diag.FieldRegion, "names["+strconv.Itoa(int(m.End))+"]").Value = diag.Quote(name.b)
	}
}

// unknown adds the bytes up to end as padding, a gap, or content of another kind.
func (m *regionMap) unknown(end uint64) {
	if end <= m.End {
		return
	}
	kind, path := diag.GapRegion, "gap"
	switch n := end - m.End; {
	case n < 4 && end%4 == 0 && wire.Zero(m.Map.Bytes(m.End, n)):
		kind, path = diag.PaddingRegion, "padding"
	case m.other || m.header.blocks > 1:
		kind, path = diag.OpaqueRegion, "other"
	}
	m.Add(end-m.End, kind, path)
}
