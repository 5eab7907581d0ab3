package wire

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
)

// Field declares one field of a record for reading, writing, findings, dumps and
// documentation. T is the Go type of one record. The constructors:
//
//	            read  written
//	Uint, Word  yes   yes      an integer of T (Pair: two of them)
//	Raw         yes   yes      bytes of T
//	Magic       no    yes      a constant
//	Derived     no    yes      computed from T
//	Unread      no    no       only in regions and documentation
type Field[T any] struct {
	Name string              // in paths; empty for the only field of a record
	Size int                 // bytes
	Doc  string              // values, unit, source: the last column of the table in doc.go
	Kind diag.RegionKind     // of its regions: field or opaque bytes
	Show func(uint64) string // prints the integer; nil means decimal

	Table string // in paths, if the field is the only one of a record: its table

	text   bool // characters, not an integer
	signed bool
	place  bool // the integer is the offset of a table
	rules  fieldRules
	get    op[T]              // nil unless the field is read
	put    op[T]              // nil unless the field is written
	equal  func(v, w *T) bool // nil unless the field is read

	group *group[T] // nil unless this is the first field of a group
	array int       // of the first element of an array: its length; of the others: -1
}

// group reads and writes neighbouring fields with one operation: fewer calls of
// accessor functions, which take most of the time for a large table.
type group[T any] struct {
	fields   int
	get, put op[T]
}

// op reads or writes one field of all records of a table, so that a table costs
// one call for each field. b starts with the field of the first record; the same
// field of the next record is stride bytes farther. big is the byte order.
type op[T any] func(b []byte, stride int, big bool, table []T)

// Int lists the integer types of the fields of T.
type Int interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64 | ~int8 | ~int16 | ~int32 | ~int64
}

// Uint declares an integer field. at returns the field of T, whose type gives the
// size. If the type has a String method, that prints the value.
func Uint[T any, V Int](name string, at func(*T) *V, doc string) Field[T] {
	f := Field[T]{Name: name, Size: sizeOf[V](), Doc: doc, Show: stringPrinter[V](), signed: isSigned[V]()}
	f.equal = func(v, w *T) bool { return *at(v) == *at(w) }
	switch f.Size {
	case 1:
		f.get = func(b []byte, stride int, _ bool, table []T) {
			for i := range table {
				*at(&table[i]) = V(b[i*stride])
			}
		}
		f.put = func(b []byte, stride int, _ bool, table []T) {
			for i := range table {
				b[i*stride] = byte(*at(&table[i]))
			}
		}
	case 2:
		f.get = func(b []byte, stride int, big bool, table []T) {
			for i := range table {
				*at(&table[i]) = V(u16(b[i*stride:], big))
			}
		}
		f.put = func(b []byte, stride int, big bool, table []T) {
			for i := range table {
				put16(b[i*stride:], big, uint16(*at(&table[i])))
			}
		}
	case 4:
		f.get = func(b []byte, stride int, big bool, table []T) {
			for i := range table {
				*at(&table[i]) = V(u32(b[i*stride:], big))
			}
		}
		f.put = func(b []byte, stride int, big bool, table []T) {
			for i := range table {
				put32(b[i*stride:], big, uint32(*at(&table[i])))
			}
		}
	default:
		f.get = func(b []byte, stride int, big bool, table []T) {
			for i := range table {
				*at(&table[i]) = V(u64(b[i*stride:], big))
			}
		}
		f.put = func(b []byte, stride int, big bool, table []T) {
			for i := range table {
				put64(b[i*stride:], big, uint64(*at(&table[i])))
			}
		}
	}
	return f
}

// Word declares the field of a record that consists of one 32-bit integer.
func Word[V ~uint32 | ~int32](doc string) Field[V] {
	return Field[V]{
		Size: 4, Doc: doc, signed: isSigned[V](),
		get:   func(b []byte, _ int, big bool, table []V) { getWords(b, big, table) },
		put:   func(b []byte, _ int, big bool, table []V) { putWords(b, big, table) },
		equal: func(v, w *V) bool { return *v == *w },
	}
}

// Words declares consecutive 32-bit words. fields are Unread fields that give the
// names, texts, printers and rules; at returns the words of T, one for each.
func Words[T any](at func(*T) []uint32, fields ...Field[T]) []Field[T] {
	list := slices.Clone(fields)
	for k, f := range fields {
		list[k] = Uint(f.Name, func(v *T) *uint32 { return &at(v)[k] }, f.Doc).like(f)
	}
	list[0].group = &group[T]{
		fields: len(list),
		get: func(b []byte, stride int, big bool, table []T) {
			for i := range table {
				getWords(b[i*stride:], big, at(&table[i])[:len(list)])
			}
		},
		put: func(b []byte, stride int, big bool, table []T) {
			for i := range table {
				putWords(b[i*stride:], big, at(&table[i])[:len(list)])
			}
		},
	}
	return list
}

