package zpsh

import (
	"fmt"

	"github.com/picaproof/picaproof/pica"
)

// Revision is byte 0x0B of a file: the header size in words, which distinguishes the revisions. A revision above 4 is
// unknown; it is read like R4.
type Revision uint8

// The documented revisions.
const (
	R3 Revision = 3
	R4 Revision = 4
)

// String returns R and the number: "R3".
func (r Revision) String() string { return fmt.Sprintf("R%d", uint8(r)) }

// hasTable reports whether the revision has a hash, an offset table and longer entry
// headers.
func (r Revision) hasTable() bool { return r >= R4 }

// Type is the kind of shader of an entry.
type Type uint8

// The types.
const (
	Vertex           Type = 0
	GeometryPoint    Type = 1
	GeometryVariable Type = 2
	GeometryFixed    Type = 3
)

var typeNames = [...]string{"vertex", "geometry point", "geometry variable", "geometry fixed"}

// String returns "vertex", "geometry point" and so on.
func (t Type) String() string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	return fmt.Sprintf("Type(%d)", uint8(t))
}

// Stage returns the shader unit.
func (t Type) Stage() pica.Stage {
	if t == Vertex {
		return pica.Vertex
	}
	return pica.Geometry
}

// Info holds the type of an entry in bits 0-1, and its parameters. Point: the number
// of inputs minus 1 in bits 2-5. Variable: the number of full vertices in bits 2-6.
// Fixed: the number of vertices minus 1 in bits 2-5, the first float register in bits
// 6-12. The other bits are reserved.
type Info uint16

// VertexInfo returns the info of a vertex shader.
func VertexInfo() Info { return 0 }

// PointInfo returns the info of a geometry shader that takes primitives of
// 1 to 16 inputs.
func PointInfo(inputs int) Info { return Info(GeometryPoint) | Info(inputs-1)<<2 }

// VariableInfo returns the info of a geometry shader that takes a variable
// number of vertices, 0 to 31 of them full.
func VariableInfo(full int) Info { return Info(GeometryVariable) | Info(full)<<2 }

// FixedInfo returns the info of a geometry shader that takes 1 to 16 vertices
// into the float registers from first on.
func FixedInfo(vertices, first int) Info {
	return Info(GeometryFixed) | Info(vertices-1)<<2 | Info(first)<<6
}

// Type returns the type.
func (i Info) Type() Type { return Type(i & 3) }

// Inputs returns the number of inputs of a point entry.
func (i Info) Inputs() int { return int(i>>2&0xF) + 1 }

// FullVertices returns the number of full vertices of a variable entry.
func (i Info) FullVertices() int { return int(i >> 2 & 0x1F) }

// Vertices returns the number of vertices of a fixed entry.
func (i Info) Vertices() int { return int(i>>2&0xF) + 1 }

// First returns the first float register of a fixed entry.
func (i Info) First() int { return int(i >> 6 & 0x7F) }

// reservedInfo holds the mask of the bits outside the fields of each type.
var reservedInfo = [...]Info{Vertex: 0xFFFC, GeometryPoint: 0xFFC0, GeometryVariable: 0xFF80, GeometryFixed: 0xE000}

// Reserved returns the bits outside the fields of the type.
func (i Info) Reserved() Info { return i & reservedInfo[i.Type()] }

// String returns "geometry fixed, 4 vertices from c95".
func (i Info) String() string {
	s := i.Type().String()
	switch i.Type() {
	case GeometryPoint:
		s += fmt.Sprintf(", %d inputs", i.Inputs())
	case GeometryVariable:
		s += fmt.Sprintf(", %d full vertices", i.FullVertices())
	case GeometryFixed:
		s += fmt.Sprintf(", %d vertices from c%d", i.Vertices(), i.First())
	}
	if r := i.Reserved(); r != 0 {
		s += fmt.Sprintf(", reserved bits 0x%04x", uint16(r))
	}
	return s
}

// Semantic is the rasteriser's use of an output component: five bits of the GPU's
// output map registers (3dbrew, Azahar).
type Semantic uint8

// Unused is the semantic of a component that the rasteriser ignores.
const Unused Semantic = 0x1F

// semantics names the values. Values without a name are undefined.
var semantics = [32]struct {
	name      string
	component string
}{
	{"position", "x"}, {"position", "y"}, {"position", "z"}, {"position", "w"},
	{"normalquat", "x"}, {"normalquat", "y"}, {"normalquat", "z"}, {"normalquat", "w"},
	{"color", "r"}, {"color", "g"}, {"color", "b"}, {"color", "a"},
	{"texcoord0", "u"}, {"texcoord0", "v"},
	{"texcoord1", "u"}, {"texcoord1", "v"},
	{"texcoord0w", "w"}, {},
	{"view", "x"}, {"view", "y"}, {"view", "z"}, {},
	{"texcoord2", "u"}, {"texcoord2", "v"},
	Unused: {"unused", ""},
}

// Defined reports whether the GPU gives the value a meaning.
func (s Semantic) Defined() bool { return int(s) < len(semantics) && semantics[s].name != "" }

// String returns "position.x".
func (s Semantic) String() string {
	switch {
	case !s.Defined():
		return fmt.Sprintf("0x%02x", uint8(s))
	case semantics[s].component == "":
		return semantics[s].name
	}
	return semantics[s].name + "." + semantics[s].component
}

// Map is an output map: byte k belongs to component k.
type Map uint32

// reservedMap is the mask of the bits of an output map that have no meaning.
const reservedMap Map = 0xE0E0E0E0

// Semantic returns the semantic of component k.
func (m Map) Semantic(k int) Semantic { return Semantic(m >> (8 * k) & 0x1F) }

// String returns "position.x position.y position.z position.w".
func (m Map) String() string {
	s := ""
	for k := range 4 {
		if k > 0 {
			s += " "
		}
		s += m.Semantic(k).String()
	}
	if r := m & reservedMap; r != 0 {
		s += fmt.Sprintf(", reserved bits 0x%08x", uint32(r))
	}
	return s
}
