package bnsh

import (
	"encoding/binary"

	"github.com/picaproof/picaproof/formats/diag"
)

// Regions returns the owner of every byte of what AppendUnchecked writes:
// fields, blobs, strings, padding and gaps, from the first byte to the last. A
// blob that is shared is listed once, with its other owners in Also. A file
// whose layout cannot be written is shown in the canonical one; where records
// overlap, which Parse does not accept, the first has the bytes.
func (f *File) Regions() []diag.Region {
	layout, b, err := f.compose(nil)
	if err != nil {
		if layout, b, err = f.Canonical().compose(nil); err != nil {
			return nil
		}
	}
	m := regionMap{bytes: b, gaps: layout.Gaps}
	for _, s := range f.spans(layout) {
		switch {
		case s.shares(m.last):
			m.also(s)
		case int(s.off) >= m.end:
			m.padding(int(s.off))
			m.span(s)
			m.last = s
		}
	}
	m.padding(int(layout.Strings))
	m.strings(layout)
	m.padding(int(layout.Relocations))
	m.relocations(layout)
	return m.regions
}

// regionMap is the list being made; end is where it ends.
type regionMap struct {
	bytes   []byte
	gaps    []Gap // still to come
	regions []diag.Region
	end     int
	last    span
}

func (m *regionMap) add(n int, kind diag.RegionKind, path, value string) {
	m.regions = append(m.regions, diag.Region{Off: m.end, Len: n, Kind: kind, Path: path, Value: value})
	m.end += n
}

// fields adds a record.
func (m *regionMap) fields(fields diag.Struct, path diag.Path) {
	prefix := path.String()
	if len(fields) > 1 {
		prefix += "."
	}
	m.regions = fields.AppendRegions(m.regions, m.bytes, m.end, binary.LittleEndian, prefix)
	m.end += int(fields.Size())
}

// padding adds the bytes up to an offset, which nothing owns.
func (m *regionMap) padding(to int) {
	if to <= m.end {
		return
	}
	kind, path := diag.PaddingRegion, "padding"
	if len(m.gaps) > 0 && int(m.gaps[0].Offset) < to {
		kind, path = diag.GapRegion, "gap"
		m.gaps = m.gaps[1:]
	}
	m.add(to-m.end, kind, path, "")
}

// also adds a further owner of the last blob.
func (m *regionMap) also(s span) {
	r := &m.regions[len(m.regions)-1]
	r.Also = append(r.Also, s.owner.String())
}

// span adds a record or blob.
func (m *regionMap) span(s span) {
	path := s.owner.String()
	switch fields := parts[s.owner.part].fields; s.owner.part {
	case dictionaryPart:
		m.fields(fields, diag.Path{Prefix: path})
		m.table(entryFields, path, s.end())
	case slotsPart, textPointersPart, textSizesPart:
		m.table(fields, path, s.end())
	default:
		if fields == nil {
			m.add(int(s.len), diag.OpaqueRegion, path, "")
			return
		}
		m.fields(fields, diag.Path{Prefix: path})
	}
}

// table adds equal records up to an offset.
func (m *regionMap) table(fields diag.Struct, path string, end uint64) {
	for i := 0; m.end < int(end); i++ {
		m.fields(fields, diag.Path{Table: path, Index: i})
	}
}

func (m *regionMap) strings(l *Layout) {
	m.fields(stringsFields, diag.Path{Prefix: parts[stringPart].name})
	for i, text := range l.StringPool {
		path := diag.Path{Table: parts[stringPart].name, Index: i}.String()
		m.add(2, diag.FieldRegion, path+".length", diag.Dec(uint64(len(text))).String())
		n := len(text) + 1
		m.add(n, diag.FieldRegion, path, diag.Quote(m.bytes[m.end:m.end+n-1]))
		m.padding(m.end + n%2)
	}
}

func (m *regionMap) relocations(l *Layout) {
	path := parts[relocationPart].name
	m.fields(relocationFields, diag.Path{Prefix: path})
	for i := range l.Sections {
		m.fields(sectionFields, diag.Path{Prefix: path + ".", Table: "sections", Index: i})
	}
	for i := range l.Sections {
		section := diag.Path{Prefix: path + ".", Table: "sections", Index: i}.String()
		for k := range l.Sections[i].Entries {
			m.fields(relocationEntryFields, diag.Path{Prefix: section + ".", Table: "entries", Index: k})
		}
	}
}
