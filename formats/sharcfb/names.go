package sharcfb

import (
	"encoding/binary"
	"fmt"

	"github.com/picaproof/picaproof/formats/gx2"
)

// Endian is the byte order of an archive.
type Endian uint32

// The byte orders.
const (
	Big    Endian = 0 // Wii U
	Little Endian = 1 // tools on a PC
)

var endianNames = [...]string{"big", "little"}

// String returns "big" or "little".
func (e Endian) String() string {
	if e <= Little {
		return endianNames[e]
	}
	return fmt.Sprintf("Endian(%d)", uint32(e))
}

// MarshalText implements encoding.TextMarshaler.
func (e Endian) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (e *Endian) UnmarshalText(b []byte) error {
	for i, name := range endianNames {
		if name == string(b) {
			*e = Endian(i)
			return nil
		}
	}
	return fmt.Errorf("sharcfb: unknown byte order %q", b)
}

// order returns the byte order; Little's for Little only.
func (e Endian) order() binary.ByteOrder {
	if e == Little {
		return binary.LittleEndian
	}
	return binary.BigEndian
}

// Kind says which shaders a program has: a bit for each.
type Kind uint32

// The kinds; a program has at least a vertex and a pixel shader.
const (
	VertexPixel         Kind = 3
	VertexPixelGeometry Kind = 7

	geometryBit Kind = 4
)

// Stages returns the number of shader binaries of a variation. Their order is
// vertex, pixel, geometry.
func (k Kind) Stages() int {
	if k&geometryBit != 0 {
		return 3
	}
	return 2
}

// String returns "vertex, pixel" or "vertex, pixel, geometry".
func (k Kind) String() string {
	switch k {
	case VertexPixel:
		return "vertex, pixel"
	case VertexPixelGeometry:
		return "vertex, pixel, geometry"
	}
	return fmt.Sprintf("Kind(%d)", uint32(k))
}

// stageTypes is the order of the shader binaries of a variation.
var stageTypes = [...]gx2.Type{gx2.Vertex, gx2.Pixel, gx2.Geometry}
