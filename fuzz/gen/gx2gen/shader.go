package gx2gen

import (
	"encoding/binary"
	"slices"

	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// Shader draws a shader with few records in each table, and no initial values; loops
// says whether it may have loop variables.
func (d Drawer) Shader(t gx2.Type, mode gx2.Mode, loops bool) gx2.Shader {
	s := gen.Free[gx2.Shader](d.C, fields, false)
	s.Type, s.Registers, s.Mode, s.Code = t, d.Registers(t), mode, d.Data(8*(1+d.Count(3, 40)))
	for i := range Tables {
		if i != InitialTable && (loops || i != LoopTable) && (t == gx2.Vertex || i != AttributeTable) &&
			(mode != gx2.ModeRegister || i != BlockTable) {
			for range d.Count(1, 5) {
				d.AddRecord(&s, i)
			}
		}
	}
	if d.C.Chance(4) {
		d.addElement(&s)
	}
	if t == gx2.Geometry {
		s.CopyCode = d.Data(1 + d.Count(14, 300))
	}
	s.Stream.Enabled = uint32(d.C.Bits(1))
	for i := range s.Stream.Strides {
		s.Stream.Strides[i] = s.Stream.Strides[i] * s.Stream.Enabled &^ 3
	}
	if t == gx2.Pixel {
		s.Stream = gx2.StreamOut{}
	}
	return s
}

// Table describes a table of a shader.
type Table struct {
	Name  string // in paths
	Size  uint32 // of a record
	Named bool
	Len   func(s *gx2.Shader) int
	Add   func(d Drawer, s *gx2.Shader, name wire.Text)
	Names func(s *gx2.Shader) []*wire.Text
}

// The tables in the order of the structure and of gx2.Layout.
const (
	BlockTable = iota
	UniformTable
	InitialTable
	LoopTable
	SamplerTable
	AttributeTable
)

// Tables describes every table.
var Tables = [...]Table{
	BlockTable: tableOf("blocks", 0x0C, func(s *gx2.Shader) *[]gx2.UniformBlock { return &s.Blocks },
		func(v *gx2.UniformBlock) *wire.Text { return &v.Name },
		func(d Drawer, s *gx2.Shader, v *gx2.UniformBlock) {
			v.Location = freeLocation(uint32(d.C.Below(16)), 16, func(n uint32) bool {
				return slices.ContainsFunc(s.Blocks, func(o gx2.UniformBlock) bool { return o.Location == n })
			})
		}),
	UniformTable: tableOf("uniforms", 0x14, func(s *gx2.Shader) *[]gx2.UniformVar { return &s.Uniforms },
		func(v *gx2.UniformVar) *wire.Text { return &v.Name },
		func(d Drawer, s *gx2.Shader, v *gx2.UniformVar) {
			v.Type, v.Block = d.varType(), int32(d.C.Below(len(s.Blocks)+1))+gx2.NoBlock
			if s.Mode == gx2.ModeBlock {
				v.Block = max(v.Block, 0)
			}
			if limited(s, v) {
				v.Count = uint32(d.Count(1, 100))
			}
		}),
	InitialTable: tableOf("initial_values", 0x14, func(s *gx2.Shader) *[]gx2.InitialValue { return &s.InitialValues },
		nil,
		func(Drawer, *gx2.Shader, *gx2.InitialValue) {}),
	LoopTable: tableOf("loops", 0x08, func(s *gx2.Shader) *[]gx2.LoopVar { return &s.Loops }, nil,
		func(d Drawer, _ *gx2.Shader, v *gx2.LoopVar) { binary.BigEndian.PutUint32(v[:], uint32(d.C.Below(32))) }),
	SamplerTable: tableOf("samplers", 0x0C, func(s *gx2.Shader) *[]gx2.SamplerVar { return &s.Samplers },
		func(v *gx2.SamplerVar) *wire.Text { return &v.Name },
		func(d Drawer, s *gx2.Shader, v *gx2.SamplerVar) {
			v.Type = gen.Pick(d.C, samplerTypes)
			v.Location = freeLocation(uint32(d.C.Below(18)), 18, func(n uint32) bool {
				return slices.ContainsFunc(s.Samplers, func(o gx2.SamplerVar) bool { return o.Location == n })
			})
		}),
	AttributeTable: tableOf("attributes", 0x10, func(s *gx2.Shader) *[]gx2.AttribVar { return &s.Attributes },
		func(v *gx2.AttribVar) *wire.Text { return &v.Name },
		func(d Drawer, s *gx2.Shader, v *gx2.AttribVar) {
			v.Type = d.varType()
			v.Location = freeLocation(uint32(d.C.Below(32)), 32, func(n uint32) bool {
				return slices.ContainsFunc(s.Attributes, func(o gx2.AttribVar) bool { return o.Location == n })
			})
		}),
}

// tableOf describes a table of a shader: its list, the names in the list, and the constraints on a record with any
// values.
func tableOf[E any](name string, size uint32, list func(*gx2.Shader) *[]E, text func(*E) *wire.Text,
	constrain func(Drawer, *gx2.Shader, *E)) Table {
	return Table{
		Name: name, Size: size, Named: text != nil,
		Len: func(s *gx2.Shader) int { return len(*list(s)) },
		Add: func(d Drawer, s *gx2.Shader, name wire.Text) {
			v := gen.Free[E](d.C, fields, false)
			constrain(d, s, &v)
			if text != nil {
				*text(&v) = name
			}
			*list(s) = append(*list(s), v)
		},
		Names: func(s *gx2.Shader) []*wire.Text {
			records := *list(s)
			names := make([]*wire.Text, len(records))
			for i := range records {
				names[i] = text(&records[i])
			}
			return names
		},
	}
}

var samplerTypes = []gx2.SamplerType{gx2.Sampler1D, gx2.Sampler2D, gx2.Sampler3D, gx2.SamplerCube}

// LastVarType is the last type of a uniform or attribute.
const LastVarType = 38

func (d Drawer) varType() gx2.VarType { return gx2.VarType(d.C.Below(LastVarType + 1)) }

// Names returns where the names of a shader are, in table order.
func Names(s *gx2.Shader) []*wire.Text {
	var list []*wire.Text
	for i := range Tables {
		if Tables[i].Named {
			list = append(list, Tables[i].Names(s)...)
		}
	}
	return list
}

// AddRecord adds a record to a table of a shader. A shader in mode register must not get a block. In mode block the
// first uniform brings a block along.
func (d Drawer) AddRecord(s *gx2.Shader, table int) {
	if table == UniformTable && s.Mode == gx2.ModeBlock && len(s.Blocks) == 0 {
		d.AddRecord(s, BlockTable)
	}
	var name wire.Text
	if Tables[table].Named {
		name = d.shaderName(s)
	}
	Tables[table].Add(d, s, name)
	switch table {
	case UniformTable:
		i := len(s.Uniforms) - 1
		at := uint64(s.Uniforms[i].Offset)
		if d.C.Chance(12) {
			at = 4 * uint64(d.C.Bits(2))
		}
		place(s, i, at)
	case AttributeTable:
		fitSemantics(s)
	}
}

// shaderName draws a name, of any bytes, that the shader does not have: the
// canonical layout writes the bytes of a name that two tables have twice, the
// second time for nobody.
func (d Drawer) shaderName(s *gx2.Shader) wire.Text {
	t := d.Word()
	if d.C.Chance(2) {
		t = d.Odd(t)
	}
	return Fresh(t, Names(s), func(n *wire.Text) wire.Text { return *n })
}
