package gx2

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// AppendRegions appends the owner of every byte of a shader that was read from
// offset off of file. prefix is put before the paths and ends with a dot.
func (s *Shader) AppendRegions(regions []diag.Region, file []byte, order binary.ByteOrder, off uint64,
	prefix string) []diag.Region {
	m := regionMap{regions: regions, file: file, order: order, base: off, prefix: prefix, shader: s}
	var placed [numTables]bool
	for t, x := range s.Layout.Tables {
		placed[t] = x.Count > 0
	}
	sized := [2]bool{s.Layout.Program.Offset > 0, s.Layout.CopyProgram.Offset > 0}
	fixed := s.Layout.parts(nil, &structures[s.Type], placed, sized)
	names := m.names()
	for len(fixed) > 0 || len(names) > 0 {
		if len(names) == 0 || len(fixed) > 0 && fixed[0].off <= names[0].off {
			m.addPart(fixed[0])
			fixed = fixed[1:]
			continue
		}
		n := 1
		for n < len(names) && names[n].off == names[0].off {
			n++
		}
		m.name(names[:n])
		names = names[n:]
	}
	m.gap(uint64(s.Layout.Size))
	return m.regions
}

// AppendFields appends the fields of the structure at offset off of file, which
// has room for it, whatever they say.
func (t Type) AppendFields(regions []diag.Region, file []byte, order binary.ByteOrder, off uint64,
	prefix string) []diag.Region {
	return structures[t].Struct.AppendRegions(regions, file, int(off), order, prefix)
}

// regionMap is the list being made; end is where it ends in the shader.
type regionMap struct {
	regions []diag.Region
	file    []byte
	order   binary.ByteOrder
	base    uint64
	prefix  string
	shader  *Shader
	end     uint64
}

// names lists the names by offset.
func (m *regionMap) names() []part {
	list := make([]part, 0, len(m.shader.Layout.Names))
	for slot, x := range m.shader.Layout.Names {
		list = append(list, part{uint64(x.Offset), x.End(1) + 1, nameOwner, uint32(slot)})
	}
	slices.SortStableFunc(list, func(a, b part) int { return cmp.Compare(a.off, b.off) })
	return list
}

// gap adds the bytes up to an offset that nobody owns.
func (m *regionMap) gap(to uint64) {
	if to <= m.end {
		return
	}
	kind, field := diag.PaddingRegion, "padding"
	if !wire.Zero(m.file[m.base+m.end : m.base+to]) {
		kind, field = diag.GapRegion, "gap"
	}
	m.add(to, kind, m.prefix+field, "")
}

// add adds a region up to an offset.
func (m *regionMap) add(to uint64, kind diag.RegionKind, path, value string, also ...string) {
	m.regions = append(m.regions, diag.Region{
		Off: int(m.base + m.end), Len: int(to - m.end), Kind: kind, Path: path, Value: value, Also: also,
	})
	m.end = to
}

// addPart adds structure, table or code.
func (m *regionMap) addPart(p part) {
	m.gap(p.off)
	switch p.owner {
	case structurePart:
		m.fields(structures[m.shader.Type].Struct, p.off, m.prefix)
	case codePart:
		m.add(p.end, diag.OpaqueRegion, m.prefix+"code", "")
	case copyPart:
		m.add(p.end, diag.OpaqueRegion, m.prefix+"copy_code", "")
	default:
		kind := &tables[p.owner]
		for i := range m.shader.Layout.Tables[p.owner].Count {
			path := diag.Path{Prefix: m.prefix, Table: kind.name, Index: int(i)}
			m.fields(kind.fields, p.off+kind.size*uint64(i), path.String()+".")
		}
	}
	m.end = p.end
}

func (m *regionMap) fields(fields diag.Struct, off uint64, prefix string) {
	m.regions = fields.AppendRegions(m.regions, m.file, int(m.base+off), m.order, prefix)
}

// name adds a name that several records may refer to. When another name starts
// inside, the region ends there; that one names this as a further owner.
func (m *regionMap) name(same []part) {
	p := same[0]
	var also []string
	if p.off < m.end {
		last := &m.regions[len(m.regions)-1]
		also = append(also, last.Path)
		last.Len = int(m.base + p.off - uint64(last.Off))
		m.end = p.off
	}
	m.gap(p.off)
	for _, twin := range same[1:] {
		also = append(also, m.path(twin))
	}
	text := m.file[m.base+p.off : m.base+p.end-1]
	m.add(p.end, diag.FieldRegion, m.path(p), diag.Quote(text), also...)
}

func (m *regionMap) path(p part) string {
	t, i := m.shader.Layout.owner(p.slot)
	return diag.Path{Prefix: m.prefix, Table: tables[t].name, Index: i, Field: "text"}.String()
}
