package shbin

import "github.com/picaproof/picaproof/formats/wire"

// Length returns the size of the DVLB at the start of b, which may go on behind it: where the last
// of its headers and tables ends, with zeros up to a multiple of 4. It is 0 if that is outside of b
// or if a part is not there. work is about how many bytes were read.
func Length(b []byte) (size, work uint64) {
	v := wire.LE(b)
	if !v.Has(0, dvlbHeaderSize) || string(b[:4]) != "DVLB" {
		return 0, dvlbHeaderSize
	}
	n, work := uint64(v.U32(4)), dvlbHeaderSize
	p := dvlbHeaderSize + 4*n
	if n == 0 || !v.Has(p, shortDVLPHeaderSize) || string(v.Bytes(p, 4)) != "DVLP" {
		return 0, work
	}
	for i := range n {
		work += 4
		if q := uint64(v.U32(dvlbHeaderSize + 4*i)); !v.Has(q, dvleHeaderSize) || string(v.Bytes(q, 4)) != "DVLE" {
			return 0, work
		}
	}
	spans := locate(v).spans(nil)
	work += dvleHeaderSize * uint64(len(spans))
	for _, s := range spans {
		if !v.Has(s.Off, s.Len) {
			return 0, work
		}
		size = max(size, s.Off+s.Len)
	}
	if padding := -size % 4; v.Has(size, padding) && wire.Zero(v.Bytes(size, padding)) {
		size += padding
	}
	return size, work
}
