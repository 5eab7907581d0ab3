package zpsh

import (
	"fmt"
	"math/bits"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
)

// regionMap builds the list of regions.
type regionMap struct {
	wire.Map
	revision Revision
	at       places
}

// regions returns the owner of every byte of b. Bytes after the last section or entry
// inside the file are the tail; of an undocumented revision only the header is known.
func regions(b []byte, _ []Option) []diag.Region {
	m := regionMap{Map: wire.Map{View: wire.LE(b)}}
	m.Struct(headerRecord.Struct, diag.Path{Field: "header"})
	if m.Size() < shortHeaderSize {
		return m.Finish()
	}
	var f File
	n := readHeader(b, &f)
	if m.revision = f.Revision; m.revision < R3 {
		return m.Finish()
	}
	m.at = m.revision.place(n.entries, n.instructions, n.descriptors, n.strings)
	if m.revision.hasTable() {
		m.Struct(hashRecord.Struct, diag.Path{Field: "header"})
		m.Add(m.at.offsets-m.End, diag.OpaqueRegion, "header.extra")
	}
	m.words(offsetRecord.Struct, m.at.code, "entry_offsets")
	m.words(shbin.WordRecord.Struct, m.at.descriptors, "code")
	m.words(descriptorRecord.Struct, m.at.strings, "descriptors")
	m.strings(m.at.area)
	for i := range n.entries {
		start := m.End
		if m.revision.hasTable() {
			start = m.at.area + uint64(m.U32(m.at.offsets+4*i))
		}
		if m.Has(start, 1) && m.To(start) {
			m.entry(int(i))
		}
	}
	m.Add(m.Size()-m.End, diag.GapRegion, "tail")
	return m.Regions
}

// words adds a table of words that ends at end.
func (m *regionMap) words(fields diag.Struct, end uint64, table string) {
	m.Table(end, diag.Path{Field: table}, func(uint64) diag.Struct { return fields })
}

// strings adds the strings. Up to three zeros at their end are padding.
func (m *regionMap) strings(end uint64) {
	end = min(end, m.Size())
	names := end
	for names > m.End && end-names < 3 && m.U8(names-1) == 0 && (names-1 == m.End || m.U8(names-2) == 0) {
		names--
	}
	from := m.End
	m.Names(names, diag.Path{Field: "strings"})
	m.Add(end-m.End, diag.PaddingRegion, fmt.Sprintf("strings[%d]", m.End-from))
}

// entry adds the header and the payload of entry i.
func (m *regionMap) entry(i int) {
	path, record := diag.Path{Table: "entries", Index: i}, m.revision.entryRecord()
	h := []entryHeader{{Entry: new(Entry)}}
	if b := m.Bytes(m.End, uint64(record.Bytes)); len(b) == record.Bytes {
		record.Get(b, h)
	}
	m.Struct(record.Struct, path)
	item := func(table string, register int) diag.Path {
		return diag.Path{Prefix: path.String() + ".", Table: table, Index: register}
	}
	masks := h[0].masks()
	for r := range registers(uint32(masks.ints)) {
		x := m.Add(intSize, diag.FieldRegion, item("ints", r).String())
		if x != nil && uint64(x.Len) == intSize {
			v := m.B[x.Off:]
			x.Value = fmt.Sprint(v[0], v[1], v[2], v[3])
		}
	}
	for k, mask := range masks.floats {
		for r := range registers(mask) {
			if x := m.Add(floatSize, diag.FieldRegion, item("floats", 32*k+r).String()); x != nil &&
				x.Len == floatSize {
				x.Value = showFloat(unpackFloat(m.B[x.Off:]))
			}
		}
	}
	for r := range registers(uint32(masks.outputs)) {
		m.Struct(mapRecord.Struct, item("outputs", r))
	}
}

// registers yields the bits of a mask.
func registers(mask uint32) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for ; mask != 0 && yield(bits.TrailingZeros32(mask)); mask &= mask - 1 {
		}
	}
}
