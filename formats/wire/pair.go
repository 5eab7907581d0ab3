package wire

import (
	"encoding/binary"
	"math/bits"
)

// Pair declares two neighbouring integer fields of equal size: 1, 2 or 4 bytes.
// first and second are Unread fields that give the names, texts, printers and
// rules; at returns both fields of T, of the same sizes. A pair is read and
// written with one call of at instead of two, because these calls take most of the
// time for a large table.
func Pair[T any, V, W Int](at func(*T) (*V, *W), first, second Field[T]) []Field[T] {
	one := Uint(first.Name, func(v *T) *V { x, _ := at(v); return x }, first.Doc).like(first)
	two := Uint(second.Name, func(v *T) *W { _, x := at(v); return x }, second.Doc).like(second)
	switch one.Size {
	case 1:
		one.group = &group[T]{2, func(b []byte, stride int, _ bool, table []T) {
			for i := range table {
				x, y := at(&table[i])
				row := b[i*stride:][:2]
				*x, *y = V(row[0]), W(row[1])
			}
		}, func(b []byte, stride int, _ bool, table []T) {
			for i := range table {
				x, y := at(&table[i])
				row := b[i*stride:][:2]
				row[0], row[1] = byte(*x), byte(*y)
			}
		}}
	case 2:
		one.group = &group[T]{2, func(b []byte, stride int, big bool, table []T) {
			for i := range table {
				x, y := at(&table[i])
				n := binary.LittleEndian.Uint32(b[i*stride:])
				if big {
					n = bits.RotateLeft32(bits.ReverseBytes32(n), 16)
				}
				*x, *y = V(n&0xFFFF), W(n>>16)
			}
		}, func(b []byte, stride int, big bool, table []T) {
			for i := range table {
				x, y := at(&table[i])
				n := uint32(uint16(*x)) | uint32(*y)<<16
				if big {
					n = bits.RotateLeft32(bits.ReverseBytes32(n), 16)
				}
				binary.LittleEndian.PutUint32(b[i*stride:], n)
			}
		}}
	default:
		one.group = &group[T]{2, func(b []byte, stride int, big bool, table []T) {
			for i := range table {
				x, y := at(&table[i])
				n := binary.LittleEndian.Uint64(b[i*stride:])
				if big {
					n = bits.RotateLeft64(bits.ReverseBytes64(n), 32)
				}
				*x, *y = V(n), W(n>>32)
			}
		}, func(b []byte, stride int, big bool, table []T) {
			for i := range table {
				x, y := at(&table[i])
				n := uint64(uint32(*x)) | uint64(*y)<<32
				if big {
					n = bits.RotateLeft64(bits.ReverseBytes64(n), 32)
				}
				binary.LittleEndian.PutUint64(b[i*stride:], n)
			}
		}}
	}
	return []Field[T]{one, two}
}
