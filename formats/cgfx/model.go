package cgfx

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strconv"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/pica"
)

// File holds the shaders of a CGFX in the order of their DICT, references left out.
//
// The DVLBs of a parsed file are sub-slices of Layout.Bytes, a private copy of the input.
type File struct {
	Objects []Object `json:"shaders"`
	// Layout has the bytes of a parsed file; nil if the file was not parsed.
	Layout *Layout `json:"layout,omitempty"`
}

// Object is a shader: a name, a DVLB, and programs, which choose among its DVLEs.
type Object struct {
	Name     wire.Text `json:"name"`
	Programs []Program `json:"programs,omitempty"`
	DVLB     wire.Hex  `json:"dvlb"`
}

// Program names a vertex DVLE and a geometry DVLE to use together, by their indices in
// the DVLB; -1 means none.
type Program struct {
	Flag     uint32 `json:"flag"`
	Vertex   int32  `json:"vertex"`
	Geometry int32  `json:"geometry"`
	Opaque   Opaque `json:"opaque"`
}

// Opaque holds the bytes of unknown meaning in a program.
type Opaque [124]byte

// MarshalText returns the bytes in hex, or nothing when all are zero.
func (o Opaque) MarshalText() ([]byte, error) {
	if o == (Opaque{}) {
		return []byte{}, nil
	}
	return hex.AppendEncode(nil, o[:]), nil
}

// UnmarshalText reads the text that MarshalText returns.
func (o *Opaque) UnmarshalText(b []byte) error {
	*o = Opaque{}
	if len(b) == 0 {
		return nil
	}
	return wire.DecodeHex(o[:], b)
}

// Layout holds the bytes of a parsed file and the ranges of its DVLBs, so that a writer
// can keep all bytes outside them.
type Layout struct {
	Bytes wire.Hex `json:"bytes"`
	DVLBs []Range  `json:"dvlbs"` // in the order of File.Objects
	// References lists the names of shaders that are stored in other files.
	References []wire.Text `json:"references,omitempty"`
}

// Range is the place of a DVLB in the file.
type Range struct {
	Offset uint64 `json:"offset"`
	Size   uint64 `json:"size"`
}

// Binary parses the DVLB.
func (o *Object) Binary() (*shbin.File, error) { return shbin.Parse(o.DVLB) }

// Shaders returns a pica.Shader for each DVLE of all DVLBs, in their order. It skips a
// DVLB that shbin.Parse refuses.
func (f *File) Shaders() []pica.Shader {
	var list []pica.Shader
	for i := range f.Objects {
		if binary, err := f.Objects[i].Binary(); err == nil {
			list = append(list, binary.Shaders()...)
		}
	}
	return list
}

// Canonical returns the same shaders without the Layout, for writing in the canonical
// layout. The parts that Rest yields are lost.
func (f *File) Canonical() *File {
	c := *f
	c.Layout = nil
	return &c
}

// HasCanonical reports whether the file has a canonical form: a DICT that this package
// builds has no empty name and no name twice.
func (f *File) HasCanonical() bool {
	_, err := f.place()
	return err == nil
}

// Equal reports whether two files have the same shaders. It ignores Layout. A nil slice
// equals an empty one.
func (f *File) Equal(g *File) bool {
	return slices.EqualFunc(f.Objects, g.Objects, func(a, b Object) bool {
		return a.Name == b.Name && slices.Equal(a.Programs, b.Programs) && bytes.Equal(a.DVLB, b.DVLB)
	})
}

// shaderPrefix returns the prefix of paths in the object of DICT entry i. References
// count, so i may be larger than the shader's index in File.Objects.
func shaderPrefix(i int) string { return "shaders[" + strconv.Itoa(i) + "]." }
