package sharcfbgen

import (
	"encoding/binary"
	"slices"

	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/sharcfb"
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

// registers draws the registers of a type, most often zeros.
func (d *drawing) registers(t gx2.Type) []uint32 {
	names := t.RegisterNames()
	words := make([]uint32, len(names))
	busy := d.c.Chance(5)
	for i := 0; i < len(words); i++ {
		array, counts := registerArrays[names[i]]
		if !counts {
			words[i] = d.register(busy)
			continue
		}
		used := 0
		if busy {
			used = d.c.Below(array.len + 1)
		}
		words[i] = uint32(used)
		fill := gen.Pick(d.c, array.fills)
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

func (d *drawing) register(busy bool) uint32 {
	if busy {
		return d.number()
	}
	return 0
}

// shader draws a shader with few records in each table.
func (d *drawing) shader(t gx2.Type, mode gx2.Mode) gx2.Shader {
	s := gx2.Shader{Type: t, Registers: d.registers(t), Mode: mode, Code: d.bytes(8 * (1 + d.count(3, 40)))}
	for i := range tables {
		if d.has(&s, i) {
			for range d.count(1, 5) {
				d.addRecord(&s, i)
			}
		}
	}
	if t == gx2.Geometry {
		s.CopyCode = d.bytes(1 + d.count(14, 300))
	}
	if t != gx2.Pixel {
		s.Stream.RingItemSize = d.number()
		if s.Stream.Enabled = uint32(d.c.Bits(1)); s.Stream.Enabled != 0 {
			for i := range s.Stream.Strides {
				s.Stream.Strides[i] = d.number() &^ 3
			}
		}
	}
	return s
}

// table describes a table of a shader.
type table struct {
	name  string // in paths
	size  uint32 // of a record
	named bool
	len   func(s *gx2.Shader) int
	add   func(d *drawing, s *gx2.Shader, name wire.Text)
	names func(s *gx2.Shader) []*wire.Text
}

// The tables in the order of the structure and of gx2.Layout.
const (
	blockTable = iota
	uniformTable
	initialTable
	loopTable
	samplerTable
	attributeTable
)

var tables = [...]table{
	blockTable: tableOf("blocks", 0x0C, func(s *gx2.Shader) *[]gx2.UniformBlock { return &s.Blocks }, func(v *gx2.UniformBlock) *wire.Text { return &v.Name },
		func(d *drawing, _ *gx2.Shader) gx2.UniformBlock {
			return gx2.UniformBlock{Location: uint32(d.c.Below(16)), Size: d.number()}
		}),
	uniformTable: tableOf("uniforms", 0x14, func(s *gx2.Shader) *[]gx2.UniformVar { return &s.Uniforms }, func(v *gx2.UniformVar) *wire.Text { return &v.Name },
		func(d *drawing, s *gx2.Shader) gx2.UniformVar {
			return gx2.UniformVar{Type: d.varType(), Count: d.number(), Offset: d.number(), Block: int32(d.c.Below(len(s.Blocks)+1)) + gx2.NoBlock}
		}),
	initialTable: {name: "initial_values", size: 0x14, len: func(*gx2.Shader) int { return 0 }},
	loopTable: tableOf("loops", 0x08, func(s *gx2.Shader) *[]gx2.LoopVar { return &s.Loops }, nil,
		func(d *drawing, _ *gx2.Shader) (v gx2.LoopVar) {
			binary.BigEndian.PutUint32(v[:], uint32(d.c.Below(32)))
			binary.BigEndian.PutUint32(v[4:], d.number())
			return v
		}),
	samplerTable: tableOf("samplers", 0x0C, func(s *gx2.Shader) *[]gx2.SamplerVar { return &s.Samplers }, func(v *gx2.SamplerVar) *wire.Text { return &v.Name },
		func(d *drawing, _ *gx2.Shader) gx2.SamplerVar {
			return gx2.SamplerVar{Type: gen.Pick(d.c, samplerTypes), Location: uint32(d.c.Below(18))}
		}),
	attributeTable: tableOf("attributes", 0x10, func(s *gx2.Shader) *[]gx2.AttribVar { return &s.Attributes }, func(v *gx2.AttribVar) *wire.Text { return &v.Name },
		func(d *drawing, _ *gx2.Shader) gx2.AttribVar {
			return gx2.AttribVar{Type: d.varType(), Count: d.number(), Location: uint32(d.c.Below(32))}
		}),
}

// tableOf describes a table by where its list and the names in it are, and how a
// record is drawn.
func tableOf[E any](name string, size uint32, list func(*gx2.Shader) *[]E, text func(*E) *wire.Text, draw func(*drawing, *gx2.Shader) E) table {
	return table{
		name: name, size: size, named: text != nil,
		len: func(s *gx2.Shader) int { return len(*list(s)) },
		add: func(d *drawing, s *gx2.Shader, name wire.Text) {
			v := draw(d, s)
			if text != nil {
				*text(&v) = name
			}
			*list(s) = append(*list(s), v)
		},
		names: func(s *gx2.Shader) []*wire.Text {
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

// lastVarType is the last type of a uniform or attribute.
const lastVarType = 38

func (d *drawing) varType() gx2.VarType { return gx2.VarType(d.c.Below(lastVarType + 1)) }

// has reports whether a shader may have records in a table: loop variables only
// in big-endian archives, attributes only in vertex shaders.
func (d *drawing) has(s *gx2.Shader, table int) bool {
	switch table {
	case loopTable:
		return d.f.Endian == sharcfb.Big
	case attributeTable:
		return s.Type == gx2.Vertex
	}
	return table != initialTable
}

// names returns where the names of a shader are, in table order.
func names(s *gx2.Shader) []*wire.Text {
	var list []*wire.Text
	for i := range tables {
		if tables[i].named {
			list = append(list, tables[i].names(s)...)
		}
	}
	return list
}

// addRecord adds a record to a table of a shader.
func (d *drawing) addRecord(s *gx2.Shader, table int) {
	var name wire.Text
	if tables[table].named {
		name = d.shaderName(s)
	}
	tables[table].add(d, s, name)
}

// shaderName draws a name, of any bytes, that the shader does not have: the
// canonical layout writes the bytes of a name that two tables have twice, the
// second time for nobody.
func (d *drawing) shaderName(s *gx2.Shader) wire.Text {
	t := d.word()
	if d.c.Chance(2) {
		t = d.odd(t)
	}
	return fresh(t, names(s), func(n *wire.Text) wire.Text { return *n })
}

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
	return gen.Pick(d.c, list)
}

// recordOf returns a shader binary and the index of one of its records in a
// table; it is added if need be.
func (d *drawing) recordOf(table int) (binary, record int) {
	if table == loopTable {
		d.f.Endian = sharcfb.Big
	}
	if table == attributeTable {
		binary = d.shaderOf(gx2.Vertex)
	} else {
		binary = d.shaderOf()
	}
	s := &d.f.Binaries[binary].Shader
	if tables[table].len(s) == 0 {
		d.addRecord(s, table)
	}
	return binary, d.c.Below(tables[table].len(s))
}
