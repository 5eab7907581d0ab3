package gx2

import (
	"bytes"
	"math"

	"github.com/picaproof/picaproof/formats/wire"
)

// AddCode adds the field with the size of the code, or of the copy program, of the structure at an
// offset of a GFD file. block has the program and the header of its block.
func (t Type) AddCode(m *wire.Links, structure uint64, copies bool, code, block wire.Span) {
	size := "code_size"
	if copies {
		size = "copy_size"
	}
	at := structure + structures[t].Offset(size)
	m.Add(wire.Link{Kind: wire.Count, At: at, Base: code.Off})
	m.Add(wire.Link{Kind: wire.Owner, At: at, Base: block.Off, Len: block.Len})
}

// AddLinks adds the pointers, counts and sizes of the structure at the start of data, valid or not. In
// a GFD file pointers have tags, and the code is in blocks of its own.
func (t Type) AddLinks(m *wire.Links, data wire.Span, gfd bool) {
	form, mask := &structures[t], uint64(math.MaxUint32)
	if gfd {
		mask = maxOffset
	}
	pointer := func(at, n uint64) {
		m.Add(wire.Link{Kind: wire.Offset, At: at, Mask: mask, Base: data.Off, Len: n, Null: true})
	}
	// list adds a pointer and the count of records that stands before it.
	list := func(at, size uint64) (x wire.Span) {
		start, n := data.Off+uint64(m.U32(at))&mask, size*uint64(m.U32(at-4))
		if n == 0 || start+n > data.End() {
			return x
		}
		pointer(at, n)
		m.Add(wire.Link{Kind: wire.Count, At: at - 4, Base: start, Unit: size})
		return wire.Span{Off: start, Len: n}
	}
	if !gfd {
		list(data.Off+form.Offset("program"), 1)
		if form.copies {
			list(data.Off+form.Offset("copy_program"), 1)
		}
	}
	for k := range form.numTables {
		x := list(data.Off+uint64(form.pointers[k]), tables[k].size)
		for at := x.Off; tables[k].named && at < x.End(); at += tables[k].size {
			text := data.Off + uint64(m.U32(at))&mask
			name := bytes.IndexByte(m.Bytes(text, data.End()-min(text, data.End())), 0)
			switch n := uint64(name + 1); {
			case name < 0:
			case gfd:
				pointer(at, min(gfdNameSize(n-1), data.End()-text))
			default:
				pointer(at, n)
			}
		}
	}
}
