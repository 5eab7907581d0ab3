package shbin

import (
	"strconv"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/pica"
)

// Limits of the geometry parameters: libctru writes one less than a fixed
// count into a four-bit register field, and one less than a variable count into
// a five-bit one.
const (
	maxFixedCount    = 16
	maxVariableCount = 32
)

// entries reads the DVLE headers and checks the places of their tables.
func (r *reader) entries() {
	n := len(r.layout.Entries)
	r.file.Entries = make([]DVLE, n)
	r.skip = make([]bool, n)
	limit := maxTableShare * r.Size()
	var total uint64
	over := -1 // the first DVLE beyond the limit
	for i := range n {
		h := &header{reader: r, index: i, q: uint64(r.layout.Entries[i].Offset), entry: &r.file.Entries[i], tables: &r.layout.Entries[i].Tables}
		if r.skip[i] = !h.read(); r.skip[i] {
			if r.done() {
				return
			}
			continue
		}
		for k, x := range h.tables {
			total += (firstTable + section(k)).bytes(x)
		}
		if r.skip[i] = total > limit; r.skip[i] && over < 0 {
			over = i
		}
	}
	if over >= 0 && !r.Failed() {
		at := entryHeaderFields.At(uint64(r.layout.Entries[over].Offset), diag.Path{Prefix: entryPrefix(over)})
		r.Report("DVLB015", at, diag.AtMost(limit), diag.Dec(total))
	}
}

// header is the DVLE header being read.
type header struct {
	*reader
	index  int
	q      uint64 // where it starts
	entry  *DVLE
	tables *[numTables]Extent
}

func (h *header) at(field string) diag.Place {
	return entryHeaderFields.At(h.q, diag.Path{Prefix: entryPrefix(h.index), Field: field})
}

// entryPrefix starts the paths of a DVLE.
func entryPrefix(i int) string { return "dvle[" + strconv.Itoa(i) + "]." }

// read reads the header. It reports whether the tables can be examined.
func (h *header) read() bool {
	q, e := h.q, h.entry
	if magic := h.Bytes(q, 4); string(magic) != "DVLE" {
		h.Report("DVLE002", h.at("magic"), diag.Text(`"DVLE"`), diag.Quoted(magic))
		return false
	}
	*e = DVLE{
		Version: h.U16(q + 0x04), Type: Type(h.U8(q + 0x06)), Merge: h.U8(q + 0x07),
		Entry: h.U32(q + 0x08), End: h.U32(q + 0x0C),
		InputMask: h.U16(q + 0x10), OutputMask: h.U16(q + 0x12),
		Geometry: Geometry{Mode(h.U8(q + 0x14)), h.U8(q + 0x15), h.U8(q + 0x16), h.U8(q + 0x17)},
	}
	for k := range h.tables {
		pair := q + 0x18 + 8*uint64(k)
		h.tables[k] = Extent{h.U32(pair), h.U32(pair + 4)}
	}
	h.version()
	if e.Type > GeometryShader {
		h.Report("DVLE004", h.at("type"), diag.AtMost(1), diag.Dec(uint64(e.Type)))
		return false
	}
	h.merge()
	h.procedure()
	if e.Type == VertexShader {
		h.noGeometry()
	} else {
		h.geometry()
	}
	return h.placeTables()
}

func (h *header) version() {
	v := h.entry.Version
	switch program := uint16(h.file.Program.Version); {
	case !knownVersion(v):
		h.Report("DVLE003", h.at("version"), diag.Text(knownVersions), diag.Hex(uint64(v)))
	case v != program:
		h.ReportAs(diag.Info, "DVLE003", h.at("version"), diag.Value{Format: "0x%x as in the DVLP", N: uint64(program)}, diag.Hex(uint64(v)))
	}
}

func (h *header) merge() {
	merge := uint64(h.entry.Merge)
	if merge > 1 {
		h.Report("DVLE005", h.at("merge"), diag.AtMost(1), diag.Dec(merge))
	}
	if merge != 0 && h.entry.Type == VertexShader {
		h.Report("DVLE006", h.at("merge"), diag.Dec(0), diag.Dec(merge))
	}
}

