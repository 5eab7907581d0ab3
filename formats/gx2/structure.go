package gx2

import (
	"fmt"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// structure describes the fixed part of a shader. Offsets that a type does not
// have are 0.
type structure struct {
	fields      diag.Struct
	size        uint64
	registers   int     // words before the program part
	arrays      []array // register arrays with a count
	program     uint64  // offset of size and pointer of the code
	copyProgram uint64  // the same of the copy program
	mode        uint64
	tables      uint64 // count and pointer of each table
	numTables   table
	stream      uint64 // ring item size, stream-out flag, four strides
	buffers     uint64 // GX2RBuffer structures
	numBuffers  int
}

// array is a register array of which a register before it tells how many
// elements are used. Unused elements hold one of fills in known files.
type array struct {
	count uint64 // offset of the count; the elements follow it
	name  string // of the count
	len   int
	fills [2]uint32
}

var structures = [...]structure{
	Vertex:   structureOf(vertexRegisters, false, numTables, true, "buffer"),
	Pixel:    structureOf(pixelRegisters, false, attributeTable, false, "buffer"),
	Geometry: structureOf(geometryRegisters, true, attributeTable, true, "buffer", "copy_buffer"),
}

// registerGroup is a register, or a counted array of registers.
type registerGroup struct {
	name  string
	count string // name of the count of an array
	len   int
	fills [2]uint32
}

const unusedOutID, unusedSemantic = 0xFFFFFFFF, 0xFF

var (
	vertexRegisters = []registerGroup{
		{name: "SQ_PGM_RESOURCES_VS"},
		{name: "VGT_PRIMITIVEID_EN"},
		{name: "SPI_VS_OUT_CONFIG"},
		{name: "SPI_VS_OUT_ID", count: "num_spi_vs_out_id", len: 10, fills: [2]uint32{unusedOutID, 0}},
		{name: "PA_CL_VS_OUT_CNTL"},
		{name: "SQ_VTX_SEMANTIC_CLEAR"},
		{name: "SQ_VTX_SEMANTIC", count: "num_sq_vtx_semantic", len: 32, fills: [2]uint32{unusedSemantic, 0}},
		{name: "VGT_STRMOUT_BUFFER_EN"},
		{name: "VGT_VERTEX_REUSE_BLOCK_CNTL"},
		{name: "VGT_HOS_REUSE_DEPTH"},
	}
	pixelRegisters = []registerGroup{
		{name: "SQ_PGM_RESOURCES_PS"},
		{name: "SQ_PGM_EXPORTS_PS"},
		{name: "SPI_PS_IN_CONTROL_0"},
		{name: "SPI_PS_IN_CONTROL_1"},
		{name: "SPI_PS_INPUT_CNTL", count: "num_spi_ps_input_cntl", len: 32},
		{name: "CB_SHADER_MASK"},
		{name: "CB_SHADER_CONTROL"},
		{name: "DB_SHADER_CONTROL"},
		{name: "SPI_INPUT_Z"},
	}
	geometryRegisters = []registerGroup{
		{name: "SQ_PGM_RESOURCES_GS"},
		{name: "VGT_GS_OUT_PRIM_TYPE"},
		{name: "VGT_GS_MODE"},
		{name: "PA_CL_VS_OUT_CNTL"},
		{name: "SQ_PGM_RESOURCES_VS"},
		{name: "SQ_GS_VERT_ITEMSIZE"},
		{name: "SPI_VS_OUT_CONFIG"},
		{name: "SPI_VS_OUT_ID", count: "num_spi_vs_out_id", len: 10, fills: [2]uint32{unusedOutID, 0}},
		{name: "VGT_STRMOUT_BUFFER_EN"},
	}
)

// structureOf lays a structure out: registers, program part, tables, stream-out
// parameters, buffers.
func structureOf(groups []registerGroup, copyProgram bool, tableCount table, stream bool, buffers ...string) structure {
	var s structure
	word := func(name string, show func(uint64) string) (off uint64) {
		off = 4 * uint64(len(s.fields))
		s.fields = append(s.fields, diag.Field{Name: name, Size: 4, Show: show})
		return off
	}
	for _, g := range groups {
		if g.len == 0 {
			word(g.name, hexWord)
			continue
		}
		s.arrays = append(s.arrays, array{word(g.count, nil), g.count, g.len, g.fills})
		for i := range g.len {
			word(fmt.Sprintf("%s_%d", g.name, i), hexWord)
		}
	}
	s.registers = len(s.fields)
	s.program = word("code_size", nil)
	word("program", hexWord)
	if copyProgram {
		s.copyProgram = word("copy_size", nil)
		word("copy_program", hexWord)
	}
	s.mode = word("mode", show[Mode])
	s.numTables = tableCount
	for t := range tableCount {
		off := word(tables[t].name+".count", nil)
		word(tables[t].name+".offset", hexWord)
		if t == 0 {
			s.tables = off
		}
	}
	if stream {
		s.stream = word("ring_item_size", nil)
		word("stream_out", nil)
		for i := range 4 {
			word(fmt.Sprintf("stream_out_stride[%d]", i), nil)
		}
	}
	s.buffers = 4 * uint64(len(s.fields))
	s.numBuffers = len(buffers)
	for _, b := range buffers {
		word(b+".flags", hexWord)
		word(b+".element_size", nil)
		word(b+".element_count", nil)
		word(b+".pointer", hexWord)
	}
	s.size = s.fields.Size()
	return s
}

// Size returns the size of the type's structure in bytes; the type must be
// known.
func (t Type) Size() uint64 { return structures[t].size }

// RegisterNames returns the names of the words in Registers of a shader of the
// type, which must be known.
func (t Type) RegisterNames() []string {
	s := &structures[t]
	names := make([]string, s.registers)
	for i := range names {
		names[i] = s.fields[i].Name
	}
	return names
}

func hexWord(n uint64) string { return wire.ShowHex(n) }

func show[T interface {
	~uint32
	String() string
}](n uint64) string {
	return T(n).String()
}

func known[T interface {
	~uint32
	Known() bool
}](n uint32) bool {
	return T(n).Known()
}

// ModePlace is the place of the mode of a shader that stands at off.
func (t Type) ModePlace(off uint64, path diag.Path) diag.Place {
	path.Field = "mode"
	return structures[t].fields.At(off, path)
}
