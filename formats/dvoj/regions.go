package dvoj

import (
	"bytes"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
)

// Regions returns the owner of every byte of what AppendUnchecked writes, from
// the first to the last; nil when it writes nothing. Where tables overlap,
// which Parse does not accept, the first has the bytes.
func (f *File) Regions() []diag.Region {
	b, err := f.AppendUnchecked(nil)
	if err != nil {
		return nil
	}
	l := f.Layout
	if !f.fits(l) {
		l, _ = f.canonicalLayout()
	}
	m := regionMap{bytes: b}
	for _, s := range l.spans() {
		if s.off < uint64(m.end) {
			continue
		}
		m.gap(int(s.off))
		switch s.table {
		case -1:
			m.fields(headerFields, diag.Path{Field: "header"})
		case symbols:
			m.names(int(s.end()))
		default:
			m.table(s)
		}
	}
	m.gap(len(b))
	return m.regions
}

// regionMap is the list being made; end is where it ends.
type regionMap struct {
	bytes   []byte
	regions []diag.Region
	end     int
}

func (m *regionMap) add(r diag.Region) {
	r.Off = m.end
	m.regions = append(m.regions, r)
	m.end += r.Len
}

// gap adds the bytes up to end that no table has.
func (m *regionMap) gap(end int) {
	switch g := (shbin.Gap{Offset: uint64(m.end), Bytes: m.bytes[m.end:end]}); {
	case m.end == end:
	case isPadding(g):
		m.add(diag.Region{Len: len(g.Bytes), Kind: diag.PaddingRegion, Path: "padding"})
	default:
		m.add(diag.Region{Len: len(g.Bytes), Kind: diag.GapRegion, Path: "gap"})
	}
}

func (m *regionMap) fields(fields diag.Struct, path diag.Path) {
	m.regions = fields.AppendRegions(m.regions, m.bytes, m.end, le, path.String()+".")
	m.end += int(fields.Size())
}

// table adds the fields of the entries of a table.
func (m *regionMap) table(s span) {
	for i := 0; m.end < int(s.end()); i++ {
		fields := columns[s.table].fields
		if s.table == constants {
			fields = shbin.FieldsOf(shbin.ConstantType(m.bytes[m.end]))
		}
		m.fields(fields, diag.Path{Table: columns[s.table].name, Index: i})
	}
}

// names adds the symbols, each with its NUL; the path has the offset by which
// tables refer to it. Bytes behind the last NUL are no name.
func (m *regionMap) names(end int) {
	for start := m.end; m.end < end; {
		text := m.bytes[m.end:end]
		r := diag.Region{Len: len(text), Kind: diag.OpaqueRegion, Path: diag.Path{Table: "symbols", Index: m.end - start}.String()}
		if n := bytes.IndexByte(text, 0); n >= 0 {
			r.Len, r.Kind, r.Value = n+1, diag.FieldRegion, diag.Quote(text[:n])
		}
		m.add(r)
	}
}
