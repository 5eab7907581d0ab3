package shbin

import (
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// vertexFields are the fields of the DVLE header of a vertex shader: its geometry mode is a number without a name.
var vertexFields = func() diag.Struct {
	fields := slices.Clone(dvleRecord.Struct)
	i := slices.IndexFunc(fields, func(f diag.Field) bool { return f.Name == "geometry.mode" })
	fields[i].Show = nil
	return fields
}()

// regionMap builds the regions of a file with this layout.
type regionMap struct {
	wire.Map
	layout *Layout
}

// regions returns the regions of any bytes b; they cover every byte. A table that
// several DVLEs share is listed for the first of them, and Also has the others.
// Other overlaps, which Parse refuses, go to the first structure.
func regions(b []byte, _ []Option) []diag.Region {
	v := wire.LE(b)
	m := regionMap{wire.Map{View: v}, locate(v)}
	if m.layout == nil {
		m.Struct(dvlbRecord.Struct, diag.Path{Field: "dvlb"})
		return m.Finish()
	}
	for spans := m.layout.spans(nil); len(spans) > 0; {
		s, n := spans[0], 1
		for n < len(spans) && shares(spans[n], s) {
			n++
		}
		if m.To(s.Off) {
			m.section(s, spans[1:n])
		}
		spans = spans[n:]
	}
	return m.Finish()
}

// section adds the fields of the header or table of a span. twins are the spans of
// the other DVLEs that share the table.
func (m *regionMap) section(s wire.Span, twins []wire.Span) {
	from, path := len(m.Regions), placeOf(s).Path
	switch {
	case s.Kind == dvlbSpan:
		m.Struct(dvlbRecord.Struct, path)
		m.Table(s.End(), diag.Path{Prefix: "dvlb.", Field: "offsets"}, always(offsetRecord.Struct))
	case s.Kind == dvlpSpan:
		m.Struct(m.layout.dvlpRecord().Struct, path)
	case s.Kind < dvleSpan:
		m.dvlpTable(s, path)
	case s.Kind == dvleSpan:
		fields := dvleRecord.Struct
		if Type(m.U8(s.Off+dvleRecord.Offset("type"))) != GeometryShader {
			fields = vertexFields
		}
		m.Struct(fields, path)
	default:
		m.dvleTable(s, path)
	}
	for _, twin := range twins {
		other := placeOf(twin).Path.Prefix
		for i := range m.Regions[from:] {
			r := &m.Regions[from+i]
			r.Also = append(r.Also, other+strings.TrimPrefix(r.Path, path.Prefix))
		}
	}
}

// dvlpTable adds a table of the DVLP.
func (m *regionMap) dvlpTable(s wire.Span, path diag.Path) {
	table := dvlpTables[s.Kind-dvlpTableSpan]
	if table.Fields == nil {
		m.Names(s.End(), path)
		return
	}
	from := len(m.Regions)
	m.Table(s.End(), path, always(table.Fields))
	if s.Kind == dvlpTableSpan+lineTable {
		x := m.layout.FileNames
		m.Resolve(from, m.Bytes(m.layout.dvlpOffset()+uint64(x.Offset), uint64(x.Count)))
	}
}

// dvleTable adds a table of a DVLE.
func (m *regionMap) dvleTable(s wire.Span, path diag.Path) {
	table := dvleTables[s.Kind-dvleTableSpan]
	if table.Fields == nil {
		m.Names(s.End(), path)
		return
	}
	from, fields := len(m.Regions), always(table.Fields)
	if s.Kind == dvleTableSpan+constantTable {
		fields = func(off uint64) diag.Struct { return ConstantFields(ConstantType(m.U8(off))) }
	}
	m.Table(s.End(), path, fields)
	e := &m.layout.DVLEs[s.Owner]
	x := e.Tables[symbolTable]
	m.Resolve(from, m.Bytes(uint64(e.Offset)+uint64(x.Offset), uint64(x.Count)))
}

// always returns fields for every offset.
func always(fields diag.Struct) func(uint64) diag.Struct {
	return func(uint64) diag.Struct { return fields }
}
