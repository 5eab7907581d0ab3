package bnsh

import "fmt"

// Slot is one of the three pointers of a variation to a program.
type Slot uint8

// The slots, in the order of a variation's pointers.
const (
	SourceSlot Slot = iota
	IntermediateSlot
	BinarySlot

	NumSlots = 3
)

var slotNames = []string{"source", "intermediate", "binary"}

// String returns "source", "intermediate" or "binary".
func (s Slot) String() string { return name(slotNames, "Slot", s) }

// MarshalText implements encoding.TextMarshaler.
func (s Slot) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Slot) UnmarshalText(b []byte) error { return find(slotNames, "slot", b, s) }

// CodeType is the form of the code of a program (nnheaders).
type CodeType uint8

// The code types.
const (
	BinaryCode       CodeType = 0
	IntermediateCode CodeType = 1
	SourceCode       CodeType = 2
	SourceArrayCode  CodeType = 3
)

var codeTypeNames = []string{"binary", "intermediate", "source", "source array"}

// String returns the type in words.
func (t CodeType) String() string { return name(codeTypeNames, "CodeType", t) }

// slots is the slot that each code type belongs in (nnheaders).
var slots = [...]Slot{
	BinaryCode:       BinarySlot,
	IntermediateCode: IntermediateSlot,
	SourceCode:       SourceSlot,
	SourceArrayCode:  SourceSlot,
}

// SourceFormat is the language of source code (nnheaders).
type SourceFormat uint8

// The source formats.
const (
	GLSL SourceFormat = 0
	HLSL SourceFormat = 1
)

var sourceFormatNames = []string{"GLSL", "HLSL"}

// String returns "GLSL" or "HLSL".
func (f SourceFormat) String() string { return name(sourceFormatNames, "SourceFormat", f) }

// BinaryFormat is the compression of the code of a program (BfshaLibrary,
// nintoolbox).
type BinaryFormat uint32

// The binary formats.
const (
	Plain BinaryFormat = 0
	Zlib  BinaryFormat = 1
)

var binaryFormatNames = []string{"plain", "zlib"}

// String returns "plain" or "zlib".
func (f BinaryFormat) String() string { return name(binaryFormatNames, "BinaryFormat", f) }

// ProgramFlags is a set of flags of a program (nnheaders).
type ProgramFlags uint8

// The flags.
const (
	Separable ProgramFlags = 1 << iota // stages may be combined with stages of others
	ResShader                          // reflection can be looked up

	knownFlags = Separable | ResShader
)

// propertyNames names the known bits of the memory pool's property (nnheaders), bit 0 first.
var propertyNames = []string{0: "CPU invisible", 5: "GPU cached", 6: "shader code"}

// Stage is a shader stage.
type Stage uint8

// The stages, in the order of every table of six.
const (
	Vertex Stage = iota
	Hull
	Domain
	Geometry
	Pixel
	Compute

	NumStages = 6
)

var stageNames = []string{"vertex", "hull", "domain", "geometry", "pixel", "compute"}

// String returns the stage in lower case.
func (s Stage) String() string { return name(stageNames, "Stage", s) }

// MarshalText implements encoding.TextMarshaler.
func (s Stage) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Stage) UnmarshalText(b []byte) error { return find(stageNames, "stage", b, s) }

// nvn is the number NVN gives each stage. Those of vertex, pixel and compute
// were observed in control blobs.
var nvn = [NumStages]uint32{Vertex: 0, Pixel: 1, Geometry: 2, Hull: 3, Domain: 4, Compute: 5}

// Kind is the kind of names in a dictionary of a stage reflection.
type Kind uint8

// The kinds, in the order of their slots. The last two are in the extension.
const (
	Inputs Kind = iota
	Outputs
	Samplers
	ConstantBuffers
	UnorderedAccessBuffers
	Images
	SeparateTextures
	SeparateSamplers

	NumKinds = 8
)

var kindNames = []string{"inputs", "outputs", "samplers", "constant_buffers", "unordered_access_buffers", "images",
	"separate_textures", "separate_samplers"}

// String returns the kind as it is in paths and in JSON.
func (k Kind) String() string { return name(kindNames, "Kind", k) }

// MarshalText implements encoding.TextMarshaler.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (k *Kind) UnmarshalText(b []byte) error { return find(kindNames, "kind", b, k) }

func name[T ~uint8 | ~uint16 | ~uint32](names []string, typ string, v T) string {
	if uint64(v) < uint64(len(names)) {
		return names[v]
	}
	return fmt.Sprintf("%s(%d)", typ, uint64(v))
}

func find[T ~uint8](names []string, what string, b []byte, v *T) error {
	for i, n := range names {
		if n == string(b) {
			*v = T(i)
			return nil
		}
	}
	return fmt.Errorf("bnsh: unknown %s %q", what, b)
}

// showAPI prints a target API: by name, if it is the known one, with its number.
func showAPI(n uint64) string {
	if n == nvnAPI {
		return fmt.Sprintf("NVN (%d)", n)
	}
	return fmt.Sprint(n)
}
