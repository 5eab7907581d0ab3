package gx2

import "fmt"

// Type is the kind of a shader, which decides its structure.
type Type uint32

// The types.
const (
	Vertex   Type = 0
	Pixel    Type = 1
	Geometry Type = 2
)

var typeNames = []string{"vertex", "pixel", "geometry"}

// String returns "vertex", "pixel" or "geometry".
func (t Type) String() string { return name(typeNames, "Type", t) }

// Known reports whether the type has a structure.
func (t Type) Known() bool { return int64(t) < int64(len(typeNames)) }

// Mode says how a shader gets its uniforms, and whether a geometry shader follows.
type Mode uint32

// The modes.
const (
	ModeRegister Mode = 0
	ModeBlock    Mode = 1
	ModeGeometry Mode = 2
	ModeCompute  Mode = 3
)

var modeNames = []string{"register", "block", "geometry", "compute"}

// String returns "register", "block", "geometry" or "compute".
func (m Mode) String() string { return name(modeNames, "Mode", m) }

// VarType is the type of a uniform or attribute.
type VarType uint32

var varTypeNames = [...]string{
	"void", "bool", "int", "uint", "float",
	"double", "double2", "double3", "double4",
	"float2", "float3", "float4",
	"bool2", "bool3", "bool4",
	"int2", "int3", "int4",
	"uint2", "uint3", "uint4",
	"float2x2", "float2x3", "float2x4", "float3x2", "float3x3", "float3x4", "float4x2", "float4x3", "float4x4",
	"double2x2", "double2x3", "double2x4", "double3x2", "double3x3", "double3x4", "double4x2", "double4x3",
	"double4x4",
}

// String returns the type as in GLSL, but "float4x4" for mat4.
func (t VarType) String() string { return name(varTypeNames[:], "VarType", t) }

// Known reports whether the type has a name.
func (t VarType) Known() bool { return int64(t) < int64(len(varTypeNames)) }

// SamplerType is the dimension of a sampler.
type SamplerType uint32

// The sampler types; 2 has no name.
const (
	Sampler1D   SamplerType = 0
	Sampler2D   SamplerType = 1
	Sampler3D   SamplerType = 3
	SamplerCube SamplerType = 4
)

var samplerTypeNames = []string{"1D", "2D", "", "3D", "cube"}

// String returns "1D", "2D", "3D" or "cube".
func (t SamplerType) String() string { return name(samplerTypeNames, "SamplerType", t) }

// Known reports whether the type has a name.
func (t SamplerType) Known() bool {
	return int64(t) < int64(len(samplerTypeNames)) && samplerTypeNames[t] != ""
}

func name[T ~uint32](names []string, kind string, n T) string {
	if int64(n) < int64(len(names)) && names[n] != "" {
		return names[n]
	}
	return fmt.Sprintf("%s(%d)", kind, uint32(n))
}
