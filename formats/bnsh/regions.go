package bnsh

import (
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// Regions returns the owner of every byte that AppendUnchecked writes: fields,
// blobs, strings, padding and gaps, from the first byte to the last. A blob
// that is shared is listed once, with its other owners in Also. A file whose
// layout cannot be written is shown in the canonical one; where records
// overlap, which Parse does not accept, the first has the bytes.
func (f *File) Regions() []diag.Region {
	if regions := shell.Regions(f); regions != nil {
		return regions
	}
	return shell.Regions(f.Canonical())
}

// regions returns the regions of any bytes, as far as their structure is known.
func regions(b []byte, _ []Option) []diag.Region {
	r := newReader(b, diag.Collect(ruleSet))
	r.walk()
	m := regionMap{Map: wire.Map{View: r.View}}
	if r.Size() >= headerSize {
		m.single(headerPart, 0)
	}
	switch {
	case r.known&knowBody != 0:
		for s := range r.file.spans(r.layout, nil) {
			switch {
			case s.shares(m.last):
				last := &m.Regions[len(m.Regions)-1]
				last.Also = append(last.Also, s.owner.String())
			case uint64(s.off) >= m.End:
				m.padding(uint64(s.off))
				m.span(s)
				m.last = s
			}
		}
		m.single(stringPart, uint64(r.layout.Strings))
		m.texts(&r.pool)
	case r.known&knowContainer != 0:
		m.single(containerPart, uint64(r.layout.Container))
	}
	if t := uint64(r.layout.Relocations); r.known&knowTable != 0 && t >= m.End {
		m.single(relocationPart, t)
		if r.known&knowSections != 0 {
			m.sections(r.layout)
		}
	}
	m.padding(r.Size())
	return m.Regions
}

// regionMap builds the regions of a file.
type regionMap struct {
	wire.Map
	last span
}

// single adds the record at an offset. A file has one record of the kind.
func (m *regionMap) single(p part, off uint64) {
	m.padding(off)
	m.fields(parts[p].fields, diag.Path{Prefix: parts[p].name})
}

// fields adds a record.
func (m *regionMap) fields(fields diag.Struct, path diag.Path) {
	prefix := path.String()
	if len(fields) > 1 {
		prefix += "."
	}
	m.Regions = fields.AppendRegions(m.Regions, m.B, int(m.End), m.Order(), prefix)
	m.End += fields.Size()
}

// padding adds the bytes up to an offset, which nothing owns.
func (m *regionMap) padding(to uint64) {
	if to <= m.End {
		return
	}
	kind, path := diag.PaddingRegion, "padding"
	if wire.FirstNonZero(m.Bytes(m.End, to-m.End)) >= 0 {
		kind, path = diag.GapRegion, "gap"
	}
	m.Add(to-m.End, kind, path)
}

// span adds a record with the table after it, or a blob.
func (m *regionMap) span(s span) {
	path, p := s.owner.String(), &parts[s.owner.part]
	if p.fields == nil && p.elements == nil {
		m.Add(uint64(s.len), diag.OpaqueRegion, path)
		return
	}
	if p.fields != nil {
		m.fields(p.fields, diag.Path{Prefix: path})
	}
	for i := 0; m.End < s.end(); i++ {
		m.fields(p.elements, diag.Path{Table: path, Index: i})
	}
}

// texts adds the strings of the pool.
func (m *regionMap) texts(p *stringPool) {
	for i, text := range p.texts {
		path := diag.Path{Table: parts[stringPart].name, Index: i}.String()
		m.Add(2, diag.FieldRegion, path+".length").Value = diag.Dec(uint64(len(text))).String()
		n := uint64(len(text)) + 1
		m.Add(n, diag.FieldRegion, path).Value = diag.Quote([]byte(text))
		m.padding(min(m.End+n%2, p.end))
	}
}

func (m *regionMap) sections(l *Layout) {
	path := parts[relocationPart].name
	for i := range l.Sections {
		m.fields(sectionRecord.Struct, diag.Path{Prefix: path + ".", Table: "sections", Index: i})
	}
	for i := range l.Sections {
		section := diag.Path{Prefix: path + ".", Table: "sections", Index: i}.String()
		for k := range l.Sections[i].Entries {
			m.fields(relocationEntryRecord.Struct, diag.Path{Prefix: section + ".", Table: "entries", Index: k})
		}
	}
}
