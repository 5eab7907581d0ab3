package gx2

import (
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

//go:generate go test -run ^TestDoc$ -update .

// structure describes the fixed part of a shader.
type structure struct {
	*wire.Record[fixed]
	size      uint64
	words     []Register // before the program part
	masks     []uint32   // the bits of each that are in fields
	arrays    []array    // register arrays with a count
	numTables table
	copies    bool              // has a copy program
	streams   bool              // has stream-out parameters
	buffers   uint64            // offset of the GX2RBuffer structures, which end the structure
	pointers  [numTables]uint32 // offsets of the pointers to the tables
}

// fixed is the model of the fixed part: the extents are in the layout.
type fixed struct {
	shader *Shader
	layout *Layout
}

// array is a register array of which a register before it tells how many
// elements are used. Unused elements hold one of fills in known files.
type array struct {
	count int // index of the count in the registers; the elements follow it
	len   int
	fills [2]uint32
}

var structures = [...]structure{
	Vertex:   structureOf("GX2VertexShader", vertexRegisters, numTables, false, true),
	Pixel:    structureOf("GX2PixelShader", pixelRegisters, attributeTable, false, false),
	Geometry: structureOf("GX2GeometryShader", geometryRegisters, attributeTable, true, true),
}

// structureOf declares a structure: registers, program part, tables, stream-out
// parameters, buffers.
func structureOf(title string, groups []registerGroup, tableCount table, copies, streams bool) structure {
	s := structure{numTables: tableCount, copies: copies, streams: streams}
	var registers []wire.Field[fixed]
	for _, g := range groups {
		elements := []wire.Field[fixed]{unread(g.name).As(Register{g.name, g.fields}.show)}
		if g.len > 0 {
			s.arrays = append(s.arrays, array{len(registers), g.len, g.fills})
			registers, s.words = append(registers, unread(g.count)), append(s.words, Register{Name: g.count})
			elements = wire.Array(g.len, elements[0])
		}
		for _, e := range elements {
			registers, s.words = append(registers, e), append(s.words, Register{e.Name, g.fields})
		}
	}
	for _, w := range s.words {
		s.masks = append(s.masks, w.Mask())
	}
	fields := wire.Words(func(f *fixed) []uint32 { return f.shader.Registers }, registers...)
	fields = append(fields, pair("code_size", "program", "bytes",
		func(f *fixed) *Extent { return &f.layout.Program })...)
	if copies {
		fields = append(fields, pair("copy_size", "copy_program", "bytes",
			func(f *fixed) *Extent { return &f.layout.CopyProgram })...)
	}
	fields = append(fields, wire.Uint("mode", func(f *fixed) *Mode { return &f.shader.Mode },
		"0 uniform register, 1 uniform block, 2 geometry, 3 compute"))
	for t := range tableCount {
		fields = append(fields, pair(tables[t].count, tables[t].pointer, "",
			func(f *fixed) *Extent { return &f.layout.Tables[t] })...)
	}
	if streams {
		fields = append(fields,
			wire.Uint("ring_item_size", func(f *fixed) *uint32 { return &f.shader.Stream.RingItemSize }, ""),
			wire.Uint("stream_out", func(f *fixed) *uint32 { return &f.shader.Stream.Enabled }, "0 or 1"))
		fields = append(fields, wire.Words(func(f *fixed) []uint32 { return f.shader.Stream.Strides[:] },
			unread("stream_out_stride[0]"), unread("stream_out_stride[1]"), unread("stream_out_stride[2]"),
			unread("stream_out_stride[3]"))...)
	}
	buffers := []string{"buffer"}
	if copies {
		buffers = append(buffers, "copy_buffer")
	}
	for _, b := range buffers {
		fields = append(fields, unread(b+".flags").As(wire.ShowHex), unread(b+".element_size"),
			unread(b+".element_count"), unread(b+".pointer").As(wire.ShowHex))
	}
	s.Record = wire.NewRecord(title, fields...)
	s.size, s.buffers = uint64(s.Bytes), s.Offset("buffer.flags")
	for t := range tableCount {
		s.pointers[t] = uint32(s.Offset(tables[t].pointer))
	}
	return s
}

func unread(name string) wire.Field[fixed] { return wire.Unread[fixed](name, 4, "") }

// pair declares a size or count and the pointer after it.
func pair(count, pointer, unit string, at func(*fixed) *Extent) []wire.Field[fixed] {
	return wire.Pair(func(f *fixed) (*uint32, *uint32) { x := at(f); return &x.Count, &x.Offset },
		wire.Unread[fixed](count, 4, unit), unread(pointer).As(wire.ShowHex))
}

// Records lists the records that doc.go shows.
var Records = []wire.Documented{
	structures[Vertex].Record, structures[Pixel].Record, structures[Geometry].Record,
	blockRecord, uniformRecord, initialRecord, loopRecord, samplerRecord, attributeRecord,
}

// Size returns the size of the type's structure in bytes; the type must be
// known.
func (t Type) Size() uint64 { return structures[t].size }

func known[T interface {
	~uint32
	Known() bool
}](n uint32) bool {
	return T(n).Known()
}

// ModePlace is the place of the mode of a shader that stands at off.
func (t Type) ModePlace(off uint64, path diag.Path) diag.Place {
	path.Field = "mode"
	return structures[t].At(off, path)
}
