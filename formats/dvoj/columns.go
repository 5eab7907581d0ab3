package dvoj

import (
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
)

// The tables, in header order.
const (
	constants = iota
	labels
	code
	descriptors
	lines
	relocations
	outputs
	uniforms
	symbols

	numTables
)

// column is a table of a file: its name in paths, the size and the fields of
// its entries, and what all tables have in common.
type column struct {
	name   string
	size   uint64
	fields diag.Struct
	table
}

type table interface {
	count(f *File) uint64
	decode(f *File, b []byte)
	encode(f *File, b []byte)
	equal(f, g *File) bool
}

var columns = [numTables]column{
	constants:   records("constants", shbin.ConstantFields, shbin.ConstantRecord, func(f *File) *[]shbin.Constant { return &f.Constants }),
	labels:      records("labels", shbin.LabelFields, shbin.LabelRecord, func(f *File) *[]shbin.Label { return &f.Labels }),
	code:        records("code", shbin.WordFields, shbin.WordRecord, func(f *File) *[]uint32 { return &f.Code }),
	descriptors: records("descriptors", shbin.DescriptorFields, shbin.DescriptorRecord, func(f *File) *[]shbin.Descriptor { return &f.Descriptors }),
	lines:       records("lines", shbin.LineFields, shbin.LineRecord, func(f *File) *[]shbin.Line { return &f.Lines }),
	relocations: records("relocations", relocationFields, relocationRecord, func(f *File) *[]Relocation { return &f.Relocations }),
	outputs:     records("outputs", shbin.OutputFields, shbin.OutputRecord, func(f *File) *[]shbin.Output { return &f.Outputs }),
	uniforms:    records("uniforms", shbin.UniformFields, shbin.UniformRecord, func(f *File) *[]shbin.Uniform { return &f.Uniforms }),
	symbols: {name: "symbols", size: 1, table: tableOf[byte]{
		func(f *File) *[]byte { return (*[]byte)(&f.Symbols) },
		func(b []byte) []byte { return b },
		func(b, table []byte) { copy(b, table) },
	}},
}

// tableOf is a table whose entries have type T.
type tableOf[T comparable] struct {
	slice func(f *File) *[]T
	get   func(b []byte) []T
	put   func(b []byte, table []T)
}

func records[T comparable](name string, fields diag.Struct, r wire.Record[T], slice func(f *File) *[]T) column {
	return column{name, uint64(r.Size), fields, tableOf[T]{slice, r.Decode, r.Encode}}
}

func (t tableOf[T]) count(f *File) uint64     { return uint64(len(*t.slice(f))) }
func (t tableOf[T]) decode(f *File, b []byte) { *t.slice(f) = t.get(b) }
func (t tableOf[T]) encode(f *File, b []byte) { t.put(b, *t.slice(f)) }
func (t tableOf[T]) equal(f, g *File) bool    { return slices.Equal(*t.slice(f), *t.slice(g)) }

// bytes returns the size of table k with a number of entries.
func bytesOf(k int, x shbin.Extent) uint64 { return uint64(x.Count) * columns[k].size }
