package shbin

import "github.com/picaproof/picaproof/formats/wire"

// Links returns the offsets, counts and masks of any bytes, valid or not.
func Links(b []byte) []wire.Link {
	m := wire.Links{View: wire.LE(b)}
	l := locate(m.View)
	if l == nil {
		return nil
	}
	m.Add(wire.Link{Kind: wire.Count, At: dvlbRecord.Offset("count"), Base: dvlbHeaderSize,
		Unit: uint64(offsetRecord.Bytes)})
	p, tables := l.dvlpOffset(), dvlpTables
	if l.ShortHeader {
		tables = tables[:lineTable]
	}
	spans := wire.AddTables(&m, p+dvlpRecord.Offset("code.offset"), p, tables)
	code := spans[codeTable]
	m.Add(wire.Link{Kind: wire.Code, At: p, Base: code.Off, Len: code.Len})
	for i := range l.DVLEs {
		m.Add(wire.Link{Kind: wire.Offset, At: offsetPlace(uint64(i)).Off, Len: dvleHeaderSize})
		q := uint64(l.DVLEs[i].Offset)
		if !m.Has(q, dvleHeaderSize) {
			continue
		}
		AddWord(&m, q+dvleRecord.Offset("entry"), code)
		AddWord(&m, q+dvleRecord.Offset("end"), code)
		spans := wire.AddTables(&m, q+dvleRecord.Offset("constants.offset"), q, dvleTables)
		AddEntries(&m, spans[labelTable], spans[outputTable], spans[uniformTable], code,
			q+dvleRecord.Offset("input_mask"), q+dvleRecord.Offset("output_mask"))
	}
	return m.List
}

// AddWord adds a field that has the index of a code word.
func AddWord(m *wire.Links, at uint64, code wire.Span) {
	size := uint64(WordRecord.Bytes)
	if n := uint64(m.U32(at)); n <= code.Len/size {
		m.Add(wire.Link{Kind: wire.Offset, At: at, Base: code.Off, Unit: size})
	}
}

// AddEntries adds the fields of labels, outputs and uniforms of a DVLE or an object that refer to the
// code or have a bit in a mask.
func AddEntries(m *wire.Links, labels, outputs, uniforms, code wire.Span, inputMask, outputMask uint64) {
	word, length := LabelRecord.Offset("word"), LabelRecord.Offset("length")
	for at := labels.Off; at < labels.End(); at += uint64(LabelRecord.Bytes) {
		AddWord(m, at+word, code)
		if from, n := 4*uint64(m.U32(at+word)), 4*uint64(m.U32(at+length)); from+n <= code.Len {
			m.Add(wire.Link{Kind: wire.Count, At: at + length, Base: code.Off + from, Unit: 4})
		}
	}
	bits := func(at, mask uint64, first, last uint16) {
		for r := first; r <= min(last, 15); r++ {
			m.Add(wire.Link{Kind: wire.Bit, At: at, Base: mask, Unit: uint64(r)})
		}
	}
	register := OutputRecord.Offset("register")
	for at := outputs.Off; at < outputs.End(); at += uint64(OutputRecord.Bytes) {
		r := m.U16(at + register)
		bits(at, outputMask, r, r)
	}
	first, last := UniformRecord.Offset("first"), UniformRecord.Offset("last")
	for at := uniforms.Off; at < uniforms.End(); at += uint64(UniformRecord.Bytes) {
		bits(at, inputMask, m.U16(at+first), m.U16(at+last))
	}
}
