package shbin

import (
	"fmt"
	"strconv"

	"github.com/picaproof/picaproof/pica"
)

// Type is the shader unit that runs an entry point.
type Type uint8

// The types.
const (
	VertexShader   Type = 0
	GeometryShader Type = 1
)

var typeNames = []string{"vertex", "geometry"}

// String returns "vertex" or "geometry".
func (t Type) String() string { return name(typeNames, "Type", t) }

// Mode is the way in which a geometry shader receives its vertices.
type Mode uint8

// The modes.
const (
	Point    Mode = 0
	Variable Mode = 1 // "subdivision"
	Fixed    Mode = 2 // "particle"
)

var modeNames = []string{"point", "variable", "fixed"}

// String returns "point", "variable" or "fixed".
func (m Mode) String() string { return name(modeNames, "Mode", m) }

// ConstantType is the register class of a Constant.
type ConstantType uint8

// The constant types.
const (
	Bool  ConstantType = 0
	Int   ConstantType = 1
	Float ConstantType = 2
)

var constantTypeNames = []string{"bool", "int", "float"}

// String returns "bool", "int" or "float".
func (t ConstantType) String() string { return name(constantTypeNames, "ConstantType", t) }

// registerCounts has the number of registers of each constant type.
var registerCounts = [...]uint8{Bool: pica.NumBools, Int: pica.NumInts, Float: pica.NumFloats}

// Semantic is the meaning of an output register for the rasteriser.
type Semantic uint16

// The semantics. 7 is used by no known file; aemstro notes that it yields an
// output map of unused components.
const (
	Position   Semantic = 0
	NormalQuat Semantic = 1
	Color      Semantic = 2
	TexCoord0  Semantic = 3
	TexCoord0W Semantic = 4
	TexCoord1  Semantic = 5
	TexCoord2  Semantic = 6
	ViewVector Semantic = 8
	Dummy      Semantic = 9 // an output that only the next stage reads
)

var semanticNames = []string{
	"position", "normalquat", "color", "texcoord0", "texcoord0w", "texcoord1", "texcoord2", "", "view", "dummy",
}

// String returns picasso's name of the semantic.
func (s Semantic) String() string { return name(semanticNames, "Semantic", s) }

// Known reports whether the semantic is one of the constants above.
func (s Semantic) Known() bool { return int(s) < len(semanticNames) && semanticNames[s] != "" }

// Register is a register number in a uniform table. Inputs and uniforms of all
// classes share one number space.
type Register uint16

// The first register of each class.
const (
	FirstInput Register = 0x00 // v0-v15
	FirstFloat Register = 0x10 // c0-c95
	FirstInt   Register = 0x70 // i0-i3; four unused numbers follow
	FirstBool  Register = 0x78 // b0-b15
)

// registerClass is the range of register numbers of one class.
type registerClass struct {
	letter byte
	first  Register
	count  Register
}

// classes are the register classes of a uniform table.
var classes = [...]registerClass{
	{'v', FirstInput, pica.NumInputs},
	{'c', FirstFloat, pica.NumFloats},
	{'i', FirstInt, pica.NumInts},
	{'b', FirstBool, pica.NumBools},
}

// Class returns the register's class, 'v', 'c', 'i' or 'b', and its index in
// the class. ok is false for a number of no class.
func (r Register) Class() (class byte, index int, ok bool) {
	for _, c := range classes {
		if r >= c.first && r-c.first < c.count {
			return c.letter, int(r - c.first), true
		}
	}
	return 0, 0, false
}

// String returns a name like "c4", or hex like "0x74" for a number of no class.
func (r Register) String() string {
	if class, index, ok := r.Class(); ok {
		return string(class) + strconv.Itoa(index)
	}
	return fmt.Sprintf("0x%02x", uint16(r))
}

// name returns names[v], or kind and v when that has no name.
func name[T ~uint8 | ~uint16](names []string, kind string, v T) string {
	if int(v) < len(names) && names[v] != "" {
		return names[v]
	}
	return fmt.Sprintf("%s(%d)", kind, v)
}
