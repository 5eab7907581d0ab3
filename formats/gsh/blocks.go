package gsh

import (
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// programAlign is the alignment of a program, in the file, for a reader that uses the file in place.
const programAlign = 0x100

// blocks walks over the blocks: GSH010 to GSH025.
func (r *reader) blocks() {
	var (
		off      = uint64(headerSize)
		ordinals [len(kinds)]uint32 // the next of each type
		opaque   bool               // an opaque block was reported
	)
	n := r.countBlocks()
	r.layout.Blocks, r.places = make([]Block, 0, n), make([]blockPlace, 0, n)
	for !r.Done() {
		i := len(r.places)
		h, ok := r.blockHeader(i, off)
		if !ok {
			return
		}
		p := &r.places[i]
		k := h.Type.known()
		if k.role == opaqueRole || p.old {
			if !opaque && !p.old {
				r.Report("GSH025", r.whereBlock(i), diag.Text("shaders and padding"), diag.Text(h.Type.String()))
				opaque = true
			}
		} else if !r.Strict() {
			r.index(i, ordinals[h.Type])
			ordinals[h.Type]++
		}
		switch {
		case k.role == endRole && p.old: // it is there, but says nothing else
			r.ended = true
			return
		case k.role == endRole:
			if p.size != 0 {
				r.Report("GSH018", r.blockPlace(i, "size"), diag.Dec(0), diag.Dec(p.size))
			}
			r.end(p.data() + p.size)
			return
		case p.old:
		case k.role == headerRole:
			r.headers++
		case k.role == paddingRole:
			r.padding(i)
		case k.role >= programRole:
			r.aligned(i)
		}
		off = p.data() + p.size
	}
}

// countBlocks returns the number of blocks to which the sizes lead. The walk over the blocks comes to no more.
func (r *reader) countBlocks() (n int) {
	for off := uint64(headerSize); off+blockSize <= r.Size() && string(r.B[off:off+4]) == blockMagic; n++ {
		off += blockSize + uint64(r.U32(off+uint64(sizeOffset)))
	}
	return n
}

// keepOpaque puts the data of opaque blocks and of programs without a header into the file.
func (r *reader) keepOpaque() {
	n := 0
	for i, b := range r.layout.Blocks {
		if b.Type.Opaque() || r.places[i].lone {
			n++
		}
	}
	if n == 0 {
		return
	}
	r.file.Opaque = make([]wire.Hex, 0, n)
	for i, p := range r.places {
		if p.lone || r.layout.Blocks[i].Type.Opaque() {
			r.file.Opaque = append(r.file.Opaque, r.Bytes(p.data(), p.size))
		}
	}
}

// blockHeader reads the header of block i at off: GSH010 to GSH017. ok is false
// when the walk ends there.
func (r *reader) blockHeader(i int, off uint64) (h *blockHeader, ok bool) {
	at := func(field string) diag.Place {
		return blockRecord.At(off, diag.Path{Table: "blocks", Index: i, Field: field})
	}
	rest := r.Size() - off
	tail := diag.Place{Off: off, Len: rest, Path: diag.Path{Table: "blocks", Index: i}}
	switch {
	case rest == 0:
		r.Report("GSH011", tail, diag.Text("an end block"), diag.Text("the end of the file"))
		return nil, false
	case rest < blockSize:
		r.Report("GSH010", tail, diag.AtLeast(blockSize), diag.Dec(rest))
		return nil, false
	}
	broken := blockRules.Check(r.Reporter, r.View, off, at)
	if broken.Any("GSH012", "GSH013") {
		return nil, false
	}
	old := broken.Any("GSH014")
	h = &r.block[0]
	blockRecord.Get(r.B[off:], r.block[:])
	size := uint64(h.size)
	if size > rest-blockSize {
		r.Report("GSH016", at("size"), diag.AtMost(rest-blockSize), diag.Dec(size))
		return nil, false
	}
	if !old {
		blockRecord.Check(r.Reporter, r.View, off, at)
	}
	r.layout.Blocks = append(r.layout.Blocks, h.Block)
	r.places = append(r.places, blockPlace{off: off, size: size, old: old})
	return h, true
}

// index checks the index of a block that is not opaque: GSH021.
func (r *reader) index(i int, ordinal uint32) {
	b := &r.layout.Blocks[i]
	if b.Type.known().role <= paddingRole {
		ordinal = 0
	}
	switch {
	case b.Index == 0 || b.Index == ordinal:
	case ordinal == 0:
		r.Report("GSH021", r.blockPlace(i, "index"), diag.Dec(0), diag.Dec(uint64(b.Index)))
	default:
		r.Report("GSH021", r.blockPlace(i, "index"), diag.Value{Format: "0 or %d", N: uint64(ordinal)},
			diag.Dec(uint64(b.Index)))
	}
}

// padding keeps and checks the data of a padding block: GSH022, GSH024.
func (r *reader) padding(i int) {
	p := &r.places[i]
	data := r.Bytes(p.data(), p.size)
	if len(data) > 0 {
		r.layout.Blocks[i].Padding = data
	}
	if r.Strict() {
		return
	}
	if !wire.Zero(data) {
		r.Report("GSH022", r.dataPlace(i), diag.Text("zeros"), diag.Text("other bytes"))
	}
	if r.file.Align == 0 {
		r.Report("GSH024", r.whereBlock(i), diag.Text("no padding, as the align mode is 0"),
			diag.Bytes(p.size))
	}
}

// aligned checks where a program stands: GSH023.
func (r *reader) aligned(i int) {
	if at := r.places[i].data(); r.file.Align != 0 && at%programAlign != 0 {
		r.Report("GSH023", r.dataPlace(i), diag.Text("file offset a multiple of 0x100"),
			diag.Value{Format: "file offset 0x%x", N: at})
	}
}

// end keeps the bytes behind the end block, and checks the ids: GSH019, GSH020.
func (r *reader) end(off uint64) {
	r.ended = true
	if tail := r.Bytes(off, r.Size()-off); len(tail) > 0 {
		r.layout.Tail = tail
		at := diag.Place{Off: off, Len: uint64(len(tail)), Path: diag.Path{Field: "tail"}}
		r.Report("GSH019", at, diag.Text("the end of the file"),
			diag.Count(uint64(len(tail)), "more byte"))
	}
	odd, zeros := -1, true
	for i, b := range r.layout.Blocks {
		zeros = zeros && b.ID == 0
		if odd < 0 && uint64(b.ID) != uint64(i) {
			odd = i
		}
	}
	if odd >= 0 && !zeros {
		r.Report("GSH020", r.blockPlace(odd, "id"), diag.Dec(uint64(odd)), diag.Dec(uint64(r.layout.Blocks[odd].ID)))
	}
}

// blockPlace is the place of a field of the header of block i.
func (r *reader) blockPlace(i int, field string) diag.Place {
	return blockRecord.At(r.places[i].off, diag.Path{Table: "blocks", Index: i, Field: field})
}

// whereBlock is the place of block i with its data.
func (r *reader) whereBlock(i int) diag.Place {
	at := r.blockPlace(i, "")
	at.Len += r.places[i].size
	return at
}

// dataPlace is the place of the data of block i.
func (r *reader) dataPlace(i int) diag.Place {
	p := r.places[i]
	return diag.Place{Off: p.data(), Len: p.size, Path: diag.Path{Table: "blocks", Index: i, Field: "data"}}
}
