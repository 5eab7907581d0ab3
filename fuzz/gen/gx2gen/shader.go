package gx2gen

import (
	"encoding/binary"

	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// registerArray is what a register that counts the used elements behind it
// allows.
type registerArray struct {
	len   int
	fills []uint32 // of unused elements
}

var registerArrays = map[string]registerArray{
	"num_spi_vs_out_id":     {10, []uint32{0, 0xFFFFFFFF}},
	"num_sq_vtx_semantic":   {32, []uint32{0, 0xFF}},
	"num_spi_ps_input_cntl": {32, []uint32{0}},
}

// Registers draws the registers of a type, most often zeros.
func (d Drawer) Registers(t gx2.Type) []uint32 {
	names := t.RegisterNames()
	words := make([]uint32, len(names))
	busy := d.C.Chance(5)
	for i := 0; i < len(words); i++ {
		array, counts := registerArrays[names[i]]
		if !counts {
			words[i] = d.register(busy)
			continue
		}
		used := 0
		if busy {
			used = d.C.Below(array.len + 1)
		}
		words[i] = uint32(used)
		fill := gen.Pick(d.C, array.fills)
		for k := range array.len {
			if i++; k < used {
				words[i] = d.register(busy)
			} else {
				words[i] = fill
			}
		}
	}
	return words
}

func (d Drawer) register(busy bool) uint32 {
	if busy {
		return d.Number()
	}
	return 0
}

// Shader draws a shader with few records in each table, and no initial values; loops
// says whether it may have loop variables.
func (d Drawer) Shader(t gx2.Type, mode gx2.Mode, loops bool) gx2.Shader {
	s := gen.Free[gx2.Shader](d.C, fields, false)
	s.Type, s.Registers, s.Mode, s.Code = t, d.Registers(t), mode, d.Data(8*(1+d.Count(3, 40)))
	for i := range Tables {
		if i != InitialTable && (loops || i != LoopTable) && (t == gx2.Vertex || i != AttributeTable) {
			for range d.Count(1, 5) {
				d.AddRecord(&s, i)
			}
		}
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
		func(d Drawer, _ *gx2.Shader, v *gx2.UniformBlock) { v.Location = uint32(d.C.Below(16)) }),
	UniformTable: tableOf("uniforms", 0x14, func(s *gx2.Shader) *[]gx2.UniformVar { return &s.Uniforms },
		func(v *gx2.UniformVar) *wire.Text { return &v.Name },
		func(d Drawer, s *gx2.Shader, v *gx2.UniformVar) {
			v.Type, v.Block = d.varType(), int32(d.C.Below(len(s.Blocks)+1))+gx2.NoBlock
		}),
	InitialTable: tableOf("initial_values", 0x14, func(s *gx2.Shader) *[]gx2.InitialValue { return &s.InitialValues },
		nil,
		func(Drawer, *gx2.Shader, *gx2.InitialValue) {}),
	LoopTable: tableOf("loops", 0x08, func(s *gx2.Shader) *[]gx2.LoopVar { return &s.Loops }, nil,
		func(d Drawer, _ *gx2.Shader, v *gx2.LoopVar) { binary.BigEndian.PutUint32(v[:], uint32(d.C.Below(32))) }),
	SamplerTable: tableOf("samplers", 0x0C, func(s *gx2.Shader) *[]gx2.SamplerVar { return &s.Samplers },
		func(v *gx2.SamplerVar) *wire.Text { return &v.Name },
		func(d Drawer, _ *gx2.Shader, v *gx2.SamplerVar) {
			v.Type, v.Location = gen.Pick(d.C, samplerTypes), uint32(d.C.Below(18))
		}),
	AttributeTable: tableOf("attributes", 0x10, func(s *gx2.Shader) *[]gx2.AttribVar { return &s.Attributes },
		func(v *gx2.AttribVar) *wire.Text { return &v.Name },
		func(d Drawer, _ *gx2.Shader, v *gx2.AttribVar) {
			v.Type, v.Location = d.varType(), uint32(d.C.Below(32))
		}),
}

// tableOf describes a table by where its list and the names in it are, and by what
// constrains a record of any values.
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

// AddRecord adds a record to a table of a shader.
func (d Drawer) AddRecord(s *gx2.Shader, table int) {
	var name wire.Text
	if Tables[table].Named {
		name = d.shaderName(s)
	}
	Tables[table].Add(d, s, name)
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
