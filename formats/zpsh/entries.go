package zpsh

import (
	"math/bits"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/pica"
)

// readEntries reads the entries and returns the end of the last one. ok is false when
// the place of an entry is unknown or outside the file, or when a strict reporter has an
// error: nothing is read then of the entries behind it.
func (r *reader) readEntries() (end uint64, ok bool) {
	room := min(r.n.entries, (r.Size()-r.at.area)/r.file.Revision.entrySize())
	r.file.Entries = make([]Entry, 0, room)
	r.names.table = r.file.Strings[:wire.NameLimit(r.file.Strings)]
	r.names.total = wire.NewNameTotal(r.Size())
	r.names.uses.Reset(int(room))
	end = r.at.area
	for i := range int(r.n.entries) {
		e := entryReader{reader: r, index: i}
		if !e.place(end) || !e.read() {
			return 0, false
		}
		if r.Done() {
			return 0, false
		}
		end = e.payload.end
	}
	return end, true
}

// entryReader reads one entry.
type entryReader struct {
	*reader
	index   int
	start   uint64 // offset of its header in the file
	masks   masks
	payload payloadPlaces
}

// masks holds the sets of registers with a payload.
type masks struct {
	ints    uint16
	floats  [3]uint32
	outputs uint16
}

// payloadPlaces holds the offsets of a payload's parts in the file.
type payloadPlaces struct{ ints, floats, outputs, end uint64 }

func (m *masks) place(start uint64) (p payloadPlaces) {
	p.ints = start
	p.floats = p.ints + intSize*uint64(bits.OnesCount16(m.ints))
	p.outputs = p.floats
	for _, w := range m.floats {
		p.outputs += uint64(floatSize * bits.OnesCount32(w))
	}
	p.end = p.outputs + mapSize*uint64(bits.OnesCount16(m.outputs))
	return p
}

// at returns the place of the header, or of one of its fields.
func (e *entryReader) at(field string) diag.Place {
	return e.file.Revision.entryRecord().At(e.start, diag.Path{Table: "entries", Index: e.index, Field: field})
}

// place finds the start of the entry; end is the end of the entry before it. It
// reports whether the header can be read: it is aligned and inside the file.
func (e *entryReader) place(end uint64) bool {
	e.start = end
	var at diag.Place
	if e.file.Revision.hasTable() {
		at = offsetRecord.At(e.reader.at.offsets+4*uint64(e.index), diag.Path{Table: "entry_offsets", Index: e.index})
		offsetRecord.Check(e.Reporter, e.View, at.Off, func(string) diag.Place { return at })
		off := uint64(e.U32(at.Off))
		if off%4 != 0 {
			e.Report("ZPSH010", at, diag.Text("multiple of 4"), diag.Hex(off))
			return false
		}
		e.start = e.reader.at.area + off
		e.gap(end, at)
	} else {
		at = e.at("")
		at.Len = min(at.Len, e.Size()-at.Off)
	}
	if size := e.file.Revision.entrySize(); !e.Has(e.start, size) {
		e.Report("ZPSH012", at, diag.Value{Format: "end <= 0x%x", N: e.Size()},
			diag.Value{Format: "end 0x%x", N: e.start + size})
		return false
	}
	return true
}

// gap compares the start of the entry with the end of the entry in front.
func (e *entryReader) gap(end uint64, at diag.Place) {
	if e.start == end {
		return
	}
	sev := diag.Error
	if e.start > end {
		sev = diag.Warning
		if e.Has(e.start, 0) {
			e.layout.Gaps = append(e.layout.Gaps, Gap{e.index, e.Bytes(end, e.start-end)})
		}
	}
	e.ReportAs(sev, "ZPSH011", at, diag.Hex(end-e.reader.at.area), diag.Hex(e.start-e.reader.at.area))
}

// read reads the header and the payload. It reports whether the payload is
// inside the file.
func (e *entryReader) read() bool {
	e.header()
	e.payload = e.masks.place(e.start + e.file.Revision.entrySize())
	if e.payload.end > e.Size() {
		e.Report("ZPSH020", e.at(""), diag.Value{Format: "end <= 0x%x", N: e.Size()},
			diag.Value{Format: "end 0x%x", N: e.payload.end})
		return false
	}
	e.items(intRecord.Struct, &intRecord.Ruled, "ints", e.payload.ints, e.masks.ints)
	e.items(mapRecord.Struct, &mapRecord.Ruled, "outputs", e.payload.outputs, e.masks.outputs)
	if e.Strict() {
		e.decode()
	} else {
		e.outputs()
	}
	e.name()
	if e.entry.Info.Type() == Vertex {
		e.vertex = true
		if n := uint64(e.entry.Instruction); n >= pica.MaxVertexCode {
			e.Report("ZPSH030", e.at("instruction"), diag.Below(pica.MaxVertexCode), diag.Dec(n))
		}
	}
	return true
}

