package wire

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
)

// Record declares a structure of fixed size as a list of its fields, in file
// order and without gaps. Get and Put, the places of findings, the regions of a
// file and the table in doc.go all use this list. T is the Go type of one record.
type Record[T any] struct {
	diag.Struct        // names, sizes and printers of the fields
	Ruled              // the rules about one field
	Title       string // heading of the table in doc.go
	Bytes       int    // size of one record

	fields []Field[T]
	reads  []placed[T] // of Get
	writes []placed[T] // of Put
	big    bool        // big endian
	other  *Record[T]  // in the other byte order
}

// placed is an operation at offset off of the record.
type placed[T any] struct {
	off int
	op  op[T]
}

// NewRecord declares a little-endian record.
func NewRecord[T any](title string, fields ...Field[T]) *Record[T] {
	r := &Record[T]{Title: title, fields: fields}
	grouped := 0 // index after the fields of the last group
	for i, f := range fields {
		r.Struct = append(r.Struct, diag.Field{
			Name: f.Name, Size: f.Size, Show: f.Show, Kind: f.Kind, Text: f.text, Table: f.Table,
		})
		get, put := f.get, f.put
		switch {
		case i < grouped:
			get, put = nil, nil
		case f.group != nil && i+f.group.fields <= len(fields): // First may cut a group
			get, put, grouped = f.group.get, f.group.put, i+f.group.fields
		}
		if get != nil {
			r.reads = append(r.reads, placed[T]{r.Bytes, get})
		}
		if put != nil {
			r.writes = append(r.writes, placed[T]{r.Bytes, put})
		}
		r.Bytes += f.Size
	}
	r.stride = uint64(r.Bytes)
	for _, f := range fields {
		r.declare(r.Struct, f.Name, f.rules)
	}
	other := *r
	other.big, other.other = true, r
	r.other = &other
	return r
}

// In returns the record in a byte order.
func (r *Record[T]) In(order binary.ByteOrder) *Record[T] {
	if (order == binary.BigEndian) != r.big {
		return r.other
	}
	return r
}

// First returns a little-endian record of the first n fields, without rules.
func (r *Record[T]) First(n int) *Record[T] {
	fields := slices.Clone(r.fields[:n])
	for i := range fields {
		fields[i].rules = nil
	}
	return NewRecord(r.Title, fields...)
}

// Offset returns the offset of a field from the start of the record. It panics
// when the record has no such field.
func (r *Record[T]) Offset(field string) uint64 { return r.At(0, diag.Path{Field: field}).Off }

// Get reads len(table) records from the start of b into table. It panics when b
// is shorter than they are.
func (r *Record[T]) Get(b []byte, table []T) {
	b = b[:len(table)*r.Bytes]
	if len(b) == 0 {
		return
	}
	for _, f := range r.reads {
		f.op(b[f.off:], r.Bytes, r.big, table)
	}
}

// Put writes the records of table to the start of b. It does not touch the bytes
// of Unread fields. It panics when b is shorter than the records.
func (r *Record[T]) Put(b []byte, table []T) {
	b = b[:len(table)*r.Bytes]
	if len(b) == 0 {
		return
	}
	for _, f := range r.writes {
		f.op(b[f.off:], r.Bytes, r.big, table)
	}
}

// Decode reads all records of b, and returns nil when b is empty.
func (r *Record[T]) Decode(b []byte) []T {
	n := len(b) / r.Bytes
	if n == 0 {
		return nil
	}
	table := make([]T, n)
	r.Get(b, table)
	return table
}

// Append appends the records of table to b.
func (r *Record[T]) Append(b []byte, table ...T) []byte {
	start := len(b)
	b = append(b, make([]byte, len(table)*r.Bytes)...)
	r.Put(b[start:], table)
	return b
}

// Equal reports whether two values agree in all fields that Get reads.
func (r *Record[T]) Equal(v, w *T) bool {
	for i := range r.fields {
		if f := &r.fields[i]; f.equal != nil && !f.equal(v, w) {
			return false
		}
	}
	return true
}

// Doc returns the table of the fields for doc.go. Its columns are the offset, the
// name, the type and the Doc text of each field.
func (r *Record[T]) Doc() string {
	var names, types int
	for _, f := range r.fields {
		if f.array >= 0 {
			names, types = max(names, len(f.docName())), max(types, len(f.typeName()))
		}
	}
	var s strings.Builder
	fmt.Fprintf(&s, "%s:\n\n", r.Title)
	off, digits := 0, 2
	if r.Bytes > 0x100 {
		digits = 3
	}
	for _, f := range r.fields {
		if f.array >= 0 {
			line := fmt.Sprintf("0x%0*X  %-*s  %-*s  %s", digits, off, names, f.docName(), types, f.typeName(), f.Doc)
			fmt.Fprintf(&s, "\t%s\n", strings.TrimRight(line, " "))
		}
		off += f.Size
	}
	return s.String()
}

// docName returns the name in doc.go. The name of an array is the name of its first element
// without the index.
func (f *Field[T]) docName() string {
	if f.array == 0 {
		return f.Name
	}
	return strings.TrimSuffix(f.Name, "_0")
}

// typeName returns the integer type, such as u16 or s32, with the length of an
// array, or the number of bytes.
func (f *Field[T]) typeName() string {
	if f.isInteger() {
		sign := 'u'
		if f.signed {
			sign = 's'
		}
		name := fmt.Sprintf("%c%d", sign, 8*f.Size)
		if f.array > 0 {
			name += fmt.Sprintf("[%d]", f.array)
		}
		return name
	}
	return fmt.Sprintf("%d bytes", f.Size)
}

// Column is a field, or an array of fields, as another tool declares it.
type Column struct {
	Name   string // empty for the only field of a record
	Size   int    // bytes of one element
	Count  int    // of the elements of an array; 0 if the field is none
	Kind   ColumnKind
	Doc    string
	Always []byte // what the field always holds; nil if that may be anything
}

// ColumnKind is the type of a column.
type ColumnKind uint8

// The kinds.
const (
	Bytes ColumnKind = iota
	Characters
	Unsigned
	Signed
)

// Heading returns the title of the record.
func (r *Record[T]) Heading() string { return r.Title }

// Columns returns the fields in their order, without gaps between them.
func (r *Record[T]) Columns() (list []Column) {
	for _, f := range r.fields {
		c := Column{Name: f.docName(), Size: f.Size, Count: f.array, Kind: Bytes, Doc: f.Doc}
		switch {
		case f.array < 0:
			continue // a further element
		case f.text:
			c.Kind = Characters
			if text, err := strconv.Unquote(f.Doc); err == nil {
				c.Always = []byte(text)
			}
		case f.isInteger() && f.signed:
			c.Kind = Signed
		case f.isInteger():
			c.Kind = Unsigned
		}
		list = append(list, c)
	}
	return list
}

// isInteger reports whether the field is an integer. Only integers have a byte
// order.
func (f *Field[T]) isInteger() bool {
	return f.Kind == diag.FieldRegion && !f.text && f.Size&(f.Size-1) == 0 && f.Size <= 8
}

// Documented is a Record of any type T, for the generators of doc.go, of files that
// break a rule, and of descriptions for other tools.
type Documented interface {
	Doc() string
	Heading() string
	Columns() []Column
	Fields() diag.Struct
	// FieldRules lists the rules about one field of the record.
	FieldRules() []FieldRule
}
