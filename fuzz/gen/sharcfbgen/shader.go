package sharcfbgen

import (
	"slices"

	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/gx2gen"
)

// shaderOf returns the index of a shader binary of one of the given types, or of
// any; one is added if there is none.
func (d *drawing) shaderOf(types ...gx2.Type) int {
	find := func() (list []int) {
		for i := range d.f.Binaries {
			if len(types) == 0 || slices.Contains(types, d.f.Binaries[i].Type) {
				list = append(list, i)
			}
		}
		return list
	}
	list := find()
	if len(list) == 0 {
		d.addProgram(sharcfb.VertexPixelGeometry)
		list = find()
	}
	return gen.Pick(d.C, list)
}

// recordOf returns a shader binary and the index of one of its records in a
// table; it is added if need be.
func (d *drawing) recordOf(table int) (binary, record int) {
	if table == gx2gen.LoopTable {
		d.f.Endian = sharcfb.Big
	}
	if table == gx2gen.AttributeTable {
		binary = d.shaderOf(gx2.Vertex)
	} else {
		binary = d.shaderOf()
	}
	s := &d.f.Binaries[binary].Shader
	if gx2gen.Tables[table].Len(s) == 0 {
		d.AddRecord(s, table)
	}
	return binary, d.C.Below(gx2gen.Tables[table].Len(s))
}
