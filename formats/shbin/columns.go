package shbin

import (
	"slices"

	"github.com/picaproof/picaproof/formats/wire"
)

// column is what all tables of an owner, a DVLP or the Tables of a DVLE, have
// in common.
type column[O any] interface {
	count(o *O) uint64
	decode(o *O, b []byte)
	encode(o *O, b []byte)
	equal(o, p *O) bool
	share(o, with *O)      // makes both one slice
	isShared(o, p *O) bool // reports whether both, which have entries, are
}

// The tables in the order of the headers, from codeSection and from firstTable.
var (
	programColumns = [...]column[DVLP]{
		records(func(p *DVLP) *[]uint32 { return &p.Code }, WordRecord),
		records(func(p *DVLP) *[]Descriptor { return &p.Descriptors }, DescriptorRecord),
		records(func(p *DVLP) *[]Line { return &p.Lines }, LineRecord),
		bytesOf(func(p *DVLP) *wire.Hex { return &p.FileNames }),
	}
	tableColumns = [numTables]column[Tables]{
		records(func(t *Tables) *[]Constant { return &t.Constants }, ConstantRecord),
		records(func(t *Tables) *[]Label { return &t.Labels }, LabelRecord),
		records(func(t *Tables) *[]Output { return &t.Outputs }, OutputRecord),
		records(func(t *Tables) *[]Uniform { return &t.Uniforms }, UniformRecord),
		bytesOf(func(t *Tables) *wire.Hex { return &t.Symbols }),
	}
)

// columnOf is the column whose entries have type T.
type columnOf[O any, T comparable] struct {
	slice func(o *O) *[]T
	get   func(b []byte) []T
	put   func(b []byte, table []T)
}

func records[O any, T comparable](slice func(o *O) *[]T, r wire.Record[T]) column[O] {
	return columnOf[O, T]{slice, r.Decode, r.Encode}
}

// bytesOf is a column of bytes that stay where they are.
func bytesOf[O any](slice func(o *O) *wire.Hex) column[O] {
	return columnOf[O, byte]{
		func(o *O) *[]byte { return (*[]byte)(slice(o)) },
		func(b []byte) []byte { return b },
		func(b, table []byte) { copy(b, table) },
	}
}

func (c columnOf[O, T]) count(o *O) uint64     { return uint64(len(*c.slice(o))) }
func (c columnOf[O, T]) decode(o *O, b []byte) { *c.slice(o) = c.get(b) }
func (c columnOf[O, T]) encode(o *O, b []byte) { c.put(b, *c.slice(o)) }
func (c columnOf[O, T]) equal(o, p *O) bool    { return slices.Equal(*c.slice(o), *c.slice(p)) }
func (c columnOf[O, T]) share(o, with *O)      { *c.slice(o) = *c.slice(with) }
func (c columnOf[O, T]) isShared(o, p *O) bool { return &(*c.slice(o))[0] == &(*c.slice(p))[0] }
