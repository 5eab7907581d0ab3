package gsh

import "github.com/picaproof/picaproof/formats/wire"

// Links returns the pointers, counts, sizes and numbers of any bytes, valid or not, until the
// size of a block leads out of the file.
func Links(b []byte) []wire.Link {
	m := wire.Links{View: wire.BE(b)}
	var headers [len(headerOf)]uint64 // where the data of the last header of each type is
	for off := uint64(headerSize); m.Has(off, blockSize); {
		data := wire.Span{Off: off + blockSize, Len: uint64(m.U32(off + blockRecord.Offset("size")))}
		block := wire.Span{Off: off, Len: blockSize + data.Len}
		if !m.Has(block.Off, block.Len) {
			break
		}
		m.Add(wire.Link{Kind: wire.Number, At: off + blockRecord.Offset("id"), Base: block.Off, Len: block.Len})
		m.Add(wire.Link{Kind: wire.Count, At: off + blockRecord.Offset("size"), Base: data.Off})
		k := BlockType(m.U32(off + blockRecord.Offset("type"))).known()
		switch header := headers[k.shader]; {
		case k.role == headerRole && data.Len >= k.shader.Size()+trailerSize:
			headers[k.shader] = data.Off
			k.shader.AddLinks(&m, wire.Span{Off: data.Off, Len: data.Len - trailerSize}, true)
			addTrailer(&m, data)
		case k.role >= programRole && header > 0:
			k.shader.AddCode(&m, header, k.role == copyRole, data, block)
		}
		off = block.End()
	}
	return m.List
}

// addTrailer adds the links of the trailer and of the patches of a header block.
func addTrailer(m *wire.Links, data wire.Span) {
	trailer := data.End() - trailerSize
	field := func(name string) uint64 { return trailer + trailerRecord.Offset(name) }
	pointer := func(kind wire.LinkKind, at uint64, null bool) uint64 {
		m.Add(wire.Link{Kind: kind, At: at, Mask: maxOffset, Base: data.Off, Null: null})
		return data.Off + uint64(m.U32(at)&maxOffset)
	}
	m.Add(wire.Link{Kind: wire.Count, At: field("data_size"), Base: data.Off})
	m.Add(wire.Link{Kind: wire.Count, At: field("text_size"), Base: pointer(wire.Offset, field("text_offset"), false)})
	patches, n := pointer(wire.Offset, field("patch_offset"), false), uint64(m.U32(field("patch_count")))
	if patches+4*n > trailer {
		return
	}
	m.Add(wire.Link{Kind: wire.Count, At: field("patch_count"), Base: patches, Unit: 4})
	for at := patches; at < patches+4*n; at += 4 {
		if m.U32(at) > 0 { // style N has a null for each empty table
			pointer(wire.Patch, at, m.U32(patches) == 0)
		}
	}
}