func (h *header) procedure() {
	entry, end, words := uint64(h.entry.Entry), uint64(h.entry.End), uint64(len(h.file.Program.Code))
	switch {
	case entry >= words:
		h.Report("DVLE007", h.at("entry"), diag.Below(words), diag.Dec(entry))
	case h.entry.Type == VertexShader && entry >= pica.MaxVertexCode:
		h.Report("DVLE010", h.at("entry"), diag.Below(pica.MaxVertexCode), diag.Dec(entry))
	}
	switch {
	case end > words:
		h.Report("DVLE008", h.at("end"), diag.AtMost(words), diag.Dec(end))
	case end <= entry:
		h.Report("DVLE009", h.at("end"), diag.Value{Format: "> %d", N: entry}, diag.Dec(end))
	}
}

// The four geometry bytes, by name and in file order.
var geometryBytes = [4]string{"geometry.mode", "geometry.first", "geometry.variable_count", "geometry.fixed_count"}

func (g Geometry) bytes() [4]uint8 { return [4]uint8{uint8(g.Mode), g.First, g.Variable, g.Fixed} }

// usedBytes says which of the geometry bytes a mode reads; others read none but
// the mode itself.
var usedBytes = [...][4]bool{
	Point:    {true, false, false, false},
	Variable: {true, false, true, false},
	Fixed:    {true, true, false, true},
}

func (h *header) noGeometry() {
	for k, b := range h.entry.Geometry.bytes() {
		if b != 0 {
			h.Report("DVLE014", h.at(geometryBytes[k]), diag.Dec(0), diag.Dec(uint64(b)))
			return
		}
	}
}

func (h *header) geometry() {
	g := h.entry.Geometry
	if g.Mode > Fixed {
		h.Report("DVLE013", h.at("geometry.mode"), diag.AtMost(uint64(Fixed)), diag.Dec(uint64(g.Mode)))
	}
	switch {
	case g.Mode == Variable && g.Variable == 0:
		h.Report("DVLE015", h.at("geometry.variable_count"), diag.AtLeast(1), diag.Dec(0))
	case g.Mode == Fixed && g.First >= pica.NumFloats:
		h.Report("DVLE016", h.at("geometry.first"), diag.Below(pica.NumFloats), diag.Dec(uint64(g.First)))
	case g.Mode == Fixed && g.Fixed == 0:
		h.Report("DVLE016", h.at("geometry.fixed_count"), diag.AtLeast(1), diag.Dec(0))
	}
	used := usedBytes[0]
	if g.Mode <= Fixed {
		used = usedBytes[g.Mode]
	}
	for k, b := range g.bytes() {
		if b != 0 && !used[k] {
			h.Report("DVLE017", h.at(geometryBytes[k]), diag.Dec(0), diag.Dec(uint64(b)))
			break
		}
	}
	switch {
	case g.Mode == Variable && g.Variable > maxVariableCount:
		h.Report("DVLE018", h.at("geometry.variable_count"), diag.AtMost(maxVariableCount), diag.Dec(uint64(g.Variable)))
	case g.Mode == Fixed && g.Fixed > maxFixedCount:
		h.Report("DVLE018", h.at("geometry.fixed_count"), diag.AtMost(maxFixedCount), diag.Dec(uint64(g.Fixed)))
	}
}

// placeTables checks where the tables are. It reports whether all of them are
// inside the file and aligned.
func (h *header) placeTables() bool {
	ok := true
	for k, x := range h.tables {
		if s := firstTable + section(k); x.Count > 0 && x.Offset%4 != 0 && s != symbolSection {
			h.Report("DVLE020", h.at(sections[s].name+".offset"), diag.Text("multiple of 4"), diag.Hex(uint64(x.Offset)))
			ok = false
		}
	}
	for k, x := range h.tables {
		s := firstTable + section(k)
		switch end := h.q + uint64(x.Offset) + s.bytes(x); {
		case x.Count == 0:
		case x.Offset < entryHeaderSize:
			h.Report("DVLE021", h.at(sections[s].name+".offset"), diag.Value{Format: ">= 0x%x", N: entryHeaderSize}, diag.Hex(uint64(x.Offset)))
			ok = false
		case end > h.Size():
			h.Report("DVLE021", h.at(sections[s].name+".offset"), diag.Value{Format: "end <= 0x%x", N: h.Size()}, diag.Value{Format: "end 0x%x", N: end})
			ok = false
		}
	}
	running := uint64(entryHeaderSize)
	for k, x := range h.tables {
		s := firstTable + section(k)
		switch {
		case x.Count > 0:
			running = uint64(x.Offset) + s.bytes(x)
		case uint64(x.Offset) != running:
			h.Report("DVLE022", h.at(sections[s].name+".offset"), diag.Hex(running), diag.Hex(uint64(x.Offset)))
		}
	}
	return ok
}
