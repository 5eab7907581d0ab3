package wire

import (
	"bytes"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
)

// Map builds the regions of a file. The caller adds headers and tables by
// ascending offset: it calls To with the offset and, if To returns true, one of
// Add, Struct, Table and Names. To turns the bytes before the offset into padding
// or a gap, and refuses an offset before the end of the map or after the file. The
// other methods cut at the end of the file. So no two regions overlap and, after
// Finish, they cover the file, even when its headers are wrong.
type Map struct {
	View
	Regions []diag.Region
	End     uint64 // offset after the last region
}

// To adds padding or a gap up to off, and reports whether a header or table at
// off can be added.
func (m *Map) To(off uint64) bool {
	if off < m.End || off > m.Size() {
		return false
	}
	if off > m.End {
		g := Gap{m.End, m.Bytes(m.End, off-m.End)}
		if g.Padding() {
			m.Add(off-m.End, diag.PaddingRegion, "padding")
		} else {
			m.Add(off-m.End, diag.GapRegion, "gap")
		}
	}
	return true
}

// Finish adds the bytes after the last region and returns all regions.
func (m *Map) Finish() []diag.Region {
	m.To(m.Size())
	return m.Regions
}

// Add adds one region of n bytes at the end of the map, cut at the end of the
// file. It returns the region, so that the caller can set its value; nil when no
// byte is left.
func (m *Map) Add(n uint64, kind diag.RegionKind, path string) *diag.Region {
	n = min(n, m.Size()-m.End)
	if n == 0 {
		return nil
	}
	m.Regions = append(m.Regions, diag.Region{Off: int(m.End), Len: int(n), Kind: kind, Path: path})
	m.End += n
	return &m.Regions[len(m.Regions)-1]
}

// Struct adds the fields of the structure with this path at the end of the map.
// When the file ends inside the structure, its fields have no values.
func (m *Map) Struct(fields diag.Struct, path diag.Path) {
	prefix := path.String() + "."
	if n := fields.Size(); m.Has(m.End, n) {
		m.Regions = fields.AppendRegions(m.Regions, m.B, int(m.End), m.Order(), prefix)
		m.End += n
		return
	}
	for _, f := range fields {
		m.Add(uint64(f.Size), f.Kind, diag.Path{Prefix: prefix, Field: f.Name}.String())
	}
}

// Table adds the entries of a table up to end, entry i with the path table[i].
// fieldsOf returns the fields of the entry at an offset.
func (m *Map) Table(end uint64, table diag.Path, fieldsOf func(off uint64) diag.Struct) {
	table = table.Entry(0)
	for end = min(end, m.Size()); m.End < end; table.Index++ {
		m.Struct(fieldsOf(m.End), table)
	}
}

// Names adds the NUL-terminated names of a string table up to end. The index in
// the path of a name is its offset in the table, which is how files refer to it.
// Bytes after the last NUL are opaque.
func (m *Map) Names(end uint64, table diag.Path) {
	table = table.Entry(0)
	start := m.End
	for end = min(end, m.Size()); m.End < end; {
		text, ended, kind := m.Bytes(m.End, end-m.End), false, diag.OpaqueRegion
		n := bytes.IndexByte(text, 0)
		if ended = n >= 0; ended {
			text, kind = text[:n+1], diag.FieldRegion
		}
		table.Index = int(m.End - start)
		r := m.Add(uint64(len(text)), kind, table.String())
		if ended {
			r.Value = diag.Quote(text[:n])
		}
	}
}

// Resolve adds names to the values of all fields called "name" from region first
// on: such a value is an offset in the string table, and the name at this offset
// follows it.
func (m *Map) Resolve(first int, table []byte) {
	limit := NameLimit(table)
	for i := range m.Regions[first:] {
		r := &m.Regions[first+i]
		if r.Len != 4 || !strings.HasSuffix(r.Path, ".name") {
			continue
		}
		if off := uint64(m.U32(uint64(r.Off))); off < limit {
			r.Value += " " + diag.Quote(NameStart(table, off))
		}
	}
}
