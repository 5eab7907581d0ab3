package wire

import "encoding/binary"

// Pair declares two neighbouring integer fields of equal size: 1, 2 or 4 bytes.
// first and second are Unread fields that give the names, texts, printers and
// rules; at returns both model fields. A pair is read and written with one call of
// at instead of two, because these calls take most of the time for a large table.
func Pair[T any, V, W Int](at func(*T) (*V, *W), first, second Field[T]) []Field[T] {
	one := Uint(first.Name, func(v *T) *V { x, _ := at(v); return x }, first.Doc).like(first)
	two := Uint(second.Name, func(v *T) *W { _, x := at(v); return x }, second.Doc).like(second)
	width := one.Size
	shift, low := uint(8*width), uint64(1)<<(8*width)-1
	one.getPair = func(b []byte, stride int, table []T) {
		for i := range table {
			var n uint64
			switch row := b[i*stride:]; width {
			case 4:
				n = binary.LittleEndian.Uint64(row)
			case 2:
				n = uint64(binary.LittleEndian.Uint32(row))
			default:
				n = uint64(binary.LittleEndian.Uint16(row))
			}
			x, y := at(&table[i])
			*x, *y = V(n), W(n>>shift)
		}
	}
	one.putPair = func(b []byte, stride int, table []T) {
		for i := range table {
			x, y := at(&table[i])
			n := uint64(*x)&low | uint64(*y)<<shift
			switch row := b[i*stride:]; width {
			case 4:
				binary.LittleEndian.PutUint64(row, n)
			case 2:
				binary.LittleEndian.PutUint32(row, uint32(n))
			default:
				binary.LittleEndian.PutUint16(row, uint16(n))
			}
		}
	}
	return []Field[T]{one, two}
}

// like returns the field with the printer and the rules of another field.
func (f Field[T]) like(o Field[T]) Field[T] {
	if o.Show != nil {
		f.Show = o.Show
	}
	f.rules = o.rules
	return f
}
