package sharcfb

import (
	"bytes"
	"fmt"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/wire"
)

// Regions returns the owner of every byte that AppendBinary writes, from the
// first byte to the last. It is nil for a file that AppendBinary refuses.
func (f *File) Regions() []diag.Region {
	if _, err := f.AppendBinary(nil); err != nil {
		return nil
	}
	return shell.Regions(f)
}

// regions returns the regions of any bytes: lists and records as far as their
// sizes lead from one to the next.
func regions(b []byte, _ []Option) []diag.Region {
	r := newReader(b, diag.Collect(ruleSet))
	m := regionMap{Map: wire.Map{View: r.View}, shaders: gx2.Reader{Reporter: diag.Collect(ruleSet)}}
	if r.Size() >= headerSize && r.identify() {
		m.Big = r.Big
		m.Struct(headerRecord.Struct, diag.Path{Field: "header"})
		m.text("name", uint64(m.U32(headerField("name_length").Off)), m.Size())
		m.list(&binaryList, "", m.Size(), m.binary)
		m.list(&programList, "", m.Size(), m.program)
	}
	m.rest(m.Size(), "")
	return m.Regions
}

// regionMap builds the regions of an archive.
type regionMap struct {
	wire.Map
	shaders gx2.Reader
	headers headers
}

// rest adds bytes up to an offset that no structure has.
func (m *regionMap) rest(to uint64, path string) {
	if to > m.End {
		m.Add(to-m.End, diag.GapRegion, path+"gap")
	}
}

// text adds a string of n bytes, NUL included, cut at the end of its record.
func (m *regionMap) text(path string, n, end uint64) {
	n = min(n, end-m.End)
	text := m.Bytes(m.End, n)
	if r := m.Add(n, diag.FieldRegion, path); r != nil {
		r.Value = diag.Quote(bytes.TrimSuffix(text, []byte{0}))
	}
}

// list adds a list that ends by limit: the header, and each record by itself.
func (m *regionMap) list(kind *listKind, prefix string, limit uint64, record func(prefix string, end uint64)) {
	if limit-m.End < listHeaderSize {
		return
	}
	header := *read(m.View, listRecord, m.End, &m.headers.list)
	if size := uint64(header.size); size >= listHeaderSize {
		limit = min(limit, m.End+size)
	}
	m.Struct(listRecord.Struct, diag.Path{Prefix: prefix, Field: kind.name})
	for i := uint32(0); i < header.count && limit-m.End >= kind.least; i++ {
		size := uint64(m.U32(m.End))
		if size < kind.least || size > limit-m.End {
			break
		}
		end := m.End + size
		path := fmt.Sprintf("%s%s[%d]", prefix, kind.name, i)
		m.Struct(kind.fields, diag.Path{Field: path})
		record(path+".", end)
		m.rest(end, path+".")
	}
	m.rest(limit, prefix+kind.name+".")
}

func (m *regionMap) binary(prefix string, end uint64) {
	header := *read(m.View, binaryRecord, m.End-binaryHeaderSize, &m.headers.binary)
	kind, gap, size := header.kind, uint64(header.dataOffset), uint64(header.dataSize)
	if room := end - m.End; gap > room || size > room-gap || !kind.Known() {
		return
	}
	if gap > 0 {
		m.Add(gap, diag.GapRegion, prefix+"slack.gap")
	}
	data := m.End
	var shader gx2.Shader
	source := gx2.Source{Type: kind, Data: m.Bytes(data, size), Order: m.Order(), Off: data}
	if m.shaders.Read(&shader, source) && !m.shaders.TooManyNames() {
		m.Regions = shader.AppendRegions(m.Regions, m.B, m.Order(), data, prefix)
		m.End = data + size
	} else if size >= kind.Size() {
		m.Regions = kind.AppendFields(m.Regions, m.B, m.Order(), data, prefix)
		m.End = data + kind.Size()
		m.rest(data+size, prefix)
	} else {
		m.rest(data+size, prefix)
	}
	if end > m.End {
		m.Add(end-m.End, diag.GapRegion, prefix+"slack.tail")
	}
}

func (m *regionMap) program(prefix string, end uint64) {
	m.headers.program[0].Program = new(Program)
	header := read(m.View, programRecord, m.End-programHeaderSize, &m.headers.program)
	m.text(prefix+"name", uint64(header.name), end)
	m.list(&macroList, prefix, end, m.macro)
	m.list(&defaultList, prefix, end, m.macro)
	for k := range symbolLists {
		m.list(&symbolLists[k], prefix, end, m.symbol)
	}
}

func (m *regionMap) macro(prefix string, end uint64) {
	header := *read(m.View, macroRecord, m.End-macroHeaderSize, &m.headers.macro)
	values, id := uint64(uint32(header.values)), uint64(header.id)
	m.text(prefix+"name", uint64(header.name), end)
	if id > end-m.End {
		return
	}
	for i := uint64(0); i < values && m.End < end-id; i++ {
		n := bytes.IndexByte(m.Bytes(m.End, end-id-m.End), 0)
		if n < 0 {
			break
		}
		m.text(fmt.Sprintf("%svalues[%d]", prefix, i), uint64(n)+1, end)
	}
	m.rest(end-id, prefix)
	m.text(prefix+"id", id, end)
}

func (m *regionMap) symbol(prefix string, end uint64) {
	m.headers.symbol[0].Symbol = new(Symbol)
	header := read(m.View, symbolRecord, m.End-symbolHeaderSize, &m.headers.symbol)
	m.text(prefix+"name", uint64(header.name), end)
	m.text(prefix+"id", uint64(header.id), end)
	m.Add(min(uint64(header.defaults), end-m.End), diag.OpaqueRegion, prefix+"default")
	m.Add(min(uint64(header.variations), end-m.End), diag.FieldRegion, prefix+"enable")
}