// Raw declares a field of size bytes that T keeps unchanged. at returns the slice
// of T, which has size bytes.
func Raw[T any](name string, size int, at func(*T) []byte, doc string) Field[T] {
	return Field[T]{
		Name: name, Size: size, Doc: doc, Kind: diag.OpaqueRegion,
		get: func(b []byte, stride int, _ bool, table []T) {
			for i := range table {
				copy(at(&table[i]), b[i*stride:][:size])
			}
		},
		put: func(b []byte, stride int, _ bool, table []T) {
			for i := range table {
				copy(b[i*stride:][:size], at(&table[i]))
			}
		},
		equal: func(v, w *T) bool { return bytes.Equal(at(v), at(w)) },
	}
}

// Magic declares a field that always holds the characters of text. Get does not
// compare them: the walk checks the magic before it reads the record. rule, if there is
// one, is broken by other characters; it is set apart and ends the check.
func Magic[T any](text string, rule ...string) Field[T] {
	f := Field[T]{
		Name: "magic", Size: len(text), Doc: strconv.Quote(text), text: true,
		put: func(b []byte, stride int, _ bool, table []T) {
			for i := range table {
				copy(b[i*stride:], text)
			}
		},
	}
	for _, id := range rule {
		f.rules = magicRule(text, id)
	}
	return f
}

// magicRule is the rule that a magic has the characters of text.
func magicRule(text, id string) fieldRules {
	c := Is(LE([]byte(text)).Uint(0, len(text)))
	c.Expected = diag.Text(strconv.Quote(text))
	return fieldRules{{Constraint: c, id: id, apart: true, ends: true, found: func(n uint64) diag.Value {
		return diag.Quoted(binary.LittleEndian.AppendUint64(nil, n)[:len(text)])
	}}}
}

// Derived declares an integer field of 1, 2, 4 or 8 bytes that value computes from T
// when the record is written. Get does not read it.
func Derived[T any](name string, size int, value func(*T) uint64, doc string) Field[T] {
	return Field[T]{
		Name: name, Size: size, Doc: doc,
		put: func(b []byte, stride int, big bool, table []T) {
			for i := range table {
				putUint(b[i*stride:], size, big, value(&table[i]))
			}
		},
	}
}

// Extents declares the offset field and the count field of a table, such as "code.offset" and "code.count". at
// returns their place in T, offsetDoc is the text of the offset in doc.go.
func Extents[T any](at func(*T) *Extent, offsetDoc string, count Field[T], rules PlaceRules) []Field[T] {
	table, _, _ := strings.Cut(count.Name, ".")
	offset := Unread[T](table+".offset", 4, offsetDoc).Hex()
	offset.place, offset.rules = true, rules.of(count.Name)
	return Pair(func(v *T) (*uint32, *uint32) { x := at(v); return &x.Offset, &x.Count }, offset, count)
}

// PlaceRules names the rules about the place of a table that is not empty.
type PlaceRules struct {
	Misaligned string // the offset is not a multiple of 4; "" for a table that can be anywhere
	Outside    string // the table is not inside the file, or starts before First
	First      uint64 // the smallest offset
	Entry      uint64 // bytes of an entry
	Empty      bool   // an empty table has these rules, too
}

// of returns the rules about the offset of a table whose field with the number of entries has a name.
func (p PlaceRules) of(count string) (rules fieldRules) {
	var when []Condition
	if !p.Empty {
		when = []Condition{If(count, NotZero())}
	}
	if p.Misaligned != "" {
		rules = rules.must(p.Misaligned, MultipleOf(4), diag.Hex, when...)
	}
	if p.First > 0 {
		rules = rules.must(p.Outside, From(p.First), diag.Hex, when...)
	}
	if p.Outside != "" {
		rules = rules.must(p.Outside, Inside(count, p.Entry), diag.Hex, when...)
	}
	return rules
}

