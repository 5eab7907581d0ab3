package zpsh

import (
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// Length returns the size of the file at the start of b, which may go on behind it: the end of its
// last entry. It is 0 if that is outside of b, or if an entry names no instruction or no string of
// the file. work is about how many bytes were read.
func Length(b []byte) (size, work uint64) {
	r := &reader{View: wire.LE(b), Reporter: diag.Strict(ruleSet), file: new(File)}
	if !r.header() {
		return 0, shortHeaderSize
	}
	record := r.file.Revision.entryRecord()
	work, size = shortHeaderSize, r.at.area
	end := size
	for i := range r.n.entries {
		work += uint64(record.Bytes)
		start := end
		if r.file.Revision.hasTable() {
			start = r.at.area + uint64(r.U32(r.at.offsets+4*i))
		}
		if !r.Has(start, uint64(record.Bytes)) {
			return 0, work
		}
		h := [1]entryHeader{{Entry: new(Entry)}}
		record.Get(r.B[start:], h[:])
		masks := h[0].masks()
		end = masks.place(start + uint64(record.Bytes)).end
		if end > r.Size() || uint64(h[0].Instruction) >= r.n.instructions || uint64(h[0].Name) >= r.n.strings {
			return 0, work
		}
		size = max(size, end)
	}
	return size, work
}
