package cgfx

import (
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

func headerPlace(field string) diag.Place {
	return headerRecord.At(0, diag.Path{Prefix: "header.", Field: field})
}

// head reads the headers of the file and of DATA: CGFX001 to CGFX008, and CGFX010 to
// CGFX012.
func (r *reader) head() {
	actual := r.Size()
	if actual < headerSize {
		r.Report("CGFX001", diag.Place{Off: actual, Path: diag.Path{Field: "header"}}, diag.AtLeast(headerSize),
			diag.Dec(actual))
		return
	}
	if magic := r.Bytes(0, 4); string(magic) != "CGFX" {
		found := diag.Quoted(magic)
		if string(magic) == "BCH\x00" {
			found = diag.Text(`"BCH\x00", another format`)
		}
		r.Report("CGFX002", headerPlace("magic"), diag.Text(`"CGFX"`), found)
		return
	}
	if order := r.Bytes(4, 2); r.U16(4) != byteOrder {
		r.Report("CGFX003", headerPlace("byte_order"), diag.Text("ff fe"),
			diag.Value{Format: "%04x", N: uint64(order[0])<<8 | uint64(order[1])})
		return
	}
	h := r.readHeader()
	r.data = uint64(h.headerSize)
	switch {
	case r.data < headerSize || r.data%4 != 0 || r.data+blockSize > actual:
		r.Report("CGFX004", headerPlace("header_size"),
			diag.Value{Format: "multiple of 4 from 20 to %d", N: actual - blockSize}, diag.Dec(r.data))
		return
	case r.data != headerSize:
		r.Report("CGFX005", headerPlace("header_size"), diag.Dec(headerSize), diag.Dec(r.data))
	}
	headerRecord.Check(r.Reporter, r.View, 0, headerPlace)
	switch size := uint64(h.size); {
	case size > actual:
		r.Report("CGFX007", headerPlace("size"), diag.AtMost(actual), diag.Dec(size))
		return
	case size < actual:
		r.Report("CGFX008", headerPlace("size"), diag.Dec(actual), diag.Dec(size))
	}
	r.dataHeader()
}

func (r *reader) readHeader() fileHeader {
	h := [1]fileHeader{{File: r.file}}
	headerRecord.Get(r.B, h[:])
	r.header = h[0]
	return h[0]
}

// dataHeader reads the header of DATA, cuts the view to the size in the header of the
// file, and counts the pairs: CGFX010 to CGFX012.
func (r *reader) dataHeader() {
	at := func(field string) diag.Place {
		return dataRecord.At(r.data, diag.Path{Prefix: "data.", Field: field})
	}
	if dataMagicRule.Check(r.Reporter, r.View, r.data, at).Any() {
		return
	}
	dataRecord.Check(r.Reporter, r.View, r.data, at)
	limit, size := uint64(r.header.size), uint64(r.U32(r.data+4))
	switch {
	case size < minDataSize:
		r.Report("CGFX011", at("size"), diag.AtLeast(minDataSize), diag.Dec(size))
		return
	case r.data+size > limit:
		r.Report("CGFX011", at("size"), diag.Value{Format: "end <= 0x%x", N: limit},
			diag.Value{Format: "end 0x%x", N: r.data + size})
		return
	}
	r.View = wire.LE(r.Bytes(0, limit))
	for r.pairs < numKinds && blockSize+pairSize*uint64(r.pairs+1) <= size &&
		string(r.Bytes(r.pairAt(r.pairs), 4)) != "DICT" {
		r.pairs++
	}
	sev := diag.Warning
	switch {
	case r.pairs == numKinds:
		return
	case r.pairs <= shaderKind:
		sev = diag.Error
	}
	r.ReportAs(sev, "CGFX012", at(""), diag.Value{Format: "%d pairs", N: numKinds}, diag.Dec(uint64(r.pairs)))
}

// pairAt returns the offset of pair k.
func (r *reader) pairAt(k int) uint64 { return r.data + blockSize + pairSize*uint64(k) }

// kinds checks the pairs and finds the DICT of the shaders: CGFX009, and
// CGFX013 to CGFX017.
func (r *reader) kinds() {
	switch blocks := uint64(r.header.blocks); {
	case blocks == 0:
		r.Report("CGFX009", headerPlace("blocks"), diag.Text("1 or 2"), diag.Dec(0))
	case blocks > 2:
		r.ReportAs(diag.Warning, "CGFX009", headerPlace("blocks"), diag.Text("1 or 2"), diag.Dec(blocks))
	}
	r.span(0, r.data, headerSpan, -1, 0)
	r.span(r.data, blockSize+pairSize*uint64(r.pairs), dataSpan, -1, r.pairs)
	for k := range r.pairs {
		r.kind(k)
	}
}

// kind checks pair k: CGFX013 to CGFX017.
func (r *reader) kind(k int) {
	off := r.pairAt(k)
	at := func(field string) diag.Place {
		return pairRecord.At(off, diag.Path{Prefix: "data.", Table: "kinds", Index: k, Field: field})
	}
	pairRecord.Check(r.Reporter, r.View, off, at)
	count := uint64(r.U32(off))
	target, ok := r.pointer(off+4, r.U32(off+4))
	if count == 0 {
		if ok {
			r.Report("CGFX014", at("dict"), diag.Text("null for no entries"), diag.Hex(target))
		}
		if k == shaderKind {
			r.Report("CGFX017", at("count"), diag.AtLeast(1), diag.Dec(0))
		}
		return
	}
	if !ok {
		expected := diag.Value{Format: "a DICT of %d entries", N: count}
		if count == 1 {
			expected = diag.Text("a DICT of 1 entry")
		}
		r.Report("CGFX013", at("dict"), expected, diag.Text("null"))
	}
	if k != shaderKind {
		r.other = true
		r.Report("CGFX015", at("count"), diag.Dec(0), diag.Dec(count))
	}
	switch {
	case !ok:
	case target >= r.Size():
		r.Report("CGFX016", at("dict"), diag.Value{Format: "inside the 0x%x bytes of the file", N: r.Size()},
			diag.Hex(target))
	case target%4 != 0:
		r.Report("CGFX016", at("dict"), diag.Text("multiple of 4"), diag.Hex(target))
	}
	if k == shaderKind {
		r.dict, r.count, r.dictAt = target, count, at("dict")
	}
}
