package shbin

import (
	"bytes"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// Regions returns the owner of every byte of what AppendUnchecked writes:
// fields, names, padding and gaps, from the first byte to the last. A table
// that several DVLEs share is listed once, with the others in Also. A file whose
// layout cannot be written is shown in the canonical one; where sections
// overlap otherwise, which Parse does not accept, the first has the bytes.
func (f *File) Regions() []diag.Region {
	layout, err := f.currentLayout()
	if err != nil {
		return nil
	}
	b, err := f.appendAt(nil, layout)
	switch {
	case err != nil && f.Layout == nil:
		return nil
	case err != nil:
		return f.Canonical().Regions()
	}
	m := regionMap{file: f, bytes: b}
	spans := layout.spans(nil)
	for len(spans) > 0 {
		s := spans[0]
		n := 1
		for n < len(spans) && spans[n].shares(s) {
			n++
		}
		if s.off >= uint64(m.end) {
			m.gap(int(s.off))
			m.section(s, spans[1:n], layout)
		}
		spans = spans[n:]
	}
	m.gap(len(b))
	return m.regions
}

// regionMap is the list being made; end is where it ends.
type regionMap struct {
	file    *File
	bytes   []byte
	regions []diag.Region
	end     int
}

// gap adds the bytes up to end that no section has.
func (m *regionMap) gap(end int) {
	if end <= m.end {
		return
	}
	r := diag.Region{Off: m.end, Len: end - m.end, Kind: diag.GapRegion, Path: "gap"}
	if (Gap{uint64(m.end), m.bytes[m.end:end]}).padding() {
		r.Kind, r.Path = diag.PaddingRegion, "padding"
	}
	m.regions = append(m.regions, r)
	m.end = end
}

// section adds the leaves of a section; twins are the other owners of a table.
func (m *regionMap) section(s span, twins []span, l *Layout) {
	from := len(m.regions)
	place := s.place()
	switch path := place.Path; s.section {
	case libraryHeader:
		m.fields(libraryFields, s.off, diag.Path{Prefix: "dvlb."})
		for i := range l.Entries {
			at := offsetPlace(uint64(i))
			m.fields(offsetFields, at.Off, at.Path)
		}
	case programHeader:
		m.fields(l.programFields(), s.off, diag.Path{Prefix: "dvlp."})
	case entryHeader:
		m.fields(entryHeaderFields, s.off, path)
	case fileNameSection, symbolSection:
		m.names(s, path)
	default:
		m.table(s, path)
	}
	m.end = int(s.end())
	for _, twin := range twins {
		other := twin.place().Path.Prefix
		for i := range m.regions[from:] {
			r := &m.regions[from+i]
			r.Also = append(r.Also, other+strings.TrimPrefix(r.Path, place.Path.Prefix))
		}
	}
}

func (m *regionMap) fields(fields diag.Struct, off uint64, path diag.Path) {
	prefix := path.String() + "."
	m.regions = fields.AppendRegions(m.regions, m.bytes, int(off), le, prefix)
}

// tableFields gives each table the fields of its entries.
var tableFields = [...]diag.Struct{
	codeSection:       WordFields,
	descriptorSection: DescriptorFields,
	lineSection:       LineFields,
	constantSection:   ConstantFields,
	labelSection:      LabelFields,
	outputSection:     OutputFields,
	uniformSection:    UniformFields,
}

// table adds the fields of the entries of a table. Name offsets are shown with
// the name.
func (m *regionMap) table(s span, path diag.Path) {
	path.Table, path.Field = path.Field, ""
	names := m.namesOf(s)
	for off := s.off; off < s.end(); off += sections[s.section].size {
		fields := tableFields[s.section]
		if s.section == constantSection {
			fields = FieldsOf(ConstantType(m.bytes[off]))
		}
		from := len(m.regions)
		m.fields(fields, off, path)
		path.Index++
		for k, f := range fields {
			if f.Name == "name" {
				r := &m.regions[from+k]
				if name, ok := names.Lookup(uint64(le.Uint32(m.bytes[r.Off:]))); ok {
					r.Value += " " + diag.Quote(name)
				}
			}
		}
	}
}

// namesOf returns the names that a table refers to.
func (m *regionMap) namesOf(s span) wire.Strings {
	switch s.section {
	case lineSection:
		return wire.NewStrings(m.file.Program.FileNames)
	case labelSection, uniformSection:
		return wire.NewStrings(m.file.Entries[s.entry].Symbols)
	}
	return wire.Strings{}
}

// names adds the strings of a table, each with its NUL; the path has the offset
// by which tables refer to it. Bytes behind the last NUL are no name.
func (m *regionMap) names(s span, path diag.Path) {
	table := m.bytes[s.off:s.end()]
	path.Table, path.Field = path.Field, ""
	for off := 0; off < len(table); {
		r := diag.Region{Off: int(s.off) + off, Len: len(table) - off, Kind: diag.OpaqueRegion}
		if n := bytes.IndexByte(table[off:], 0); n >= 0 {
			r.Len, r.Kind = n+1, diag.FieldRegion
			r.Value = diag.Quote(table[off : off+n])
		}
		path.Index = off
		r.Path = path.String()
		m.regions = append(m.regions, r)
		off += r.Len
	}
}
