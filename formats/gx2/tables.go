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

// The records of the tables. A record that begins with a pointer to a name has
// one.
var (
	blockRecord = wire.NewRecord("Uniform block", slices.Concat(
		namePointer[UniformBlock](),
		wire.Pair(func(v *UniformBlock) (*uint32, *uint32) { return &v.Location, &v.Size },
			wire.Unread[UniformBlock]("location", 4, "below 16"),
			wire.Unread[UniformBlock]("size", 4, "bytes")))...)
	uniformRecord = wire.NewRecord("Uniform", slices.Concat(
		namePointer[UniformVar](),
		wire.Pair(func(v *UniformVar) (*VarType, *uint32) { return &v.Type, &v.Count },
			wire.Unread[UniformVar]("type", 4, "see VarType"),
			wire.Unread[UniformVar]("count", 4, "elements of an array")),
		wire.Pair(func(v *UniformVar) (*uint32, *int32) { return &v.Offset, &v.Block },
			wire.Unread[UniformVar]("offset", 4, "in words, in its block or in the registers"),
			wire.Unread[UniformVar]("block", 4, "index of a uniform block, or -1").As(wire.ShowSigned)))...)
	initialRecord = wire.NewRecord("Initial value; only in GFD files: AGL does not relocate the pointer",
		wire.Uint("x", func(v *InitialValue) *uint32 { return &v.X }, "a float").As(wire.ShowHex),
		wire.Uint("y", func(v *InitialValue) *uint32 { return &v.Y }, "a float").As(wire.ShowHex),
		wire.Uint("z", func(v *InitialValue) *uint32 { return &v.Z }, "a float").As(wire.ShowHex),
		wire.Uint("w", func(v *InitialValue) *uint32 { return &v.W }, "a float").As(wire.ShowHex),
		wire.Uint("offset", func(v *InitialValue) *uint32 { return &v.Offset }, ""),
	)
	loopRecord = wire.NewRecord("Loop variable",
		wire.Raw("offset", 4, func(v *LoopVar) []byte { return v[:4] }, "a word, index of a loop constant"),
		wire.Raw("value", 4, func(v *LoopVar) []byte { return v[4:] }, "a word"),
	)
	samplerRecord = wire.NewRecord("Sampler", slices.Concat(
		namePointer[SamplerVar](),
		wire.Pair(func(v *SamplerVar) (*SamplerType, *uint32) { return &v.Type, &v.Location },
			wire.Unread[SamplerVar]("type", 4, "see SamplerType"),
			wire.Unread[SamplerVar]("location", 4, "below 18")))...)
	attributeRecord = wire.NewRecord("Attribute", slices.Concat(
		namePointer[AttribVar](),
		wire.Pair(func(v *AttribVar) (*VarType, *uint32) { return &v.Type, &v.Count },
			wire.Unread[AttribVar]("type", 4, "see VarType"),
			wire.Unread[AttribVar]("count", 4, "elements of an array; 0 and 1: none")),
		[]wire.Field[AttribVar]{
			wire.Uint("location", func(v *AttribVar) *uint32 { return &v.Location }, "below 32"),
		})...)
)

// namePointer declares the pointer to the name of a record. The code reads and writes it apart from the record.
func namePointer[T any]() []wire.Field[T] {
	return []wire.Field[T]{wire.Unread[T]("name", 4, "pointer to a NUL-terminated string").As(wire.ShowHex)}
}

// tables lists the tables. In little-endian archives the console's loader swaps
// the bytes of all but loop variables.
var tables = [numTables]tableKind{
	blockTable: declare("blocks", blockRecord, func(s *Shader) *[]UniformBlock { return &s.Blocks },
		func(v *UniformBlock) *wire.Text { return &v.Name }).locations(16),
	uniformTable: declare("uniforms", uniformRecord, func(s *Shader) *[]UniformVar { return &s.Uniforms },
		func(v *UniformVar) *wire.Text { return &v.Name }).types(known[VarType]),
	initialTable: declare("initial_values", initialRecord,
		func(s *Shader) *[]InitialValue { return &s.InitialValues }, nil),
	loopTable: declare("loops", loopRecord, func(s *Shader) *[]LoopVar { return &s.Loops }, nil).unswapped(),
	samplerTable: declare("samplers", samplerRecord, func(s *Shader) *[]SamplerVar { return &s.Samplers },
		func(v *SamplerVar) *wire.Text { return &v.Name }).types(known[SamplerType]).locations(18),
	attributeTable: declare("attributes", attributeRecord, func(s *Shader) *[]AttribVar { return &s.Attributes },
		func(v *AttribVar) *wire.Text { return &v.Name }).types(known[VarType]).locations(32),
}

