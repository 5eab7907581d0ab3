package shbin

import (
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// dvlb reads and checks the DVLB header, and checks the magic of the DVLP. It
// reports whether the DVLP can be read.
func (r *reader) dvlb() bool {
	size := r.Size()
	end := diag.Place{Off: size, Path: diag.Path{Field: "dvlb"}}
	if size < dvlbHeaderSize {
		r.Report("DVLB001", end, diag.AtLeast(dvlbHeaderSize), diag.Dec(size))
		return false
	}
	field := func(name string) diag.Place {
		return dvlbRecord.At(0, diag.Path{Prefix: "dvlb.", Field: name})
	}
	if dvlbRules.Check(r.Reporter, r.View, 0, field).Any() {
		return false
	}
	n := uint64(r.U32(4))
	p := dvlbHeaderSize + 4*n
	if p > size {
		r.Report("DVLB004", field("count"), diag.AtMost((size-dvlbHeaderSize)/4), diag.Dec(n))
		return false
	}
	if size%4 != 0 {
		r.Report("DVLB014", end, diag.Text("multiple of 4"), diag.Dec(size))
	}
	sound := r.offsets(n)
	if magic := r.Bytes(p, min(4, size-p)); string(magic) != "DVLP" {
		at := diag.Place{Off: p, Len: uint64(len(magic)), Path: diag.Path{Prefix: "dvlp.", Field: "magic"}}
		r.Report("DVLP002", at, diag.Text(`"DVLP"`), diag.Quoted(magic))
		return false
	}
	return sound
}

// offsets reads and checks the n DVLE offsets. It reports whether all DVLE headers
// are aligned, inside the file and without overlap.
func (r *reader) offsets(n uint64) bool {
	offset := func(i uint64) uint64 { return uint64(r.U32(dvlbHeaderSize + 4*i)) }
	sound := offsetRecord.CheckTable(r.Reporter, wire.LE(r.Bytes(dvlbHeaderSize, 4*n)),
		func(i int, _ string) diag.Place { return offsetPlace(uint64(i)) })
	low := dvlbHeaderSize + 4*n
	for i := range n {
		off := offset(i)
		if off >= low && r.Has(off, dvleHeaderSize) {
			continue
		}
		want := diag.Value{Format: ">= 0x%x", N: low}
		if off >= low {
			want = diag.Value{Format: "room for 64 bytes in a file of 0x%x", N: r.Size()}
		}
		r.Report("DVLB006", offsetPlace(i), want, diag.Hex(off))
		sound = false
	}
	sound = r.distances(n, offset) && sound
	for i := uint64(1); i < n; i++ {
		if offset(i) <= offset(i-1) {
			r.Report("DVLB008", offsetPlace(i), diag.Value{Format: "> 0x%x", N: offset(i - 1)}, diag.Hex(offset(i)))
			break
		}
	}
	if sound {
		r.layout.DVLEs = make([]DVLELayout, n)
		for i := range n {
			r.layout.DVLEs[i].Offset = uint32(offset(i))
		}
	}
	return sound
}

// distances reports whether no two DVLE headers overlap. The offsets may be in any
// order.
func (r *reader) distances(n uint64, offset func(uint64) uint64) bool {
	if n == 1 {
		return true
	}
	sorted := make([]uint64, n) // offset and index, sorted as one number
	for i := range n {
		sorted[i] = offset(i)<<32 | i
	}
	slices.Sort(sorted)
	sound := true
	for k := 1; k < len(sorted); k++ {
		a, b := sorted[k-1], sorted[k]
		if gap := b>>32 - a>>32; gap < dvleHeaderSize {
			r.Report("DVLB007", offsetPlace(uint64(uint32(b))),
				diag.Text("64 bytes from the other or more"), diag.Dec(gap),
				offsetPlace(uint64(uint32(a))))
			sound = false
		}
	}
	return sound
}

// offsetPlace returns the place of DVLE offset i in the DVLB header.
func offsetPlace(i uint64) diag.Place {
	return offsetRecord.At(dvlbHeaderSize+4*i, diag.Path{Prefix: "dvlb.", Table: "offsets", Index: int(i)})
}
