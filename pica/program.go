package pica

import "fmt"

// Stage is the shader unit that runs a program.
type Stage uint8

// The stages.
const (
	Vertex Stage = iota
	Geometry
)

// String returns "vs" or "gs", as the adapter protocol spells them.
func (s Stage) String() string {
	switch s {
	case Vertex:
		return "vs"
	case Geometry:
		return "gs"
	}
	return fmt.Sprintf("Stage(%d)", uint8(s))
}

// Program is what a shader unit executes: at most MaxCode words and at most
// MaxDescriptors descriptors. Words and descriptors that are not supplied are
// zero.
type Program struct {
	Code        []uint32
	Descriptors []uint32
}

// Descriptor returns operand descriptor n; one that the program does not have is zero.
func (p *Program) Descriptor(n int) Descriptor {
	if n < len(p.Descriptors) {
		return Descriptor(p.Descriptors[n])
	}
	return 0
}

// DescriptorOf returns the operand descriptor that a word names.
func (p *Program) DescriptorOf(word uint32) Descriptor {
	return p.Descriptor(int(OpcodeOf(word).Layout().Desc.Get(word)))
}

// Shader is one entry point of a container: the program, the word where it starts,
// and the uniforms that are loaded before it runs. Slices may be shared with the
// container's model and must not be changed.
type Shader struct {
	Program
	Name     string // label of the entry point; may be empty
	Entry    int    // word index
	Stage    Stage
	OutMask  uint16 // declared output registers; 0 means unknown
	Geometry GeometryParameters
	Floats   []Upload // constants, in file order
	Ints     map[int][4]uint8
	Counts   map[int]int32 // assembled programs only: first component of Ints as the source spells it
	Bools    map[int]bool
	Inputs   []Symbol
	Uniforms []Symbol
	Labels   []Label
	Outputs  []Output
}

// Symbol names a range of registers: v, c, i or b, first to last inclusive.
type Symbol struct {
	Name        string
	Class       byte // 'v', 'c', 'i' or 'b'
	First, Last int
}

// Label names a word of the program; Length is -1 when unknown.
type Label struct {
	Name   string
	Word   int
	Length int
}

// Output gives an output register a semantic; Mask has bit 0 = x.
type Output struct {
	Semantic string
	Register int
	Mask     uint8
}
