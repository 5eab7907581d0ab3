package sharcfb

import (
	"bytes"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/wire"
)

// Links returns the sizes, lengths, counts and pointers of any bytes, valid or not, as far as the
// sizes lead.
func Links(b []byte) []wire.Link {
	r := newReader(b, diag.Collect(ruleSet))
	if r.Size() < headerSize || !r.identify() {
		return nil
	}
	m := linker{wire.Links{View: r.View}}
	m.Add(wire.Link{Kind: wire.Count, At: headerRecord.Offset("file_size")})
	at := m.lengths(headerSize, m.Size(), headerRecord.Offset("name_length"))
	at = m.list(at, m.Size(), binaryList.least, m.binary)
	m.list(at, m.Size(), programList.least, m.program)
	return m.List
}

// linker collects the links of an archive.
type linker struct{ wire.Links }

// lengths adds fields that count bytes. The counted bytes follow each other from offset at on, in the
// order of the fields. It returns the offset after the last byte.
func (m *linker) lengths(at, limit uint64, fields ...uint64) uint64 {
	for _, field := range fields {
		m.Add(wire.Link{Kind: wire.Count, At: field, Base: at})
		at = min(at+uint64(m.U32(field)), limit)
	}
	return at
}

// list adds the list at an offset and its records, which have at least the given number of bytes. It
// returns the offset after the list.
func (m *linker) list(at, limit, least uint64, record func(at, end uint64)) (end uint64) {
	end = at + uint64(m.U32(at))
	if end > limit {
		return limit
	}
	m.Add(wire.Link{Kind: wire.Count, At: at, Base: at})
	for from := at + listHeaderSize; from+least <= end; {
		size := uint64(m.U32(from))
		if size < least || from+size > end {
			break
		}
		m.Add(wire.Link{Kind: wire.Count, At: from, Base: from})
		m.Add(wire.Link{Kind: wire.Entry, At: at + listRecord.Offset("count"), Base: from, Len: size})
		record(from, from+size)
		from += size
	}
	return end
}

func (m *linker) binary(at, end uint64) {
	size, kind := at+binaryRecord.Offset("data_size"), gx2.Type(m.U32(at+binaryRecord.Offset("type")))
	data := at + binaryHeaderSize + uint64(m.U32(at+binaryRecord.Offset("data_offset")))
	m.Add(wire.Link{Kind: wire.Count, At: size, Base: data})
	if n := uint64(m.U32(size)); kind.Known() && n >= kind.Size() && data+n <= end {
		kind.AddLinks(&m.Links, wire.Span{Off: data, Len: n}, false)
	}
}

func (m *linker) program(at, end uint64) {
	at = m.lengths(at+programHeaderSize, end, at+programRecord.Offset("name_length"))
	for _, kind := range []listKind{macroList, defaultList} {
		at = m.list(at, end, kind.least, m.macro)
	}
	for _, kind := range symbolLists {
		at = m.list(at, end, kind.least, m.symbol)
	}
}

func (m *linker) macro(at, end uint64) {
	id, count := at+macroRecord.Offset("id_length"), at+macroRecord.Offset("value_count")
	last := end - min(uint64(m.U32(id)), end)
	m.Add(wire.Link{Kind: wire.Count, At: id, Base: last})
	for at = m.lengths(at+macroHeaderSize, end, at+macroRecord.Offset("name_length")); at < last; {
		n := bytes.IndexByte(m.Bytes(at, last-at), 0)
		if n < 0 {
			return
		}
		m.Add(wire.Link{Kind: wire.Entry, At: count, Base: at, Len: uint64(n) + 1})
		at += uint64(n) + 1
	}
}

func (m *linker) symbol(at, end uint64) {
	field := func(name string) uint64 { return at + symbolRecord.Offset(name) }
	m.lengths(at+symbolHeaderSize, end, field("name_length"), field("id_length"), field("default_size"),
		field("variation_count"))
}
