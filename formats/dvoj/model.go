package dvoj

import (
	"slices"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/pica"
)

// File is a shader object. Raw bytes of a parsed file are sub-slices of one private
// copy of the input.
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

	// Leniencies lists the options that Parse needed to accept the file. AllowDVOB
	// also makes the writer use the magic "DVOB".
	Leniencies []Option `json:"leniencies,omitempty"`
	// Layout holds the places of a parsed file; nil means the canonical layout.
	Layout *Layout `json:"layout,omitempty"`
}

// Relocation refers to a code word. The meaning of the two other words is unknown.
type Relocation struct {
	Word     uint32 `json:"word"`
	Unknown  uint32 `json:"unknown1"`
	Unknown2 uint32 `json:"unknown2"`
}

// Layout holds data without meaning that a lossless writer needs. It applies as long as every
// table has the same length as when the layout was read.
type Layout struct {
	Size   uint64                  `json:"size"`
	Tables [numTables]shbin.Extent `json:"tables"` // in header order
	Gaps   []shbin.Gap             `json:"gaps,omitempty"`
}

// Canonical returns the same content without a layout and with the magic "DVOJ". Both
// files share their tables.
func (f *File) Canonical() *File {
	c := *f
	c.Layout = nil
	c.Leniencies = slices.DeleteFunc(slices.Clone(f.Leniencies), func(o Option) bool { return o == AllowDVOB })
	return &c
}

// Equal reports whether two files have the same content. Layouts are not compared. A
// nil slice equals an empty one.
func (f *File) Equal(g *File) bool {
	return headerRecord.Equal(&header{f, new(Layout)}, &header{g, new(Layout)}) && wire.EqualTables(tables, f, g)
}

// Shaders returns the object as one shader that starts at word 0. Calls of procedures
// in other objects are not linked.
func (f *File) Shaders() []pica.Shader {
	linked := shbin.File{
		DVLP:  shbin.DVLP{Code: f.Code, Descriptors: f.Descriptors},
		DVLEs: []shbin.DVLE{{Type: f.Type, OutputMask: f.OutputMask, Tables: f.Tables}},
	}
	return linked.Shaders()
}
