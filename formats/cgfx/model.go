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

// File holds the shaders of a CGFX in the order of their DICT.
//
// Raw bytes and names of a parsed file are sub-slices of one private copy of the
// input.
type File struct {
	Objects []Object `json:"shaders"`
	// Layout is the parsed file; nil if the shaders were not parsed.
	Layout *Layout `json:"layout,omitempty"`
}

// Object is a named DVLB and the pairs of its DVLEs that are used together.
type Object struct {
	Name     wire.Text `json:"name"`
	Programs []Program `json:"programs,omitempty"`
	DVLB     wire.Hex  `json:"dvlb"`
}

// Program pairs a vertex DVLE with a geometry DVLE by their indices in the DVLB; -1
// means none.
type Program struct {
	Flag     uint32 `json:"flag"`
	Vertex   int32  `json:"vertex"`
	Geometry int32  `json:"geometry"`
	Opaque   Opaque `json:"opaque"`
}

// Opaque holds the bytes of a program whose meaning is unknown.
type Opaque [124]byte

// MarshalText returns the bytes in hex, or nothing when all are zero.
func (o Opaque) MarshalText() ([]byte, error) {
	if o == (Opaque{}) {
		return []byte{}, nil
	}
	return hex.AppendEncode(nil, o[:]), nil
}

// UnmarshalText reads what MarshalText returns.
func (o *Opaque) UnmarshalText(b []byte) error {
	*o = Opaque{}
	if len(b) == 0 {
		return nil
	}
	return wire.DecodeHex(o[:], b)
}

// Layout holds the bytes of a parsed file and the ranges of its DVLBs.
type Layout struct {
	Bytes wire.Hex `json:"bytes"`
	DVLBs []Range  `json:"dvlbs"`
	// References lists the names of shaders that are stored in other files.
	References []wire.Text `json:"references,omitempty"`
}

// Range is a part of the file.
type Range struct {
	Offset uint64 `json:"offset"`
	Size   uint64 `json:"size"`
}

// Binary parses the DVLB.
func (o *Object) Binary() (*shbin.File, error) { return shbin.Parse(o.DVLB) }

// Shaders returns a shader for each DVLE of all DVLBs, in their order. A DVLB that
// Parse would refuse has none.
func (f *File) Shaders() []pica.Shader {
	var list []pica.Shader
	for i := range f.Objects {
		if binary, err := f.Objects[i].Binary(); err == nil {
			list = append(list, binary.Shaders()...)
		}
	}
	return list
}

// Canonical returns the same shaders without the parsed file. It loses all parts that
// Rest yields.
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

// Equal reports whether two files have the same shaders. A nil slice equals an
// empty one.
func (f *File) Equal(g *File) bool {
	return slices.EqualFunc(f.Objects, g.Objects, func(a, b Object) bool {
		return a.Name == b.Name && slices.Equal(a.Programs, b.Programs) && bytes.Equal(a.DVLB, b.DVLB)
	})
}

// shaderPrefix returns the prefix of paths in a shader.
func shaderPrefix(i int) string { return "shaders[" + strconv.Itoa(i) + "]." }
