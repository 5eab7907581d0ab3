package shbin

import (
	"encoding/binary"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

var le = binary.LittleEndian

// How the entries of each table are read and written. Object files hold the
// same entries.
var (
	WordRecord = wire.Record[uint32]{
		Size: 4,
		Get:  le.Uint32,
		Put:  le.PutUint32,
	}
	DescriptorRecord = wire.Record[Descriptor]{
		Size: 8,
		Get:  func(b []byte) Descriptor { return Descriptor{le.Uint32(b), le.Uint32(b[4:])} },
		Put:  func(b []byte, d Descriptor) { put32(b, d.Word, d.Flags) },
	}
	LineRecord = wire.Record[Line]{
		Size: 8,
		Get:  func(b []byte) Line { return Line{le.Uint32(b), le.Uint32(b[4:])} },
		Put:  func(b []byte, l Line) { put32(b, l.Name, l.Line) },
	}
	ConstantRecord = wire.Record[Constant]{
		Size: 0x14,
		Get: func(b []byte) Constant {
			return Constant{ConstantType(b[0]), b[1], b[2], b[3], Payload(b[4:0x14])}
		},
		Put: func(b []byte, c Constant) {
			b[0], b[1], b[2], b[3] = uint8(c.Type), c.Reserved1, c.Register, c.Reserved3
			copy(b[4:0x14], c.Payload[:])
		},
	}
	LabelRecord = wire.Record[Label]{
		Size: 0x10,
		Get: func(b []byte) Label {
			return Label{le.Uint16(b), le.Uint16(b[2:]), le.Uint32(b[4:]), le.Uint32(b[8:]), le.Uint32(b[12:])}
		},
		Put: func(b []byte, l Label) {
			put16(b, l.ID, l.Flags)
			put32(b[4:], l.Word, l.Length, l.Name)
		},
	}
	OutputRecord = wire.Record[Output]{
		Size: 8,
		Get: func(b []byte) Output {
			return Output{Semantic(le.Uint16(b)), le.Uint16(b[2:]), le.Uint16(b[4:]), le.Uint16(b[6:])}
		},
		Put: func(b []byte, o Output) { put16(b, uint16(o.Semantic), o.Register, o.Mask, o.Unknown) },
	}
	UniformRecord = wire.Record[Uniform]{
		Size: 8,
		Get: func(b []byte) Uniform {
			return Uniform{le.Uint32(b), Register(le.Uint16(b[4:])), Register(le.Uint16(b[6:]))}
		},
		Put: func(b []byte, u Uniform) {
			put32(b, u.Name)
			put16(b[4:], uint16(u.First), uint16(u.Last))
		},
	}
)

func put16(b []byte, vs ...uint16) {
	for i, v := range vs {
		le.PutUint16(b[2*i:], v)
	}
}

func put32(b []byte, vs ...uint32) {
	for i, v := range vs {
		le.PutUint32(b[4*i:], v)
	}
}

// The field tables of the headers and of the table entries.
var (
	libraryFields = diag.Struct{
		{Name: "magic", Size: 4, Show: showFourCC},
		{Name: "count", Size: 4},
	}
	offsetFields  = diag.Struct{{Name: "", Size: 4, Show: hex32}}
	programFields = diag.Struct{
		{Name: "magic", Size: 4, Show: showFourCC},
		{Name: "version", Size: 4, Show: hex32},
		{Name: "code.offset", Size: 4, Show: hex32},
		{Name: "code.count", Size: 4},
		{Name: "descriptors.offset", Size: 4, Show: hex32},
		{Name: "descriptors.count", Size: 4},
		{Name: "lines.offset", Size: 4, Show: hex32},
		{Name: "lines.count", Size: 4},
		{Name: "file_names.offset", Size: 4, Show: hex32},
		{Name: "file_names.size", Size: 4},
	}
	shortProgramFields = programFields[:7]
	entryHeaderFields  = diag.Struct{
		{Name: "magic", Size: 4, Show: showFourCC},
		{Name: "version", Size: 2, Show: hex16},
		{Name: "type", Size: 1, Show: show[Type]},
		{Name: "merge", Size: 1},
		{Name: "entry", Size: 4},
		{Name: "end", Size: 4},
		{Name: "input_mask", Size: 2, Show: hex16},
		{Name: "output_mask", Size: 2, Show: hex16},
		{Name: "geometry.mode", Size: 1, Show: show[Mode]},
		{Name: "geometry.first", Size: 1},
		{Name: "geometry.variable_count", Size: 1},
		{Name: "geometry.fixed_count", Size: 1},
		{Name: "constants.offset", Size: 4, Show: hex32},
		{Name: "constants.count", Size: 4},
		{Name: "labels.offset", Size: 4, Show: hex32},
		{Name: "labels.count", Size: 4},
		{Name: "outputs.offset", Size: 4, Show: hex32},
		{Name: "outputs.count", Size: 4},
		{Name: "uniforms.offset", Size: 4, Show: hex32},
		{Name: "uniforms.count", Size: 4},
		{Name: "symbols.offset", Size: 4, Show: hex32},
		{Name: "symbols.size", Size: 4},
	}

	WordFields       = diag.Struct{{Name: "", Size: 4, Show: showWord}}
	DescriptorFields = diag.Struct{
		{Name: "word", Size: 4, Show: hex32},
		{Name: "flags", Size: 4, Show: hex32},
	}
	LineFields = diag.Struct{
		{Name: "name", Size: 4, Show: hex32},
		{Name: "line", Size: 4},
	}
	ConstantFields = constantFields(nil, diag.Field{Name: "payload", Size: 16, Kind: diag.OpaqueRegion})
	LabelFields    = diag.Struct{
		{Name: "id", Size: 2},
		{Name: "flags", Size: 2},
		{Name: "word", Size: 4},
		{Name: "length", Size: 4, Show: showLength},
		{Name: "name", Size: 4, Show: hex32},
	}
	OutputFields = diag.Struct{
		{Name: "semantic", Size: 2, Show: show[Semantic]},
		{Name: "register", Size: 2, Show: showOutput},
		{Name: "mask", Size: 2, Show: showMask},
		{Name: "unknown", Size: 2, Show: hex16},
	}
	UniformFields = diag.Struct{
		{Name: "name", Size: 4, Show: hex32},
		{Name: "first", Size: 2, Show: show[Register]},
		{Name: "last", Size: 2, Show: show[Register]},
	}
)

// valueFields are the fields of a constant of each type.
var valueFields = [...]diag.Struct{
	Bool: constantFields(showRegister("b"),
		diag.Field{Name: "payload.value", Size: 4},
		diag.Field{Name: "payload.rest", Size: 12, Kind: diag.OpaqueRegion}),
	Int: constantFields(showRegister("i"),
		diag.Field{Name: "payload.x", Size: 1},
		diag.Field{Name: "payload.y", Size: 1},
		diag.Field{Name: "payload.z", Size: 1},
		diag.Field{Name: "payload.w", Size: 1},
		diag.Field{Name: "payload.rest", Size: 12, Kind: diag.OpaqueRegion}),
	Float: constantFields(showRegister("c"),
		diag.Field{Name: "payload.x", Size: 4, Show: showFloat24},
		diag.Field{Name: "payload.y", Size: 4, Show: showFloat24},
		diag.Field{Name: "payload.z", Size: 4, Show: showFloat24},
		diag.Field{Name: "payload.w", Size: 4, Show: showFloat24}),
}

// FieldsOf returns the fields of a constant of a type.
func FieldsOf(t ConstantType) diag.Struct {
	if int(t) < len(valueFields) {
		return valueFields[t]
	}
	return ConstantFields
}

func constantFields(register func(uint64) string, payload ...diag.Field) diag.Struct {
	return append(diag.Struct{
		{Name: "type", Size: 1, Show: show[ConstantType]},
		{Name: "reserved1", Size: 1},
		{Name: "register", Size: 1, Show: register},
		{Name: "reserved3", Size: 1},
	}, payload...)
}