// tableKind is one table: its name in paths, its records, and how a shader keeps
// them.
type tableKind struct {
	name           string
	count, pointer string // fields of the structure
	size           uint64 // of a record
	swapped        bool
	named          bool
	fields         diag.Struct
	column

	knownType    func(uint32) bool // of a field "type", nil without
	location     uint64            // offset of a field "location"
	maxLocations uint32            // that is below this, 0 without
}

// column is the table of any record type.
type column interface {
	length(s *Shader) uint64
	rules() *wire.Ruled
	// names appends the names of the records to list.
	names(s *Shader, list []wire.Text) []wire.Text
	// decode reads the records in b, and takes the name of each from the start of
	// names if they have one.
	decode(s *Shader, b []byte, order binary.ByteOrder, names []wire.Text)
	// encode writes the records without their pointers to names.
	encode(s *Shader, b []byte, order binary.ByteOrder)
	equal(s, o *Shader) bool
}

// columnOf is the column of records of type T, which slice finds in a shader.
type columnOf[T comparable] struct {
	*wire.Record[T]
	slice func(*Shader) *[]T
	name  func(*T) *wire.Text // nil for records without
}

func declare[T comparable](name string, r *wire.Record[T], slice func(*Shader) *[]T,
	nameOf func(*T) *wire.Text) tableKind {
	return tableKind{
		name: name, count: name + ".count", pointer: name + ".offset", size: uint64(r.Bytes), swapped: true,
		named: nameOf != nil, fields: r.Struct,
		column: columnOf[T]{r, slice, nameOf},
	}
}

func (k tableKind) types(known func(uint32) bool) tableKind {
	k.knownType = known
	return k
}

func (k tableKind) locations(n uint32) tableKind {
	k.location, k.maxLocations = k.fields.At(0, diag.Path{Field: "location"}).Off, n
	return k
}

func (k tableKind) unswapped() tableKind {
	k.swapped = false
	return k
}

func (c columnOf[T]) rules() *wire.Ruled { return &c.Record.Ruled }

func (c columnOf[T]) length(s *Shader) uint64 { return uint64(len(*c.slice(s))) }

func (c columnOf[T]) names(s *Shader, list []wire.Text) []wire.Text {
	records := *c.slice(s)
	for i := range records {
		list = append(list, *c.name(&records[i]))
	}
	return list
}

func (c columnOf[T]) decode(s *Shader, b []byte, order binary.ByteOrder, names []wire.Text) {
	list := c.In(order).Decode(b)
	for i := range names {
		*c.name(&list[i]) = names[i]
	}
	*c.slice(s) = list
}

func (c columnOf[T]) encode(s *Shader, b []byte, order binary.ByteOrder) {
	c.In(order).Put(b, *c.slice(s))
}

func (c columnOf[T]) equal(s, o *Shader) bool { return slices.Equal(*c.slice(s), *c.slice(o)) }

// counts returns the number of records of each table.
func (s *Shader) counts() (n [numTables]uint64) {
	for t := range tables {
		n[t] = tables[t].length(s)
	}
	return n
}

// names returns the name of every record that has one, in table order.
func (s *Shader) names() []wire.Text { return s.appendNames(nil) }

// appendNames appends the names to list.
func (s *Shader) appendNames(list []wire.Text) []wire.Text {
	n := 0
	for t, count := range s.counts() {
		if tables[t].named {
			n += int(count)
		}
	}
	list = slices.Grow(list, n)
	for t := range tables {
		if tables[t].named {
			list = tables[t].names(s, list)
		}
	}
	return list
}
