// Package wire reads integers and names at offsets of a byte slice without ever
// leaving it. Offsets and sizes are uint64, so that the sum of any two 32-bit
// values read from a file cannot wrap.
package wire

import "encoding/binary"

// View is a byte slice with a byte order. The zero order is not usable; make
// one with LE or BE.
type View struct {
	B     []byte
	Order binary.ByteOrder
}

// LE returns a little-endian view of b.
func LE(b []byte) View { return View{b, binary.LittleEndian} }

// BE returns a big-endian view of b.
func BE(b []byte) View { return View{b, binary.BigEndian} }

// Size returns the number of bytes.
func (v View) Size() uint64 { return uint64(len(v.B)) }

// Has reports whether the n bytes at off are inside the view.
func (v View) Has(off, n uint64) bool { return off <= v.Size() && n <= v.Size()-off }

// HasTable reports whether count entries of size bytes at off are inside the
// view. count and size must be below 1<<32.
func (v View) HasTable(off, count, size uint64) bool { return v.Has(off, count*size) }

// U8 returns the byte at off, which must be inside the view, as for the others.
func (v View) U8(off uint64) uint8 { return v.B[off] }

// U16 returns the 16-bit integer at off.
func (v View) U16(off uint64) uint16 { return v.Order.Uint16(v.B[off : off+2]) }

// U32 returns the 32-bit integer at off.
func (v View) U32(off uint64) uint32 { return v.Order.Uint32(v.B[off : off+4]) }

// U64 returns the 64-bit integer at off.
func (v View) U64(off uint64) uint64 { return v.Order.Uint64(v.B[off : off+8]) }

// Bytes returns the n bytes at off, capped so that an append cannot overwrite
// what follows.
func (v View) Bytes(off, n uint64) []byte { return v.B[off : off+n : off+n] }
