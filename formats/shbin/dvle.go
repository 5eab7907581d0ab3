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
	h := &dvleReader{reader: r}
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
	index  int           // of the DVLE
	q      uint64        // offset of the DVLE
	record [1]dvleHeader // which Record.Get fills
	dvle   *DVLE         // of this element
}

func (h *dvleReader) at(field string) diag.Place { return h.dvlePlace(h.index, field) }

// dvlePlace returns the place of DVLE header i, or of a field of it.
func (r *reader) dvlePlace(i int, field string) diag.Place {
	return dvleRecord.At(uint64(r.layout.DVLEs[i].Offset), diag.Path{Prefix: dvlePrefix(i), Field: field})
}

// dvlePrefix returns the start of all paths in DVLE i.
func dvlePrefix(i int) string { return "dvle[" + strconv.Itoa(i) + "]." }

// read reads and checks the header. It reports whether the tables can be read.
func (h *dvleReader) read() bool {
	if dvleMagicRule.Check(h.Reporter, h.View, h.q, h.at).Any() {
		return false
	}
	dvleRecord.Get(h.Bytes(h.q, dvleHeaderSize), h.record[:])
	h.dvle = h.record[0].dvle
	h.version()
	if typeRules.Check(h.Reporter, h.View, h.q, h.at).Any("DVLE004") {
		return false
	}
	h.procedure()
	rules := &vertexRules
	if h.dvle.Type == GeometryShader {
		rules = &geometryRules
	}
	rules.Check(h.Reporter, h.View, h.q, h.at)
	misplaced := placeRules.Check(h.Reporter, h.View, h.q, h.at).Any()
	extents := h.record[0].layout.Tables[:]
	wire.EmptyOffsets(dvleTables, extents, dvleHeaderSize, func(k int, expected uint64) {
		h.Report("DVLE022", h.at(dvleTables[k].Name+".offset"), diag.Hex(expected), diag.Hex(uint64(extents[k].Offset)))
	})
	return !misplaced
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