// header reads the header.
func (e *entryReader) header() {
	x := &e.entry
	*x = Entry{}
	record := e.file.Revision.entryRecord()
	h := &e.headers[0]
	*h = entryHeader{Entry: x}
	record.Get(e.B[e.start:], e.headers[:])
	record.Check(e.Reporter, e.View, e.start, e.at)
	if n := uint64(x.Instruction); n >= e.n.instructions {
		e.Report("ZPSH015", e.at("instruction"), diag.Below(e.n.instructions), diag.Dec(n))
	}
	if extra := x.Info.Reserved(); extra != 0 {
		e.Report("ZPSH016", e.at("info"), diag.Text("reserved bits clear"), diag.Hex(uint64(extra)))
	}
	if first := x.Info.First(); x.Info.Type() == GeometryFixed && first >= pica.NumFloats {
		e.Report("ZPSH017", e.at("info"), diag.Below(pica.NumFloats), diag.Dec(uint64(first)))
	}
	if extra := h.ints &^ intRegisters; extra != 0 {
		e.Report("ZPSH018", e.at("int_mask"), diag.Text("bits 4 to 15 clear"), diag.Hex(uint64(extra)))
	}
	e.masks = h.masks()
	if x.OutputReserved = uint16(h.outputMask >> 16); x.OutputReserved != 0 {
		e.Report("ZPSH019", e.at("output_mask"), diag.Text("upper half clear"), diag.Hex(uint64(h.outputMask)))
	}
}

// masks returns the registers of a header that have a payload.
func (h *entryHeader) masks() masks {
	return masks{h.ints & intRegisters, h.floats, uint16(h.outputMask)}
}

// intRegisters is the mask of the bits that stand for an integer register.
const intRegisters = 1<<pica.NumInts - 1

// decode appends the entry to the model.
func (e *entryReader) decode() {
	x, p := &e.entry, e.payload
	x.Ints, x.Outputs = intRecord.Decode(e.B[p.ints:p.floats]), mapRecord.Decode(e.B[p.outputs:p.end])
	if n := p.outputs - p.floats; n > 0 {
		x.Floats = make([]Float, 0, n/floatSize)
	}
	for i, mask := 0, e.masks.ints; mask != 0; i, mask = i+1, mask&(mask-1) {
		x.Ints[i].Register = uint8(bits.TrailingZeros16(mask))
	}
	b := e.B[p.floats:p.outputs]
	for k, mask := range e.masks.floats {
		for ; mask != 0; mask &= mask - 1 {
			x.Floats = append(x.Floats, Float{uint8(32*k + bits.TrailingZeros32(mask)), unpackFloat(b)})
			b = b[floatSize:]
		}
	}
	for i, mask := 0, e.masks.outputs; mask != 0; i, mask = i+1, mask&(mask-1) {
		x.Outputs[i].Register = uint8(bits.TrailingZeros16(mask))
	}
	e.file.Entries = append(e.file.Entries, *x)
}

// items checks the records of a payload that the registers in mask have, one by one.
func (e *entryReader) items(fields diag.Struct, rules *wire.Ruled, name string, off uint64, mask uint16) {
	size := fields.Size()
	rules.CheckTable(e.Reporter, wire.LE(e.Bytes(off, size*uint64(bits.OnesCount16(mask)))),
		func(i int, field string) diag.Place {
			left := mask
			for range i {
				left &= left - 1
			}
			return e.item(fields, name, off+size*uint64(i), bits.TrailingZeros16(left), field)
		})
}

// item returns the place of a record of a payload, or of one of its fields.
func (e *entryReader) item(fields diag.Struct, name string, off uint64, register int, field string) diag.Place {
	prefix := e.at("").Path.String() + "."
	return fields.At(off, diag.Path{Prefix: prefix, Table: name, Index: register, Field: field})
}

// mapRegisters is the GPU's number of output map registers (3dbrew).
const mapRegisters = 7

// outputs checks the output maps: ZPSH021 to ZPSH023. None of these rules is an error.
func (e *entryReader) outputs() {
	off := e.payload.outputs
	for mask := e.masks.outputs; mask != 0; mask &= mask - 1 {
		register := bits.TrailingZeros16(mask)
		m := Map(le.Uint32(e.B[off:]))
		report := func(rule string, expected string, found diag.Value) {
			e.Report(rule, e.item(mapRecord.Struct, "outputs", off, register, ""), diag.Text(expected), found)
		}
		if extra := m & reservedMap; extra != 0 {
			report("ZPSH021", "bits 5 to 7 of each byte clear", diag.Hex(uint64(extra)))
		}
		if s, ok := m.find(func(s Semantic) bool { return !s.Defined() }); ok {
			report("ZPSH022", "semantics that the GPU defines", diag.Text(s.String()))
		}
		if s, ok := m.find(func(s Semantic) bool { return s != Unused }); ok && register >= mapRegisters {
			report("ZPSH023", Unused.String(), diag.Text(s.String()))
		}
		off += mapSize
	}
}

// find returns the first semantic of a map for which is returns true.
func (m Map) find(is func(Semantic) bool) (Semantic, bool) {
	for k := range 4 {
		if s := m.Semantic(k); is(s) {
			return s, true
		}
	}
	return 0, false
}
