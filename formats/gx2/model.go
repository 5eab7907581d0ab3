package gx2

import (
	"bytes"
	"encoding/hex"
	"slices"

	"github.com/picaproof/picaproof/formats/wire"
)

// Shader is one shader binary: registers, tables and code.
//
// The shaders that a parse returns refer to one private copy of the file.
// Replace a slice instead of changing its elements.
type Shader struct {
	Type Type `json:"type"`
	// Registers are the words before the program part, counts of register
	// arrays and unused elements included; RegisterNames names them.
	Registers []uint32       `json:"registers"`
	Mode      Mode           `json:"mode"`
	Blocks    []UniformBlock `json:"blocks,omitempty"`
	Uniforms  []UniformVar   `json:"uniforms,omitempty"`
	// InitialValues of uniforms are in a GFD file only.
	InitialValues []InitialValue `json:"initial_values,omitempty"`
	Loops         []LoopVar      `json:"loops,omitempty"`
	Samplers      []SamplerVar   `json:"samplers,omitempty"`
	Attributes    []AttribVar    `json:"attributes,omitempty"` // of a vertex shader
	Code          wire.Hex       `json:"code"`
	CopyCode      wire.Hex       `json:"copy_code,omitempty"` // of a geometry shader: the copy program
	Stream        StreamOut      `json:"stream"`              // of a vertex or geometry shader
	// Layout has the offsets in the parsed file. Nil means the canonical layout.
	Layout *Layout `json:"layout,omitempty"`
}

// StreamOut holds the output parameters of a vertex or geometry shader.
type StreamOut struct {
	RingItemSize uint32    `json:"ring_item_size"`
	Enabled      uint32    `json:"enabled"` // 0 or 1
	Strides      [4]uint32 `json:"strides"` // in bytes
}

// UniformBlock is a block of uniforms.
type UniformBlock struct {
	Name     wire.Text `json:"name"`
	Location uint32    `json:"location"`
	Size     uint32    `json:"size"` // in bytes
}

// NoBlock is the Block of a uniform outside of all blocks.
const NoBlock = -1

// UniformVar is a uniform. Offset counts words of four bytes, from the start of its block or, in
// mode register, of the registers.
type UniformVar struct {
	Name   wire.Text `json:"name"`
	Type   VarType   `json:"type"`
	Count  uint32    `json:"count"` // of an array
	Offset uint32    `json:"offset"`
	Block  int32     `json:"block"` // index of a UniformBlock, or NoBlock
}

// InitialValue is the initial value of a uniform register: four floats, kept as
// words.
type InitialValue struct {
	X      uint32 `json:"x"`
	Y      uint32 `json:"y"`
	Z      uint32 `json:"z"`
	W      uint32 `json:"w"`
	Offset uint32 `json:"offset"`
}

// LoopVar is a loop constant: offset and value. The byte order of these two words in a
// little-endian archive is undecided, so they are kept as bytes.
type LoopVar [8]byte

// MarshalText returns the bytes in hex.
func (l LoopVar) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, l[:]), nil }

// UnmarshalText reads 16 hex digits.
func (l *LoopVar) UnmarshalText(b []byte) error { return wire.DecodeHex(l[:], b) }

// SamplerVar is a sampler.
type SamplerVar struct {
	Name     wire.Text   `json:"name"`
	Type     SamplerType `json:"type"`
	Location uint32      `json:"location"`
}

// AttribVar is a vertex attribute.
type AttribVar struct {
	Name     wire.Text `json:"name"`
	Type     VarType   `json:"type"`
	Count    uint32    `json:"count"` // of an array; 0 and 1 mean no array
	Location uint32    `json:"location"`
}

// Layout holds the data without meaning that a lossless writer of a shader needs. Offsets
// count from the first byte of the structure. The layout has the counts and sizes of the shader
// when it was read; once one of them differs, it no longer applies.
type Layout struct {
	Size        uint32            `json:"size"`    // of structure, tables, names and, unless it is in blocks, code
	Program     Extent            `json:"program"` // at offset 0 if the code is in a block of its own
	CopyProgram Extent            `json:"copy_program"`
	Tables      [numTables]Extent `json:"tables"`          // in the order of the structure
	Names       []Extent          `json:"names,omitempty"` // in bytes without NUL, in table order
	Gaps        []Gap             `json:"gaps,omitempty"`
}

// Extent is the place of a table, counted in records, or of code or a name, in
// bytes. The offset of an empty table is 0.
type Extent = wire.Extent

// Gap is a run of bytes that nothing refers to, without zeros at its ends.
type Gap struct {
	Offset uint32   `json:"offset"`
	Bytes  wire.Hex `json:"bytes"`
}

// Canonical returns the same content without its layout. The two shaders share
// their tables.
func (s *Shader) Canonical() Shader {
	c := *s
	c.Layout = nil
	return c
}

// Equal reports whether two shaders have the same content, whatever their layout. A nil slice
// equals an empty one.
func (s *Shader) Equal(o *Shader) bool {
	for t := range tables {
		if !tables[t].equal(s, o) {
			return false
		}
	}
	return s.Type == o.Type && s.Mode == o.Mode && s.Stream == o.Stream &&
		slices.Equal(s.Registers, o.Registers) && bytes.Equal(s.Code, o.Code) && bytes.Equal(s.CopyCode, o.CopyCode)
}
