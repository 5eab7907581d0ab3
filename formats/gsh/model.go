package gsh

import (
	"bytes"
	"slices"

	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/wire"
)

// File is a file of shaders.
//
// The files that Parse returns refer to one private copy of the input. Replace
// a slice instead of changing its elements.
type File struct {
	// Align is the align mode: 0 means that blocks follow each other without padding, any
	// other value that padding blocks align the programs.
	Align   uint32   `json:"align"`
	Style   Style    `json:"style"` // of the canonical form
	Shaders []Shader `json:"shaders,omitempty"`
	// Opaque are the blocks that are neither shaders nor padding, in file order. A
	// file that has some has no canonical form, and is written at its layout only.
	Opaque []wire.Hex `json:"opaque,omitempty"`
	// Leniencies names the options without which Parse would have refused the file. A file with
	// Fragment has no canonical form.
	Leniencies []Option `json:"leniencies,omitempty"`
	// Layout says where everything was. Nil means the canonical layout.
	Layout *Layout `json:"layout,omitempty"`
}

// Shader is a header block and the program blocks that belong to it.
type Shader struct {
	gx2.Shader
	// Slack has the other bytes of the header block. Nil stands for the bytes of the style.
	Slack *Slack `json:"slack,omitempty"`
}

// Slack holds the data that a lossless writer of a header block needs and that carries no meaning. It applies together
// with the layout of the shader.
type Slack struct {
	Unknown    uint32   `json:"unknown"`     // word 2 of the trailer
	TextOffset uint32   `json:"text_offset"` // where names begin, as the trailer says
	Patches    []uint32 `json:"patches,omitempty"`
	Gap        wire.Hex `json:"gap,omitempty"` // between patch list and trailer
}

// Layout holds the data without meaning that a lossless writer of a file needs. The shaders of
// a file take its header blocks in order; once they need other header blocks, the layout no
// longer applies.
type Layout struct {
	Reserved uint64   `json:"reserved"` // of the file header
	Blocks   []Block  `json:"blocks"`
	Tail     wire.Hex `json:"tail,omitempty"` // behind the end block
}

// Block is a block of any type.
type Block struct {
	Minor   uint32    `json:"minor_version"`
	Type    BlockType `json:"type"`
	ID      uint32    `json:"id"`
	Index   uint32    `json:"index"`
	Padding wire.Hex  `json:"padding,omitempty"` // data of a padding block
}

// Canonical returns the same content without its layout. The two files share
// their tables.
func (f *File) Canonical() *File {
	c := *f
	c.Align, c.Layout = min(f.Align, 1), nil
	c.Shaders = slices.Clone(f.Shaders)
	for i := range c.Shaders {
		c.Shaders[i] = Shader{Shader: f.Shaders[i].Canonical()}
	}
	return &c
}

// HasCanonical reports whether the file has a canonical form: it is no fragment, has no opaque blocks,
// and pointers reach all bytes of its header blocks.
func (f *File) HasCanonical() bool {
	return len(f.Opaque) == 0 && !f.fragment() &&
		!slices.ContainsFunc(f.Shaders, func(s Shader) bool { return !s.GFDReaches() })
}

// fragment reports whether headers or programs may be without their counterparts.
func (f *File) fragment() bool { return slices.Contains(f.Leniencies, Fragment) }

// Equal reports whether two files have the same content, whatever their layout: equal shaders
// and opaque blocks in order, and both an align mode of 0 or both another mode. A nil slice
// equals an empty one.
func (f *File) Equal(g *File) bool {
	if (f.Align == 0) != (g.Align == 0) || len(f.Shaders) != len(g.Shaders) {
		return false
	}
	for i := range f.Shaders {
		if !f.Shaders[i].Shader.Equal(&g.Shaders[i].Shader) {
			return false
		}
	}
	return slices.EqualFunc(f.Opaque, g.Opaque, func(a, b wire.Hex) bool { return bytes.Equal(a, b) })
}
