// Package wire serves this module: it reads and writes binary structures for the format packages.
// The model of a format is the Go struct that holds the content of a file; this package converts
// between models and bytes. Its main types are:
//
//   - A [View] gives bounds-checked access to the bytes of a file.
//   - A [Record] declares the fields of a structure of fixed size once. A [Field]
//     has the name, the size, the printer and the rules of one value. A record is
//     read into a Go struct T, which is a part of the model or refers to parts of it.
//   - A [Table] is a sequence of records of one type, or of bytes, at an [Extent]
//     that a header stores.
//   - A [Span] is the range of bytes of one header or table. Spans show overlaps
//     and gaps ([Cover]). A [Map] builds the regions of a file.
//   - A [NameTotal] bounds the names of a file, a [NameSet] finds equal ones.
//   - A [Shell] makes Parse, Check, AppendBinary and Outline of a format from its
//     walk over the file, its writer, its comparison of models and its regions.
//
// A rule has its statement in the rule table of its format (diag.Rule). The code
// that evaluates it passes the rule's id to a diag.Reporter, which makes the
// finding. A rule about the value of one field is declared with the field
// ([Field.Must]) and evaluated by [Record.Check].
//
// Offsets and sizes are uint64, so that the sum of any two 32-bit values read
// from a file cannot wrap.
package wire

import (
	"encoding/binary"
)

// View is a byte slice with a byte order, which is little endian unless Big is
// set.
//
// Every method is defined for all arguments: an integer with a byte outside the
// view is 0, and Bytes returns only bytes inside it. A reader that must
// distinguish missing bytes from zeros calls Has first.
type View struct {
	B   []byte
	Big bool
}

// LE returns a little-endian view of b.
func LE(b []byte) View { return View{B: b} }

// BE returns a big-endian view of b.
func BE(b []byte) View { return View{b, true} }

// In returns a view of b in a byte order.
func In(order binary.ByteOrder, b []byte) View { return View{b, order == binary.BigEndian} }

// Order returns the byte order.
func (v View) Order() binary.ByteOrder {
	if v.Big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// Size returns the number of bytes.
func (v View) Size() uint64 { return uint64(len(v.B)) }

// Has reports whether the n bytes at off are inside the view.
func (v View) Has(off, n uint64) bool { return off <= v.Size() && n <= v.Size()-off }

// HasTable reports whether count entries of size bytes at off are inside the
// view. It is false when count or size needs more than 32 bits.
func (v View) HasTable(off, count, size uint64) bool {
	return count>>32 == 0 && size>>32 == 0 && v.Has(off, count*size)
}

// U8 returns the byte at off.
func (v View) U8(off uint64) uint8 {
	if !v.Has(off, 1) {
		return 0
	}
	return v.B[off]
}

// U16 returns the 16-bit integer at off.
func (v View) U16(off uint64) uint16 {
	if !v.Has(off, 2) {
		return 0
	}
	return u16(v.B[off:], v.Big)
}

// U32 returns the 32-bit integer at off.
func (v View) U32(off uint64) uint32 {
	if !v.Has(off, 4) {
		return 0
	}
	return u32(v.B[off:], v.Big)
}

// U64 returns the 64-bit integer at off.
func (v View) U64(off uint64) uint64 {
	if !v.Has(off, 8) {
		return 0
	}
	return u64(v.B[off:], v.Big)
}

// Uint returns the integer of size bytes at off; 0 unless size is 1, 2, 4 or 8.
func (v View) Uint(off uint64, size int) uint64 {
	switch size {
	case 1:
		return uint64(v.U8(off))
	case 2:
		return uint64(v.U16(off))
	case 4:
		return uint64(v.U32(off))
	case 8:
		return v.U64(off)
	}
	return 0
}

// Bytes returns the n bytes at off, cut at the end of the view. The capacity of
// the slice ends with it, so that an append cannot overwrite the bytes after it.
func (v View) Bytes(off, n uint64) []byte {
	off = min(off, v.Size())
	end := off + min(n, v.Size()-off)
	return v.B[off:end:end]
}
