package gsh

import (
	"encoding/binary"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/wire"
)

// readShaders reads the header blocks in order.
func (r *reader) readShaders() {
	n := 0
	for i := range r.shaders {
		if s := &r.shaders[i]; r.places[s.header].size >= s.kind.Size()+trailerSize {
			s.model = n
			n++
		}
	}
	if n > 0 {
		r.file.Shaders = make([]Shader, n)
	}
	for i := range r.shaders {
		s := &r.shaders[i]
		p := r.places[s.header]
		if s.model < 0 {
			r.Report("GSH040", r.blockPlace(s.header, "size"), diag.AtLeast(s.kind.Size()+trailerSize),
				diag.Dec(p.size))
		} else {
			r.shader(i, &r.file.Shaders[s.model], wire.BE(r.Bytes(p.data(), p.size)))
		}
		if r.Done() {
			return
		}
	}
	r.style()
}

// shader reads header block b: GSH041 to GSH057, and the rules of the structure.
func (r *reader) shader(i int, into *Shader, b wire.View) {
	s := &r.shaders[i]
	words, ok := r.readTrailer(i, b)
	if !ok || r.Done() {
		return
	}
	t := &r.trailer[0]
	r.gfd = gx2.GFD{WordsOnly: words}
	if s.program > 0 {
		r.gfd.Code = r.blockData(s.program)
	}
	if s.copy > 0 {
		r.gfd.CopyCode = r.blockData(s.copy)
	}
	src := r.source(i)
	src.GFD = &r.gfd
	src.Data = b.Bytes(0, s.kind.Size())
	if !words {
		src.Data = b.Bytes(0, uint64(t.dataSize))
	}
	s.sound = r.structures.Read(&into.Shader, src) && !words
	s.moded = into.Mode <= gx2.ModeCompute
	if words || r.Done() {
		return
	}
	s.names = r.structures.TooManyNames()
	end := uint64(t.dataSize) + 4*uint64(t.patchCount)
	slack := t.Slack
	slack.TextOffset = t.textOffset & maxOffset
	slack.Patches = patchList(b.Bytes(uint64(t.dataSize), end-uint64(t.dataSize)))
	into.Slack = &slack
	if gap := b.Bytes(end, b.Size()-trailerSize-end); len(gap) > 0 {
		into.Slack.Gap = gap
	}
	broken := r.structures.Broken()
	if !broken && !r.Strict() {
		r.text(i, into)
	}
	if !r.patches(i, into, broken) {
		s.sound = false
	}
}

// source is where the structure of shader i stands, without its data.
func (r *reader) source(i int) gx2.Source {
	s := &r.shaders[i]
	return gx2.Source{
		Type: s.kind, Order: binary.BigEndian, Off: r.places[s.header].data(),
		Path: diag.Path{Table: "shaders", Index: i},
	}
}

// prefix returns the start of the paths of shader i.
func prefix(i int) string { return diag.Path{Table: "shaders", Index: i}.String() + "." }

// blockData returns the data of a block, not nil even if it is empty.
func (r *reader) blockData(i int) []byte {
	p := r.places[i]
	return r.B[p.data() : p.data()+p.size : p.data()+p.size]
}

// readTrailer reads the trailer of shader i: GSH041 to GSH052. ok is false if the block has none. words is true if its
// fields about tables and names are wrong.
func (r *reader) readTrailer(i int, b wire.View) (words, ok bool) {
	s := &r.shaders[i]
	size := s.kind.Size()
	base := b.Size() - trailerSize
	origin := r.places[s.header].data()
	place := func(field string) diag.Place {
		return trailerRecord.At(origin+base, diag.Path{Prefix: prefix(i) + "trailer.", Field: field})
	}
	if trailerRules.Check(r.Reporter, b, base, place).Any() {
		return false, false
	}
	t := &r.trailer[0]
	trailerRecord.Get(b.B[base:], r.trailer[:])
	trailerRecord.Check(r.Reporter, b, base, place)
	fail := func(rule, field string, expected, found diag.Value) {
		words = true
		r.Report(rule, place(field), expected, found)
	}
	offset := func(field string, pointer uint32) (off uint64, tagged bool) {
		if tagged = pointer>>tagShift == dataTag; !tagged {
			fail("GSH044", field, diag.Text("a pointer with tag 0xD06"), diag.Hex(uint64(pointer)))
		}
		return uint64(pointer & maxOffset), tagged
	}
	data, dataTagged := offset("data_offset", t.dataOffset)
	text, textTagged := offset("text_offset", t.textOffset)
	patches, patchTagged := offset("patch_offset", t.patchOffset)
	if dataTagged && data != 0 {
		fail("GSH045", "data_offset", diag.Hex(dataTag<<tagShift), diag.Hex(uint64(t.dataOffset)))
	}
	if patchTagged {
		end := patches + 4*uint64(t.patchCount)
		switch {
		case patches < size:
			fail("GSH046", "patch_offset", diag.Value{Format: ">= 0x%x", N: size}, diag.Hex(patches))
			patchTagged = false
		case end > base:
			fail("GSH046", "patch_offset", diag.Value{Format: "end <= 0x%x", N: base},
				diag.Value{Format: "end 0x%x", N: end})
			patchTagged = false
		}
	}
	dataSize := uint64(t.dataSize)
	if patchTagged && dataSize != patches {
		fail("GSH048", "data_size", diag.Dec(patches), diag.Dec(dataSize))
		patchTagged = false
	}
	if end := text + uint64(t.textSize); textTagged && patchTagged {
		switch {
		case text < size:
			fail("GSH049", "text_offset", diag.Value{Format: ">= 0x%x", N: size}, diag.Hex(text))
		case end != dataSize:
			fail("GSH049", "text_offset", diag.Value{Format: "end 0x%x", N: dataSize},
				diag.Value{Format: "end 0x%x", N: end})
		}
	}
	if t.patchBase != 0 {
		words = true
		patchBaseRule.Check(r.Reporter, b, base, place)
	}
	if words || r.Strict() {
		return words, true
	}
	r.around(i, b, place)
	return false, true
}

