package gx2

import (
	"encoding/binary"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// table is one of the tables that a structure refers to by count and pointer.
type table uint8

// The tables in the order of every structure.
const (
	blockTable table = iota
	uniformTable
	initialTable
	loopTable
	samplerTable
	attributeTable
	numTables
)

// tables declares the records of each table. In little-endian archives the
// console's loader swaps the bytes of all but loop variables. Records that begin
// with a pointer to a name have one.
var tables = [numTables]tableKind{
	blockTable: declare("blocks", func(s *Shader) *[]UniformBlock { return &s.Blocks },
		func(v *UniformBlock) *wire.Text { return &v.Name },
		word("location", func(v *UniformBlock) *uint32 { return &v.Location }),
		word("size", func(v *UniformBlock) *uint32 { return &v.Size }),
	).locations("location", 16),
	uniformTable: declare("uniforms", func(s *Shader) *[]UniformVar { return &s.Uniforms },
		func(v *UniformVar) *wire.Text { return &v.Name },
		word("type", func(v *UniformVar) *VarType { return &v.Type }).as(show[VarType]),
		word("count", func(v *UniformVar) *uint32 { return &v.Count }),
		word("offset", func(v *UniformVar) *uint32 { return &v.Offset }),
		word("block", func(v *UniformVar) *int32 { return &v.Block }).as(wire.ShowSigned),
	).types(known[VarType]),
	initialTable: declare("initial_values", func(s *Shader) *[]InitialValue { return &s.InitialValues }, nil,
		word("x", func(v *InitialValue) *uint32 { return &v.X }).as(hexWord),
		word("y", func(v *InitialValue) *uint32 { return &v.Y }).as(hexWord),
		word("z", func(v *InitialValue) *uint32 { return &v.Z }).as(hexWord),
		word("w", func(v *InitialValue) *uint32 { return &v.W }).as(hexWord),
		word("offset", func(v *InitialValue) *uint32 { return &v.Offset }),
	),
	loopTable: declare("loops", func(s *Shader) *[]LoopVar { return &s.Loops }, nil,
		loopWord("offset", 0), loopWord("value", 4),
	).unswapped(),
	samplerTable: declare("samplers", func(s *Shader) *[]SamplerVar { return &s.Samplers },
		func(v *SamplerVar) *wire.Text { return &v.Name },
		word("type", func(v *SamplerVar) *SamplerType { return &v.Type }).as(show[SamplerType]),
		word("location", func(v *SamplerVar) *uint32 { return &v.Location }),
	).types(known[SamplerType]).locations("location", 18),
	attributeTable: declare("attributes", func(s *Shader) *[]AttribVar { return &s.Attributes },
		func(v *AttribVar) *wire.Text { return &v.Name },
		word("type", func(v *AttribVar) *VarType { return &v.Type }).as(show[VarType]),
		word("count", func(v *AttribVar) *uint32 { return &v.Count }),
		word("location", func(v *AttribVar) *uint32 { return &v.Location }),
	).types(known[VarType]).locations("location", 32),
}

// tableKind is one table: its name in paths, its records, and how a shader keeps
// them.
type tableKind struct {
	name    string
	size    uint64 // of a record
	swapped bool
	named   bool
	fields  diag.Struct
	column

	knownType    func(uint32) bool // of a field "type", nil without
	location     uint64            // offset of a field "location"
	maxLocations uint32            // that is below this, 0 without
}

// column is what tables of all record types have in common.
type column interface {
	count(s *Shader) uint64
	names(s *Shader, yield func(wire.Text) bool) bool
	// decode reads the records in b. name is called for each that has one.
	decode(s *Shader, b []byte, order binary.ByteOrder, name func() wire.Text)
	// encode writes the records but for their pointers to names.
	encode(s *Shader, b []byte, order binary.ByteOrder)
	equal(s, o *Shader) bool
}

// columnOf is the column of records of type T, which slice finds in a shader.
type columnOf[T comparable] struct {
	slice func(*Shader) *[]T
	name  func(*T) *wire.Text // nil for records without
	words []field[T]
	size  int
}

// field is a word of a record.
type field[T any] struct {
	diag.Field
	get func(b []byte, order binary.ByteOrder, v *T)
	put func(b []byte, order binary.ByteOrder, v *T)
}

// word is a field of which at returns the value.
func word[T any, V ~uint32 | ~int32](name string, at func(*T) *V) field[T] {
	return field[T]{
		diag.Field{Name: name, Size: 4},
		func(b []byte, order binary.ByteOrder, v *T) { *at(v) = V(order.Uint32(b)) },
		func(b []byte, order binary.ByteOrder, v *T) { order.PutUint32(b, uint32(*at(v))) },
	}
}

func (f field[T]) as(show func(uint64) string) field[T] {
	f.Show = show
	return f
}

// loopWord is four bytes of a loop variable, which are kept as they stand.
func loopWord(name string, off int) field[LoopVar] {
	return field[LoopVar]{
		diag.Field{Name: name, Size: 4, Kind: diag.OpaqueRegion},
		func(b []byte, _ binary.ByteOrder, v *LoopVar) { copy(v[off:off+4], b) },
		func(b []byte, _ binary.ByteOrder, v *LoopVar) { copy(b, v[off:off+4]) },
	}
}

// declare makes a table of the words of its records, which a pointer to the name
// comes before if there is one.
func declare[T comparable](title string, slice func(*Shader) *[]T, name func(*T) *wire.Text, words ...field[T]) tableKind {
	k := tableKind{name: title, swapped: true, named: name != nil}
	if k.named {
		k.fields = append(k.fields, diag.Field{Name: "name", Size: 4, Show: hexWord})
	}
	for _, w := range words {
		k.fields = append(k.fields, w.Field)
	}
	k.size = k.fields.Size()
	k.column = columnOf[T]{slice, name, words, int(k.size)}
	return k
}

func (k tableKind) types(known func(uint32) bool) tableKind {
	k.knownType = known
	return k
}

func (k tableKind) locations(field string, n uint32) tableKind {
	k.location, k.maxLocations = k.fields.At(0, diag.Path{Field: field}).Off, n
	return k
}

func (k tableKind) unswapped() tableKind {
	k.swapped = false
	return k
}

func (c columnOf[T]) count(s *Shader) uint64 { return uint64(len(*c.slice(s))) }

func (c columnOf[T]) names(s *Shader, yield func(wire.Text) bool) bool {
	if c.name == nil {
		return true
	}
	list := *c.slice(s)
	for i := range list {
		if !yield(*c.name(&list[i])) {
			return false
		}
	}
	return true
}

func (c columnOf[T]) decode(s *Shader, b []byte, order binary.ByteOrder, name func() wire.Text) {
	list := make([]T, len(b)/c.size)
	for i := range list {
		v, at := &list[i], b[c.size*i:]
		if c.name != nil {
			*c.name(v) = name()
			at = at[4:]
		}
		for k := range c.words {
			c.words[k].get(at[4*k:], order, v)
		}
	}
	*c.slice(s) = list
}

func (c columnOf[T]) encode(s *Shader, b []byte, order binary.ByteOrder) {
	list := *c.slice(s)
	for i := range list {
		at := b[c.size*i:]
		if c.name != nil {
			at = at[4:]
		}
		for k := range c.words {
			c.words[k].put(at[4*k:], order, &list[i])
		}
	}
}

func (c columnOf[T]) equal(s, o *Shader) bool { return slices.Equal(*c.slice(s), *c.slice(o)) }

// counts returns the number of records of each table.
func (s *Shader) counts() (n [numTables]uint64) {
	for t := range tables {
		n[t] = tables[t].count(s)
	}
	return n
}

// names yields the name of every record that has one, in table order.
func (s *Shader) names(yield func(wire.Text) bool) {
	for t := range tables {
		if !tables[t].names(s, yield) {
			return
		}
	}
}

// countNames returns how many names there are.
func (s *Shader) countNames() (n int) {
	for t, count := range s.counts() {
		if tables[t].named {
			n += int(count)
		}
	}
	return n
}
