package reader

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strconv"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// extremes returns files in which one integer has an extreme value: all ones, or the greatest
// signed number; integers of 32 bits and more also get values that wrap an offset into the file,
// an index into its table, and the size of a table to a small number. All integers get all
// values, so that no field is missed. Of fields of one kind the first is changed; if there are
// several, the last also gets the values that wrap to bytes before it. The base is the valid
// file with the most kinds. Further files have a string without its end.
func extremes(from gen.Format, seed uint64) (list [][]byte) {
	best, fields := richest(from, seed)
	orders := ordersIn(best, fields)
	for _, f := range fields {
		for _, v := range f.values() {
			for _, order := range orders {
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

// richest returns the valid file with the most kinds of fields, and the fields of each kind.
func richest(from gen.Format, seed uint64) (best []byte, fields []field) {
	format, _ := registry.ByName(from.Name)
	const tries, largest = 24, 8192
	for k := range uint64(tries) {
		b := from.File(gen.From(gen.Seed(seed, k)))
		found := kindsOfFields(format, b)
		if len(fields) == 0 || len(b) <= max(largest, len(best)) && len(found) > len(fields) {
			best, fields = b, found
		}
	}
	return best, fields
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

// field is an integer of a file.
type field struct {
	diag.Region
	last bool // the last of several of its kind
}

// kindsOfFields returns the first field of each kind, and the last if there are several.
func kindsOfFields(format registry.Format, b []byte) (fields []field) {
	last, several := map[string]diag.Region{}, map[string]bool{}
	var order []string
	for _, r := range format.Outline(b).Regions {
		if r.Kind != diag.FieldRegion || r.Len > 8 || r.Len == 3 {
			continue
		}
		name := generic(r.Path)
		if _, seen := last[name]; seen {
			several[name] = true
		} else {
			order = append(order, name)
			fields = append(fields, field{r, false})
		}
		last[name] = r
	}
	for _, name := range order {
		if r := last[name]; several[name] && r.Len >= wide {
			fields = append(fields, field{r, true})
		}
	}
	return fields
}

// wide is the size of the smallest integer whose arithmetic wraps in a program.
const wide = 4

// values returns the extreme values of a field.
func (f *field) values() (values []uint64) {
	if f.Len >= wide {
		for _, before := range []uint64{2, 4, 16, 64} {
			values = append(values, 1<<32-before)
		}
	}
	if f.last {
		return values
	}
	values = append(values, ^uint64(0), 1<<(8*f.Len-1)-1)
	if f.Len >= wide {
		for _, item := range []uint64{2, 4, 8, 12, 16, 20, 24, 32} {
			values = append(values, (1<<32+item-1)/item)
		}
		values = append(values, 1<<24)
	}
	return values
}

// ordersIn returns the byte orders of a file's integers, as far as their values show them; both
// if they do not.
func ordersIn(b []byte, fields []field) []binary.ByteOrder {
	orders := []binary.ByteOrder{binary.LittleEndian, binary.BigEndian}
	told := slices.DeleteFunc(slices.Clone(orders), func(order binary.ByteOrder) bool {
		return !slices.ContainsFunc(fields, func(f field) bool {
			n, err := strconv.ParseUint(f.Value, 0, 64)
			is := b[f.Off : f.Off+f.Len]
			reversed := slices.Clone(is)
			slices.Reverse(reversed)
			got := make([]byte, f.Len)
			put(got, n, order)
			return err == nil && bytes.Equal(got, is) && !bytes.Equal(is, reversed)
		})
	})
	if len(told) == 0 {
		return orders
	}
	return told
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