// around checks the bytes between data and trailer: GSH051, GSH052, GSH047.
func (r *reader) around(i int, b wire.View, place func(field string) diag.Place) {
	t := &r.trailer[0]
	end := uint64(t.dataSize) + 4*uint64(t.patchCount)
	gap := b.Bytes(end, b.Size()-trailerSize-end)
	at := diag.Place{Off: r.places[r.shaders[i].header].data() + end, Len: uint64(len(gap)),
		Path: diag.Path{Prefix: prefix(i), Field: "patch_gap"}}
	if !wire.Zero(gap) {
		r.Report("GSH051", at, diag.Text("zeros"), diag.Text("other bytes"))
	}
	if n := len(gap); n != 0 && n != patchGap {
		r.Report("GSH052", at, diag.Text("0 or 8 bytes"), diag.Bytes(uint64(n)))
	}
	if off := t.patchOffset & maxOffset; off%4 != 0 {
		r.Report("GSH047", place("patch_offset"), diag.Text("a multiple of 4"), diag.Hex(uint64(off)))
	}
}

// text checks where tables and names stand: GSH063, GSH064.
func (r *reader) text(i int, s *Shader) {
	origin, l, start := r.places[r.shaders[i].header].data(), s.Layout, s.Slack.TextOffset
	expected := func(format string) diag.Value { return diag.Value{Format: format, N: uint64(start)} }
	if l.TablesEnd(s.Type) > start {
		for t := range l.Tables {
			at := l.TablePlace(t, origin, prefix(i))
			if end := at.Off + at.Len - origin; at.Len > 0 && end > uint64(start) {
				r.Report("GSH063", at, expected("end <= 0x%x"), diag.Value{Format: "end 0x%x", N: end})
			}
		}
	}
	unaligned := -1
	for n, x := range l.Names {
		if x.Offset < start {
			r.Report("GSH063", l.RecordPlace(n, origin, prefix(i), ""), expected("name >= 0x%x"),
				diag.Value{Format: "name at 0x%x", N: uint64(x.Offset)})
		}
		if x.Offset%4 != 0 && unaligned < 0 {
			unaligned = n
		}
	}
	if unaligned >= 0 {
		r.Report("GSH064", l.RecordPlace(unaligned, origin, prefix(i), ""), diag.Text("a multiple of 4"),
			diag.Hex(uint64(l.Names[unaligned].Offset)))
	}
}

// style sets the style of the file: N if the file has shaders and all have that style.
func (r *reader) style() {
	for i := range r.shaders {
		if s := &r.shaders[i]; !s.form || s.style != StyleN {
			return
		}
	}
	if len(r.shaders) > 0 {
		r.file.Style = StyleN
	}
}

// longNames reports whether the names of a shader are over the limit.
func (r *reader) longNames() bool {
	for i := range r.shaders {
		if r.shaders[i].names {
			return true
		}
	}
	return false
}

// nameLimits bounds the names of each shader: GX2049, if nothing else is wrong.
func (r *reader) nameLimits() {
	if r.Failed() {
		return
	}
	for i := range r.shaders {
		if s := &r.shaders[i]; s.names {
			src := r.source(i)
			src.Data = r.Bytes(src.Off, uint64(r.file.Shaders[s.model].Layout.Size))
			r.structures.ReportNames(src)
		}
	}
}

// modes compares the modes of the shaders that are used together, the first of each
// type, the second, and so on: GX2021.
func (r *reader) modes() {
	for _, group := range groups(len(r.shaders), func(i int) gx2.Type { return r.shaders[i].kind }) {
		v := group[gx2.Vertex]
		if v == NoShader {
			return // nor in a later group
		}
		known := true
		mode := func(t gx2.Type) (m gx2.Mode, ok bool) {
			if group[t] == NoShader {
				return 0, false
			}
			s := &r.shaders[group[t]]
			if known = known && s.moded; s.model < 0 {
				return 0, true
			}
			return r.file.Shaders[s.model].Mode, true
		}
		vertex, _ := mode(gx2.Vertex)
		pixel, hasPixel := mode(gx2.Pixel)
		geometry, hasGeometry := mode(gx2.Geometry)
		good, expected := true, "that of the pixel shader, register or block"
		switch {
		case hasGeometry:
			good = vertex == gx2.ModeGeometry && geometry == gx2.ModeGeometry && (!hasPixel || pixel <= gx2.ModeBlock)
			expected = "geometry, as that of the geometry shader, and register or block of the pixel shader"
		case hasPixel:
			good = vertex == pixel && vertex <= gx2.ModeBlock
		}
		if known && !good {
			src := r.source(v)
			found := vertex.String()
			if hasPixel {
				found += ", pixel shader " + pixel.String()
			}
			if hasGeometry {
				found += ", geometry shader " + geometry.String()
			}
			r.Report("GX2021", src.Type.ModePlace(src.Off, diag.Path{Prefix: prefix(v)}), diag.Text(expected),
				diag.Text(found))
		}
	}
}
