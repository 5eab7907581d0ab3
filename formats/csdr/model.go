package csdr

import (
	"slices"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/pica"
)

// File is the shaders of a .csdr text. Raw elements are kept unchanged, tags included; ""
// means that the element is absent. The first of several is kept.
type File struct {
	Version  string   `json:"version"`             // of GraphicsContentCtr, usually 0.7.0
	EditData string   `json:"edit_data,omitempty"` // raw element
	Objects  []Object `json:"shaders"`
	// Layout is the text from which the shaders were read, or nil.
	Layout *Layout `json:"layout,omitempty"`
}

// Object is a ShaderCtr: a named DVLB.
type Object struct {
	Name         string   `json:"name"`
	DVLB         wire.Hex `json:"dvlb"`
	EditData     string   `json:"edit_data,omitempty"`    // raw element
	ShaderKinds  string   `json:"shader_kinds,omitempty"` // raw element
	Descriptions string   `json:"descriptions,omitempty"` // raw element
}

// Layout is a whole text.
type Layout struct {
	Text string `json:"text"`
}

// Binary parses the DVLB.
func (o *Object) Binary() (*shbin.File, error) { return shbin.Parse(o.DVLB) }

// Shaders returns a shader for each DVLE of all DVLBs, in their order. A DVLB
// that Parse would refuse has none.
func (f *File) Shaders() []pica.Shader {
	var list []pica.Shader
	for i := range f.Objects {
		if binary, err := f.Objects[i].Binary(); err == nil {
			list = append(list, binary.Shaders()...)
		}
	}
	return list
}

// Canonical returns the same shaders without their text.
// Comments, unknown elements and white space are lost.
func (f *File) Canonical() *File {
	c := *f
	c.Layout = nil
	return &c
}

// Equal reports whether two files have the same content, whatever their text. A
// nil slice equals an empty one.
func (f *File) Equal(g *File) bool {
	return f.Version == g.Version && f.EditData == g.EditData &&
		slices.EqualFunc(f.Objects, g.Objects, func(a, b Object) bool {
			return a.Name == b.Name && slices.Equal(a.DVLB, b.DVLB) &&
				a.EditData == b.EditData && a.ShaderKinds == b.ShaderKinds && a.Descriptions == b.Descriptions
		})
}
