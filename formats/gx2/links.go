package gx2

import (
	"bytes"

	"github.com/picaproof/picaproof/formats/wire"
)

// AddCode adds the size of a program, code or copy program, that the structure at an offset of a
// GFD file has, whether it is right or not. block has the program and its header.
func (t Type) AddCode(m *wire.Links, structure uint64, copies bool, code, block wire.Span) {
	size := "code_size"
	if copies {
		size = "copy_size"
	}
	at := structure + structures[t].Offset(size)
	m.Add(wire.Link{Kind: wire.Count, At: at, Base: code.Off})
	m.Add(wire.Link{Kind: wire.Owner, At: at, Base: block.Off, Len: block.Len})
}

// AddLinks adds the pointers and counts of a structure at the start of the data of a GFD block,
// whether they are right or not.
func (t Type) AddLinks(m *wire.Links, data wire.Span) {
	form := &structures[t]
	pointer := func(at, n uint64) {
		m.Add(wire.Link{Kind: wire.Offset, At: at, Mask: maxOffset, Base: data.Off, Len: n, Null: true})
	}
	for k := range form.numTables {
		at := data.Off + uint64(form.pointers[k])
		start, n := data.Off+uint64(m.U32(at)&maxOffset), tables[k].size*uint64(m.U32(at-4))
		if n == 0 || start+n > data.End() {
			continue
		}
		pointer(at, n)
		m.Add(wire.Link{Kind: wire.Count, At: at - 4, Base: start, Unit: tables[k].size})
		for at := start; tables[k].named && at < start+n; at += tables[k].size {
			text := data.Off + uint64(m.U32(at)&maxOffset)
			if length := bytes.IndexByte(m.Bytes(text, data.End()-min(text, data.End())), 0); length >= 0 {
				pointer(at, min(gfdNameSize(uint64(length)), data.End()-text))
			}
		}
	}
}
