package dvoj

import (
	"slices"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/pica"
)

// File is a shader object. Raw bytes of a file that Parse returns are parts of
// one private copy of the input.
type File struct {
	Version    uint16     `json:"version"` // low byte major, high byte minor
	Type       shbin.Type `json:"type"`
	Merge      uint8      `json:"merge"` // 1: merge the output maps of vertex and geometry shader
	InputMask  uint16     `json:"input_mask"`
	OutputMask uint16     `json:"output_mask"`
	Unknown    uint32     `json:"unknown"` // usually FFFFFFFF

	Code        []uint32           `json:"code"`
	Descriptors []shbin.Descriptor `json:"descriptors,omitempty"`
	Lines       []shbin.Line       `json:"lines,omitempty"` // names are offsets in Symbols
	Relocations []Relocation       `json:"relocations,omitempty"`
	shbin.Tables

	// Leniencies names the options without which Parse would have refused the
	// file. With AllowDVOB the file is written with that magic.
	Leniencies []Option `json:"leniencies,omitempty"`
	// Layout says where everything was. Nil means the canonical layout.
	Layout *Layout `json:"layout,omitempty"`
}

// Relocation refers to a code word. What the two other words say is unknown.
type Relocation struct {
	Word     uint32 `json:"word"`
	Unknown  uint32 `json:"unknown1"`
	Unknown2 uint32 `json:"unknown2"`
}

// Layout holds the data that a lossless writer of a file needs and that carries
// no meaning. Counts are those of the tables when the layout was read; once a
// table has another length the layout no longer applies.
type Layout struct {
	Size   uint64                  `json:"size"`
	Tables [numTables]shbin.Extent `json:"tables"` // in header order
	Gaps   []shbin.Gap             `json:"gaps,omitempty"`
}

// Canonical returns the same content without its layout, and with the right
// magic. The two files share their tables.
func (f *File) Canonical() *File {
	c := *f
	c.Layout = nil
	c.Leniencies = slices.DeleteFunc(slices.Clone(f.Leniencies), func(o Option) bool { return o == AllowDVOB })
	return &c
}

// Equal reports whether two files have the same content, wherever the bytes
// stand. A nil slice equals an empty one.
func (f *File) Equal(g *File) bool {
	return headerRecord.Equal(&header{f, new(Layout)}, &header{g, new(Layout)}) && wire.EqualTables(tables, f, g)
}

// Shaders returns the object as engines take it: one shader that starts at word
// 0. Calls of other objects are not linked.
func (f *File) Shaders() []pica.Shader {
	linked := shbin.File{
		Program: shbin.DVLP{Code: f.Code, Descriptors: f.Descriptors},
		Entries: []shbin.DVLE{{Type: f.Type, OutputMask: f.OutputMask, Tables: f.Tables}},
	}
	return linked.Shaders()
}
