package wire

import (
	"bytes"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
)

// Table declares a table of a file: entries of one type and size, at an Extent that a
// header stores. In the model the entries are a slice, which is a field of the owner,
// a struct of type O. A format lists its tables, so that one loop places, reads,
// compares and writes all of them.
type Table[O any] struct {
	Name   string      // in paths
	Size   uint64      // bytes of one entry
	Fields diag.Struct // fields of one entry; nil for a table of bytes
	Ruled              // the rules about the fields
	Entries[O]
}

// Entries gives access to the slice of table entries in an owner, whatever their type.
type Entries[O any] interface {
	Count(o *O) uint64
	Decode(o *O, b []byte) // reads the table b into the slice
	Encode(o *O, b []byte) // writes the slice to b, which has the size of the table
	Equal(o, p *O) bool
	Share(o, with *O)    // gives o the slice of with
	Shared(o, p *O) bool // reports whether both have one slice; neither may be empty
}

// RecordTable declares a table of records; slice returns the slice of the owner.
func RecordTable[O any, T comparable](name string, r *Record[T], slice func(o *O) *[]T) Table[O] {
	return Table[O]{name, uint64(r.Bytes), r.Struct, r.Ruled,
		entriesOf[O, T]{slice, r.Decode, r.Put, slices.Equal[[]T]}}
}

// ByteTable declares a table of bytes. Decode does not copy them: the slice of the
// owner is a part of the file.
func ByteTable[O any](name string, slice func(o *O) *Hex) Table[O] {
	return Table[O]{name, 1, nil, Ruled{}, entriesOf[O, byte]{
		func(o *O) *[]byte { return (*[]byte)(slice(o)) },
		func(b []byte) []byte { return b },
		func(b, table []byte) { copy(b, table) },
		bytes.Equal,
	}}
}

// Bytes returns the size of the table in bytes.
func (t Table[O]) Bytes(x Extent) uint64 { return uint64(x.Count) * t.Size }

// EmptyOffsets checks the offsets of empty tables. Writers that lay out tables in order give
// an empty table the end of the last table before it that has entries, or start if none
// has. EmptyOffsets calls odd with the index of each empty table whose offset differs from
// this expected one.
func EmptyOffsets[O any](tables []Table[O], extents []Extent, start uint64, odd func(k int, expected uint64)) {
	expected := start
	for k, x := range extents {
		switch {
		case x.Count > 0:
			expected = uint64(x.Offset) + tables[k].Bytes(x)
		case uint64(x.Offset) != expected:
			odd(k, expected)
		}
	}
}

// EqualTables reports whether all tables of two owners are equal.
func EqualTables[O any](tables []Table[O], o, p *O) bool {
	return !slices.ContainsFunc(tables, func(t Table[O]) bool { return !t.Equal(o, p) })
}

// entriesOf implements Entries for entries of type T.
type entriesOf[O any, T comparable] struct {
	slice func(o *O) *[]T
	get   func(b []byte) []T
	put   func(b []byte, table []T)
	equal func(a, b []T) bool
}

func (e entriesOf[O, T]) Count(o *O) uint64     { return uint64(len(*e.slice(o))) }
func (e entriesOf[O, T]) Decode(o *O, b []byte) { *e.slice(o) = e.get(b) }
func (e entriesOf[O, T]) Encode(o *O, b []byte) { e.put(b, *e.slice(o)) }
func (e entriesOf[O, T]) Equal(o, p *O) bool    { return e.equal(*e.slice(o), *e.slice(p)) }
func (e entriesOf[O, T]) Share(o, with *O)      { *e.slice(o) = *e.slice(with) }
func (e entriesOf[O, T]) Shared(o, p *O) bool   { return &(*e.slice(o))[0] == &(*e.slice(p))[0] }
