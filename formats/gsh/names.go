package gsh

import (
	"fmt"

	"github.com/picaproof/picaproof/formats/gx2"
)

// BlockType is the kind of data in a block.
type BlockType uint32

// The block types of version 1.
const (
	End             BlockType = 1
	Padding         BlockType = 2
	VertexHeader    BlockType = 3
	VertexProgram   BlockType = 5
	PixelHeader     BlockType = 6
	PixelProgram    BlockType = 7
	GeometryHeader  BlockType = 8
	GeometryProgram BlockType = 9
	CopyProgram     BlockType = 10
)

// role is the purpose of a block.
type role uint8

const (
	opaqueRole role = iota // kept as bytes
	endRole
	paddingRole
	headerRole
	programRole
	copyRole
)

// kind describes a block type.
type kind struct {
	name   string // empty when the type is not defined
	role   role
	shader gx2.Type // of a header or program
}

var kinds = [...]kind{
	End:             {"end", endRole, 0},
	Padding:         {"padding", paddingRole, 0},
	VertexHeader:    {"vertex header", headerRole, gx2.Vertex},
	VertexProgram:   {"vertex program", programRole, gx2.Vertex},
	PixelHeader:     {"pixel header", headerRole, gx2.Pixel},
	PixelProgram:    {"pixel program", programRole, gx2.Pixel},
	GeometryHeader:  {"geometry header", headerRole, gx2.Geometry},
	GeometryProgram: {"geometry program", programRole, gx2.Geometry},
	CopyProgram:     {"copy program", copyRole, gx2.Geometry},
	11:              {name: "texture header"},
	12:              {name: "texture image"},
	13:              {name: "texture mip levels"},
	14:              {name: "compute header"},
	15:              {name: "compute program"},
	16:              {name: "user data"},
}

// known returns the kind of a type; the zero kind for an unknown type.
func (t BlockType) known() kind {
	if uint64(t) < uint64(len(kinds)) {
		return kinds[t]
	}
	return kind{}
}

// String returns the name of the type.
func (t BlockType) String() string {
	if name := t.known().name; name != "" {
		return name
	}
	return fmt.Sprintf("BlockType(%d)", uint32(t))
}

// Opaque reports whether the block is kept as bytes.
func (t BlockType) Opaque() bool { return t.known().role == opaqueRole }

// headerOf and programOf are the blocks of a shader.
var (
	headerOf  = [...]BlockType{gx2.Vertex: VertexHeader, gx2.Pixel: PixelHeader, gx2.Geometry: GeometryHeader}
	programOf = [...]BlockType{gx2.Vertex: VertexProgram, gx2.Pixel: PixelProgram, gx2.Geometry: GeometryProgram}
)

// Style is one of the two ways in which all known files number their blocks and
// list the pointers of a shader.
type Style uint8

// The styles.
const (
	StyleD Style = iota // of decaf-emu's tools: blocks are numbered, only pointers are listed
	StyleN              // of gshCompile: ids are 0, empty tables and the program have null entries
	numStyles
)

var styleNames = [...]string{"D", "N"}

// String returns "D" or "N".
func (s Style) String() string {
	if int(s) < len(styleNames) {
		return styleNames[s]
	}
	return fmt.Sprintf("Style(%d)", uint8(s))
}

// MarshalText implements encoding.TextMarshaler.
func (s Style) MarshalText() ([]byte, error) {
	if s >= numStyles {
		return nil, fmt.Errorf("gsh: no style %d", uint8(s))
	}
	return []byte(s.String()), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Style) UnmarshalText(b []byte) error {
	for i, name := range styleNames {
		if name == string(b) {
			*s = Style(i)
			return nil
		}
	}
	return fmt.Errorf("gsh: no style %q", b)
}
