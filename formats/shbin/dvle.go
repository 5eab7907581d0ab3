package shbin

import (
	"strconv"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/pica"
)

// Limits of the geometry parameters: libctru writes one less than a fixed
// count into a four-bit register field, and one less than a variable count into
// a five-bit one.
const (
	maxFixedCount    = 16
	maxVariableCount = 32
)

// dvles reads and checks the DVLE headers, and the extents of their tables.
func (r *reader) dvles() {
	n := len(r.layout.DVLEs)
	r.file.DVLEs = make([]DVLE, n)
	r.skip = make([]bool, n)
	limit := maxTableFactor * r.Size()
	var total uint64
	over := -1 // the first DVLE beyond the limit
	h := &dvleReader{reader: r, record: make([]dvleHeader, 1)}
	for i := range n {
		h.index, h.q = i, uint64(r.layout.DVLEs[i].Offset)
		h.record[0] = dvleHeader{&r.file.DVLEs[i], &r.layout.DVLEs[i]}
		if r.skip[i] = !h.read(); r.skip[i] {
			if r.Done() {
				return
			}
			continue
		}
		for k, x := range r.layout.DVLEs[i].Tables {
			total += dvleTables[k].Bytes(x)
		}
		if r.skip[i] = total > limit; r.skip[i] && over < 0 {
			over = i
		}
	}
	if over >= 0 && !r.Failed() {
		r.Report("DVLB015", r.dvlePlace(over, ""), diag.AtMost(limit), diag.Dec(total))
	}
}

// dvleReader reads one DVLE header.
type dvleReader struct {
	*reader
	index  int          // of the DVLE
	q      uint64       // offset of the DVLE
	record []dvleHeader // one element, which Record.Get fills
	dvle   *DVLE        // of this element
}

func (h *dvleReader) at(field string) diag.Place { return h.dvlePlace(h.index, field) }

// dvlePlace returns the place of DVLE header i, or of a field of it.
func (r *reader) dvlePlace(i int, field string) diag.Place {
	return dvleRecord.At(uint64(r.layout.DVLEs[i].Offset), diag.Path{Prefix: dvlePrefix(i), Field: field})
}

// must evaluates a rule that dvleRecord sets apart.
func (h *dvleReader) must(rule string) { dvleRecord.CheckRule(rule, h.Reporter, h.View, h.q, h.at) }

// dvlePrefix returns the start of all paths in DVLE i.
func dvlePrefix(i int) string { return "dvle[" + strconv.Itoa(i) + "]." }

// read reads and checks the header. It reports whether the tables can be read.
func (h *dvleReader) read() bool {
	if magic := h.Bytes(h.q, 4); string(magic) != "DVLE" {
		h.Report("DVLE002", h.at("magic"), diag.Text(`"DVLE"`), diag.Quoted(magic))
		return false
	}
	dvleRecord.Get(h.Bytes(h.q, dvleHeaderSize), h.record)
	h.dvle = h.record[0].dvle
	h.version()
	if h.must("DVLE004"); h.dvle.Type > GeometryShader {
		return false
	}
	dvleRecord.Check(h.Reporter, h.View, h.q, h.at)
	if merge := uint64(h.dvle.Merge); merge != 0 && h.dvle.Type == VertexShader {
		h.Report("DVLE006", h.at("merge"), diag.Dec(0), diag.Dec(merge))
	}
	h.procedure()
	if h.dvle.Type == VertexShader {
		h.noGeometry()
	} else {
		h.geometry()
	}
	return h.tablesPlaced(&h.record[0].layout.Tables)
}

// version checks the tool version: DVLE003.
func (h *dvleReader) version() {
	v := h.dvle.Version
	switch dvlp := uint16(h.file.DVLP.Version); {
	case !ToolVersions.Allows(uint64(v)):
		h.Report("DVLE003", h.at("version"), ToolVersions.Expected, diag.Hex(uint64(v)))
	case v != dvlp:
		h.ReportAs(diag.Info, "DVLE003", h.at("version"),
			diag.Value{Format: "0x%x as in the DVLP", N: uint64(dvlp)}, diag.Hex(uint64(v)))
	}
}

