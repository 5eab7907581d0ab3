package shbin

import (
	"strconv"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
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
	h := &dvleReader{reader: r, record: make([]dvleHeader, 1), around: wire.Around{View: r.View,
		Outer: [...]uint64{uint64(len(r.file.DVLP.Code)), uint64(uint16(r.file.DVLP.Version)), 3: 0}}}
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
	around wire.Around  // the header, and what its rules compare with
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
	h.around.Base = h.q
	broken := dvleRows.CheckIn(h.Reporter, &h.around, h.at)
	if broken.Any("DVLE002") {
		return false
	}
	if dvleRecord.Get(h.Bytes(h.q, dvleHeaderSize), h.record); broken.Any("DVLE004") {
		return false
	}
	extents := &h.record[0].layout.Tables
	wire.EmptyOffsets(dvleTables, extents[:], dvleHeaderSize, func(k int, expected uint64) {
		h.Report("DVLE022", h.at(dvleTables[k].Name+".offset"), diag.Hex(expected), diag.Hex(uint64(extents[k].Offset)))
	})
	return !broken.Any("DVLE020", "DVLE021")
}
