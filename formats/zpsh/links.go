package zpsh

import (
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/pica"
)

// The parts of the packed counts of the header. That of the instructions is one less than their
// number.
const (
	entryCount       = 0xFFF
	instructionCount = 0xFFF000
	descriptorCount  = 0xFF000000
)

// Links returns the counts, offsets and masks of any bytes, valid or not.
func Links(b []byte) []wire.Link {
	m := linker{wire.Links{View: wire.LE(b)}}
	var f File
	if m.Size() < shortHeaderSize {
		return nil
	}
	n := readHeader(b, &f)
	if f.Revision < R3 {
		return nil
	}
	at := f.Revision.place(n.entries, n.instructions, n.descriptors, n.strings)
	count := func(field string, mask, base uint64) {
		m.Add(wire.Link{Kind: wire.Count, At: headerRecord.Offset(field), Mask: mask, Base: base, Unit: 4})
	}
	count("counts", instructionCount, at.code+4)
	count("counts", descriptorCount, at.descriptors)
	m.Add(wire.Link{Kind: wire.Count, At: headerRecord.Offset("string_words"), Size: 2, Base: at.strings, Unit: 4})
	m.Add(wire.Link{Kind: wire.Code, At: at.code, Base: at.code, Len: 4 * n.instructions})
	if f.Revision.hasTable() {
		count("counts", entryCount, at.offsets)
	}
	end := at.area
	for i := uint64(0); i < n.entries && end < m.Size(); i++ {
		start := end
		if f.Revision.hasTable() {
			offset := at.offsets + 4*i
			start = at.area + uint64(m.U32(offset))
			end = m.entry(start, f.Revision.entryRecord(), &at)
			m.Add(wire.Link{Kind: wire.Offset, At: offset, Base: at.area, Len: end - start})
			continue
		}
		end = m.entry(start, f.Revision.entryRecord(), &at)
		m.Add(wire.Link{Kind: wire.Entry, At: headerRecord.Offset("counts"), Mask: entryCount, Base: start,
			Len: end - start})
	}
	return m.List
}

// linker collects the links of a file.
type linker struct{ wire.Links }

// entry adds the links of an entry and of its payload. It returns where the entry ends.
func (m *linker) entry(start uint64, record *wire.Record[entryHeader], at *places) (end uint64) {
	field := func(name string) uint64 { return start + record.Offset(name) }
	m.Add(wire.Link{Kind: wire.Offset, At: field("name"), Base: at.strings})
	m.Add(wire.Link{Kind: wire.Offset, At: field("instruction"), Size: 2, Base: at.code, Unit: 4})
	end = start + uint64(record.Bytes)
	masks := func(name string, registers, size uint64) {
		for r := range registers {
			if mask := field(name) + 2*(r/16); m.U16(mask)>>(r%16)&1 != 0 {
				m.Add(wire.Link{Kind: wire.Bit, At: end, Base: mask, Unit: r % 16, Len: size})
				end += size
			}
		}
	}
	masks("int_mask", pica.NumInts, intSize)
	masks("float_mask0", pica.NumFloats, floatSize)
	masks("output_mask", pica.NumOutputs, mapSize)
	return end
}
