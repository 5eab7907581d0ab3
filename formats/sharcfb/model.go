package sharcfb

import (
	"bytes"
	"slices"

	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/wire"
)

// File is a shader archive: the shader binaries and the programs made of them.
//
// The files that Parse returns refer to one private copy of the input. Replace
// a slice instead of changing its elements.
type File struct {
	Endian   Endian    `json:"endian"`
	Name     wire.Text `json:"name"`
	Binaries []Binary  `json:"binaries"`
	Programs []Program `json:"programs"`
}

// Binary is a shader with the unused bytes of its record.
type Binary struct {
	gx2.Shader
	// Slack is needed to write a file byte for byte and carries no meaning. Nil
	// means none.
	Slack *Slack `json:"slack,omitempty"`
}

// Slack has the bytes of a shader binary record outside its header and its
// data.
type Slack struct {
	Gap  wire.Hex `json:"gap,omitempty"`  // between header and data
	Tail wire.Hex `json:"tail,omitempty"` // behind the data
}

// Program is a shader program: for each combination of macro values one shader
// binary a stage, from BaseIndex on.
type Program struct {
	Name      wire.Text `json:"name"`
	Kind      Kind      `json:"kind"`
	BaseIndex uint32    `json:"base_index"`
	Macros    []Macro   `json:"macros,omitempty"`   // with their possible values
	Defaults  []Macro   `json:"defaults,omitempty"` // with one value each; often left out
	Symbols
}

// Symbols are the four symbol lists of a program.
type Symbols struct {
	Uniforms   []Symbol `json:"uniforms,omitempty"`
	Blocks     []Symbol `json:"blocks,omitempty"`
	Samplers   []Symbol `json:"samplers,omitempty"`
	Attributes []Symbol `json:"attributes,omitempty"`
}

// Macro is a variation macro. ID is the name by which a model sets it.
type Macro struct {
	Name   wire.Text   `json:"name"`
	Values []wire.Text `json:"values"`
	ID     wire.Text   `json:"id,omitempty"`
}

// Symbol is a variable of a program. ID is the name by which a model assigns it.
type Symbol struct {
	// Offset is, for a uniform, its offset in its material block, for a block
	// its size, for samplers and attributes -1.
	Offset int32     `json:"offset"`
	Name   wire.Text `json:"name"`
	ID     wire.Text `json:"id,omitempty"`
	// Default holds the default value as the file has it: words in the byte order of the
	// file, but plain bytes for a block.
	Default wire.Hex `json:"default,omitempty"`
	// Enable has a byte for each variation of the program: 1 if it uses the
	// symbol, else 0.
	Enable wire.Hex `json:"enable"`
}

// Used reports whether a variation of the program uses the symbol.
func (s *Symbol) Used(variation int) bool {
	return variation >= 0 && variation < len(s.Enable) && s.Enable[variation] != 0
}

// Canonical returns the same content without its layout. The two files share
// their tables.
func (f *File) Canonical() *File {
	c := *f
	c.Binaries = slices.Clone(f.Binaries)
	for i := range c.Binaries {
		c.Binaries[i] = Binary{Shader: f.Binaries[i].Shader.Canonical()}
	}
	return &c
}

// Equal reports whether two files have the same content, whatever their layout. A nil slice
// equals an empty one.
func (f *File) Equal(g *File) bool {
	if f.Endian != g.Endian || f.Name != g.Name ||
		len(f.Binaries) != len(g.Binaries) || len(f.Programs) != len(g.Programs) {
		return false
	}
	for i := range f.Binaries {
		if !f.Binaries[i].Shader.Equal(&g.Binaries[i].Shader) {
			return false
		}
	}
	for i := range f.Programs {
		if !f.Programs[i].equal(&g.Programs[i]) {
			return false
		}
	}
	return true
}

func (p *Program) equal(q *Program) bool {
	if p.Name != q.Name || p.Kind != q.Kind || p.BaseIndex != q.BaseIndex ||
		!slices.EqualFunc(p.Macros, q.Macros, Macro.equal) || !slices.EqualFunc(p.Defaults, q.Defaults, Macro.equal) {
		return false
	}
	for k, list := range p.Symbols.lists() {
		if !slices.EqualFunc(*list, *q.Symbols.lists()[k], Symbol.equal) {
			return false
		}
	}
	return true
}

func (m Macro) equal(o Macro) bool {
	return m.Name == o.Name && m.ID == o.ID && slices.Equal(m.Values, o.Values)
}

func (s Symbol) equal(o Symbol) bool {
	return s.Offset == o.Offset && s.Name == o.Name && s.ID == o.ID &&
		bytes.Equal(s.Default, o.Default) && bytes.Equal(s.Enable, o.Enable)
}

// lists returns the symbol lists in file order.
func (s *Symbols) lists() [numSymbolLists]*[]Symbol {
	return [...]*[]Symbol{&s.Uniforms, &s.Blocks, &s.Samplers, &s.Attributes}
}
