package reader

import (
	"bytes"
	"encoding/binary"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// extremes returns files in which one field has an extreme value: all ones, or the
// greatest signed number; a count also the numbers that wrap to a small size of a table
// in 32 bits, an offset those that wrap to the file. Of fields of one kind the first is
// changed, in the valid file that has the most kinds. Further files have a string without
// its end.
func extremes(from gen.Format, seed uint64) (list [][]byte) {
	format, _ := registry.ByName(from.Name)
	var best []byte
	var fields []diag.Region
	const tries, largest = 24, 8192
	for k := range uint64(tries) {
		b := from.File(gen.From(gen.Seed(seed, k)))
		if found := kindsOfFields(format, b); len(b) <= largest && len(found) > len(fields) {
			best, fields = b, found
		}
	}
	for _, f := range fields {
		for _, v := range extremeValues(&f) {
			for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
				b := bytes.Clone(best)
				put(b[f.Off:f.Off+f.Len], v, order)
				if !bytes.Equal(b, best) {
					list = append(list, b)
				}
				if v == ^uint64(0) || f.Len == 1 {
					break // the same in both
				}
			}
		}
	}
	return append(list, endless(best)...)
}

// endless returns copies of a file with the end of one string overwritten.
func endless(b []byte) (list [][]byte) {
	const most, printable = 48, 0x20
	for at := 1; at < len(b) && len(list) < most; at++ {
		if b[at] == 0 && b[at-1] > printable && b[at-1] < 0x7F {
			c := bytes.Clone(b)
			for k := at; k < len(c) && c[k] == 0; k++ { // its padding, too
				c[k] = 'x'
			}
			one := bytes.Clone(b)
			one[at] = 'x'
			list = append(list, one, c)
		}
	}
	return list
}

// kindsOfFields returns the first field of each kind.
func kindsOfFields(format registry.Format, b []byte) (fields []diag.Region) {
	seen := map[string]bool{}
	for _, r := range format.Outline(b).Regions {
		if name := generic(r.Path); r.Kind == diag.FieldRegion && r.Len <= 8 && r.Len != 3 && !seen[name] {
			seen[name] = true
			fields = append(fields, r)
		}
	}
	return fields
}

// extremeValues returns the extreme values of a field.
func extremeValues(f *diag.Region) []uint64 {
	bits := 8 * f.Len
	values := []uint64{^uint64(0), 1<<(bits-1) - 1}
	if f.Len < 4 {
		return values
	}
	named := func(words ...string) bool {
		for _, w := range words {
			if strings.HasSuffix(f.Path, w) {
				return true
			}
		}
		return false
	}
	switch {
	case named("count", "size", "length", "counts"):
		for _, item := range []uint64{2, 4, 8, 12, 16, 20, 24, 32} {
			values = append(values, (1<<32+item-1)/item)
		}
		values = append(values, 1<<24)
	case named("offset", "pointer", "name"):
		values = append(values, 1<<32-4, 1<<32-16, 1<<32-64)
	}
	return values
}

func put(b []byte, v uint64, order binary.ByteOrder) {
	var wide [8]byte
	order.PutUint64(wide[:], v)
	if order == binary.ByteOrder(binary.BigEndian) {
		copy(b, wide[8-len(b):])
		return
	}
	copy(b, wide[:])
}