// AllExtents joins the Extents of consecutive tables into one group. at returns
// the extents of T in the same order.
func AllExtents[T any](at func(*T) []Extent, tables ...[]Field[T]) []Field[T] {
	list := slices.Concat(tables...)
	list[0].group = &group[T]{
		fields: len(list),
		get: func(b []byte, stride int, big bool, table []T) {
			for i := range table {
				extents, row := at(&table[i])[:len(tables)], b[i*stride:]
				for k := range extents {
					extents[k] = Extent{Offset: u32(row[8*k:], big), Count: u32(row[8*k+4:], big)}
				}
			}
		},
		put: func(b []byte, stride int, big bool, table []T) {
			for i := range table {
				extents, row := at(&table[i])[:len(tables)], b[i*stride:]
				for k, x := range extents {
					put32(row[8*k:], big, x.Offset)
					put32(row[8*k+4:], big, x.Count)
				}
			}
		},
	}
	return list
}

// Unread declares a field without a place in T: it is neither read nor written, and
// appears in findings, regions and documentation only. Pair and Words take Unread
// fields for their names, sizes, texts, printers and rules, and add the places in T.
func Unread[T any](name string, size int, doc string) Field[T] {
	return Field[T]{Name: name, Size: size, Doc: doc}
}

// Array declares n consecutive fields that are like element: name_0, name_1 and so
// on. The table in doc.go has one row for all of them.
func Array[T any](n int, element Field[T]) []Field[T] {
	list := slices.Repeat([]Field[T]{element}, n)
	for i := range list {
		list[i].Name, list[i].array = fmt.Sprintf("%s_%d", element.Name, i), -1
	}
	list[0].array = n
	return list
}

// In returns the field with its Table, for a record that has no other field.
func (f Field[T]) In(table string) Field[T] {
	f.Table = table
	return f
}

// As returns the field with show as the printer of its integer.
func (f Field[T]) As(show func(uint64) string) Field[T] {
	f.Show = show
	return f
}

// Hex returns the field printed in hexadecimal, in its full width.
func (f Field[T]) Hex() Field[T] {
	format := fmt.Sprintf("0x%%0%dx", 2*f.Size)
	return f.As(func(n uint64) string { return fmt.Sprintf(format, n) })
}

// Opaque returns the field as bytes without interpretation, which are printed in
// hexadecimal.
func (f Field[T]) Opaque() Field[T] {
	f.Kind, f.Show = diag.OpaqueRegion, nil
	return f
}

// like returns the field with the printer, the rules and the array of another field.
// It panics when the sizes differ.
func (f Field[T]) like(o Field[T]) Field[T] {
	if f.Size != o.Size {
		panic(fmt.Sprintf("field %s has %d bytes in the record and %d in the model", o.Name, o.Size, f.Size))
	}
	if o.Show != nil {
		f.Show = o.Show
	}
	f.rules, f.array, f.place = o.rules, o.array, o.place
	return f
}

// ShowHex prints an integer in hexadecimal without leading zeros.
func ShowHex(n uint64) string { return fmt.Sprintf("0x%x", n) }

// ShowFlags returns a function that prints a set of flags with their names, the name of bit 0 first, and with the bits
// that have no name: "0x61: cached, 0x60 in no field". show prints the number alone.
func ShowFlags(show func(uint64) string, names ...string) func(uint64) string {
	return func(n uint64) string {
		var parts []string
		rest := n
		for bit, name := range names {
			if flag := uint64(1) << bit; n&flag != 0 && name != "" {
				parts = append(parts, name)
				rest &^= flag
			}
		}
		if rest != 0 {
			parts = append(parts, fmt.Sprintf("0x%x in no field", rest))
		}
		if len(parts) == 0 {
			return show(n)
		}
		return show(n) + ": " + strings.Join(parts, ", ")
	}
}

// ShowDec prints an integer in decimal.
func ShowDec(n uint64) string { return strconv.FormatUint(n, 10) }

// ShowSigned prints a signed integer of 32 bits.
func ShowSigned(n uint64) string { return strconv.Itoa(int(int32(n))) }

// sizeOf returns the size of an integer type in bytes.
func sizeOf[V Int]() int {
	bits := 0
	for v := V(1); v != 0; v <<= 1 {
		bits++
	}
	return bits / 8
}

// isSigned reports whether an integer type has negative values.
func isSigned[V Int]() bool { return V(0)-1 < 0 }

// stringPrinter returns a printer that calls the String method of the type, or
// nil when it has none.
func stringPrinter[V Int]() func(uint64) string {
	if _, ok := any(V(0)).(fmt.Stringer); !ok {
		return nil
	}
	return func(n uint64) string { return any(V(n)).(fmt.Stringer).String() }
}
