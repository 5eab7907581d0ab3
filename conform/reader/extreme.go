package reader

import (
	"bytes"
	"encoding/binary"
	"regexp"
	"slices"
	"strconv"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// sweep is a valid file with fields that get extreme values.
type sweep struct {
	base   []byte
	number uint64 // of the file
	fields []field
}

// sweeps returns the files whose fields are swept: the one with the most kinds of fields first,
// then those with kinds that it lacks, or with fields in entries of another type. Programs use
// the type of an entry, its semantic or its kind, to choose what they do with its other fields; a
// bound that is missing there shows nowhere else.
func sweeps(from gen.Format, seed uint64) (list []sweep) {
	bases := valids(from, seed)
	best := richest(bases)
	list = append(list, best)
	kinds, variants := map[string]int{}, map[string]bool{}
	for _, f := range best.fields {
		kinds[f.kind]++
		variants[f.variant] = true
	}
	for _, x := range bases {
		some := sweep{base: x.base, number: x.number}
		for _, f := range x.fields {
			if f.brief = kinds[f.kind] > 0; variants[f.variant] || kinds[f.kind] >= mostVariants {
				continue
			}
			kinds[f.kind]++
			variants[f.variant] = true
			some.fields = append(some.fields, f)
		}
		if len(some.fields) > 0 {
			list = append(list, some)
		}
	}
	return list
}

// valids returns valid files with all their fields: those that are small enough, or else the first.
func valids(from gen.Format, seed uint64) (list []sweep) {
	format, _ := registry.ByName(from.Name)
	for k := range uint64(maxBases) {
		if b := from.File(gen.From(gen.Seed(seed, k))); len(b) <= largestBase || len(list) == 0 {
			list = append(list, sweep{b, k, fieldsOf(format, b)})
		}
	}
	return list
}

// Limits of the valid files that are tried as bases, and of the entries whose fields are swept.
const (
	maxBases     = 64
	largestBase  = 8192
	mostVariants = 10 // of a field: one in each type of entry
)

// extremes returns files in which one integer has an extreme value: all ones, or the greatest
// signed number; integers of 32 bits and more also get an offset inside a header, and values that
// wrap an offset into the file, an index into its table, and the size of a table to a small
// number. All integers get all values, so that no field is missed. Of fields of one kind the first
// is changed; if there are several, the last also gets the values that wrap to bytes before it.
func (x *sweep) extremes() (list [][]byte) {
	orders := ordersIn(x.base, x.fields)
	for _, f := range x.fields {
		for _, v := range f.values() {
			for _, order := range orders {
				b := bytes.Clone(x.base)
				put(b[f.Off:f.Off+f.Len], v, order)
				if !bytes.Equal(b, x.base) {
					list = append(list, b)
				}
				if v == ^uint64(0) || f.Len == 1 {
					break // the same in both
				}
			}
		}
	}
	return list
}

// richest returns the file with the most kinds of fields, and the fields of each kind.
func richest(bases []sweep) (best sweep) {
	for _, x := range bases {
		if x.fields = kindsOfFields(x.fields); len(x.fields) > len(best.fields) {
			best = x
		}
	}
	return best
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
	kind    string // its path without numbers
	variant string // its kind, and the type of its entry
	last    bool   // the last of several of its kind
	brief   bool   // its kind has all values in another entry
}

// word is a value that names a type, such as "position"; it is neither a number nor a register.
var word = regexp.MustCompile(`^[a-z]{3}[a-z0-9]*$`)

// fieldsOf returns the integers of a file.
func fieldsOf(format registry.Format, b []byte) (fields []field) {
	types := map[string]diag.Region{} // the first word of each entry
	regions := format.Outline(b).Regions
	for _, r := range regions {
		entry, _ := cutLast(r.Path)
		if _, known := types[entry]; !known && r.Kind == diag.FieldRegion && word.MatchString(r.Value) {
			types[entry] = r
		}
	}
	for _, r := range regions {
		if r.Kind != diag.FieldRegion || r.Len > 8 || r.Len == 3 {
			continue
		}
		entry, _ := cutLast(r.Path)
		f := field{Region: r, kind: generic(r.Path)}
		if f.variant = f.kind; types[entry].Path != r.Path {
			f.variant += " " + types[entry].Value
		}
		fields = append(fields, f)
	}
	return fields
}

// kindsOfFields returns the first field of each kind, and the last if there are several.
func kindsOfFields(all []field) (fields []field) {
	last, several := map[string]field{}, map[string]bool{}
	var order []string
	for _, f := range all {
		if _, seen := last[f.kind]; seen {
			several[f.kind] = true
		} else {
			order = append(order, f.kind)
			fields = append(fields, f)
		}
		last[f.kind] = f
	}
	for _, kind := range order {
		if f := last[kind]; several[kind] && f.Len >= wide {
			f.last = true
			fields = append(fields, f)
		}
	}
	return fields
}

// wide is the size of the smallest integer whose arithmetic wraps in a program.
const wide = 4

// insideHeader is an offset that leads into a header, whatever it is counted from.
const insideHeader = 4

// values returns the extreme values of a field.
func (f *field) values() (values []uint64) {
	if f.brief {
		return []uint64{^uint64(0), 1<<(8*f.Len-1) - 1}
	}
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
		values = append(values, 1<<24, insideHeader)
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