// procedure checks the entry word and the end word: DVLE007 to DVLE010.
func (h *dvleReader) procedure() {
	entry, end, words := uint64(h.dvle.Entry), uint64(h.dvle.End), uint64(len(h.file.DVLP.Code))
	switch {
	case entry >= words:
		h.Report("DVLE007", h.at("entry"), diag.Below(words), diag.Dec(entry))
	case h.dvle.Type == VertexShader && entry >= pica.MaxVertexCode:
		h.Report("DVLE010", h.at("entry"), diag.Below(pica.MaxVertexCode), diag.Dec(entry))
	}
	switch {
	case end > words:
		h.Report("DVLE008", h.at("end"), diag.AtMost(words), diag.Dec(end))
	case end <= entry:
		h.Report("DVLE009", h.at("end"), diag.Value{Format: "> %d", N: entry}, diag.Dec(end))
	}
}

// geometryBytes has the names of the four geometry bytes in file order.
var geometryBytes = [4]string{"geometry.mode", "geometry.first", "geometry.variable_count", "geometry.fixed_count"}

func (g Geometry) bytes() [4]uint8 { return [4]uint8{uint8(g.Mode), g.First, g.Variable, g.Fixed} }

// usedBytes marks the geometry bytes that each mode uses. An unknown mode uses
// only the mode byte, like Point.
var usedBytes = [...][4]bool{
	Point:    {true, false, false, false},
	Variable: {true, false, true, false},
	Fixed:    {true, true, false, true},
}

// noGeometry checks the geometry bytes of a vertex shader: DVLE014.
func (h *dvleReader) noGeometry() {
	for k, b := range h.dvle.Geometry.bytes() {
		if b != 0 {
			h.Report("DVLE014", h.at(geometryBytes[k]), diag.Dec(0), diag.Dec(uint64(b)))
			return
		}
	}
}

// geometry checks the geometry bytes of a geometry shader: DVLE013 and DVLE015 to DVLE018.
func (h *dvleReader) geometry() {
	g := h.dvle.Geometry
	h.must("DVLE013")
	switch {
	case g.Mode == Variable && g.Variable == 0:
		h.Report("DVLE015", h.at("geometry.variable_count"), diag.AtLeast(1), diag.Dec(0))
	case g.Mode == Fixed && g.First >= pica.NumFloats:
		h.Report("DVLE016", h.at("geometry.first"), diag.Below(pica.NumFloats), diag.Dec(uint64(g.First)))
	case g.Mode == Fixed && g.Fixed == 0:
		h.Report("DVLE016", h.at("geometry.fixed_count"), diag.AtLeast(1), diag.Dec(0))
	}
	used := usedBytes[Point]
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
		h.Report("DVLE018", h.at("geometry.variable_count"), diag.AtMost(maxVariableCount),
			diag.Dec(uint64(g.Variable)))
	case g.Mode == Fixed && g.Fixed > maxFixedCount:
		h.Report("DVLE018", h.at("geometry.fixed_count"), diag.AtMost(maxFixedCount), diag.Dec(uint64(g.Fixed)))
	}
}

// tablesPlaced reports whether all tables are aligned, after the DVLE header and
// inside the file: DVLE020 to DVLE022.
func (h *dvleReader) tablesPlaced(extents *[numDVLETables]Extent) bool {
	at := func(k int) diag.Place { return h.at(dvleTables[k].Name + ".offset") }
	ok := true
	for k, x := range extents {
		if x.Count > 0 && x.Offset%4 != 0 && k != symbolTable {
			h.Report("DVLE020", at(k), diag.Text("multiple of 4"), diag.Hex(uint64(x.Offset)))
			ok = false
		}
	}
	for k, x := range extents {
		switch end := h.q + uint64(x.Offset) + dvleTables[k].Bytes(x); {
		case x.Count == 0:
		case uint64(x.Offset) < dvleHeaderSize:
			h.Report("DVLE021", at(k), diag.Value{Format: ">= 0x%x", N: dvleHeaderSize}, diag.Hex(uint64(x.Offset)))
			ok = false
		case end > h.Size():
			h.Report("DVLE021", at(k), diag.Value{Format: "end <= 0x%x", N: h.Size()},
				diag.Value{Format: "end 0x%x", N: end})
			ok = false
		}
	}
	wire.EmptyOffsets(dvleTables, extents[:], dvleHeaderSize, func(k int, expected uint64) {
		h.Report("DVLE022", at(k), diag.Hex(expected), diag.Hex(uint64(extents[k].Offset)))
	})
	return ok
}
