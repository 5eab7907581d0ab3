package sharcfbgen

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/fuzz/gen"
)

var shaderOddities = []oddity{
	oddShader("GX2003", stageTypes, func(d *drawing, s *gx2.Shader) string {
		names := s.Type.RegisterNames()
		counts := registerCounts(names)
		count := gen.Pick(d.c, counts)
		array := registerArrays[names[count]]
		used := min(int(s.Registers[count]), array.len-1)
		s.Registers[count] = uint32(used)
		i := count + 1 + used + d.c.Below(array.len-used)
		s.Registers[i] = gen.Pick(d.c, slices.DeleteFunc([]uint32{1, 0xFE, 0xFF, 0x100, 0xFF00, 0xFFFFFFFE, 0xFFFFFFFF}, func(v uint32) bool { return slices.Contains(array.fills, v) }))
		return names[i]
	}),
	oddShader("GX2011", stageTypes, func(d *drawing, s *gx2.Shader) string {
		s.Code = d.bytes(8*d.c.Below(4) + 1 + d.c.Below(7))
		return "code_size"
	}),
	oddShader("GX2023", streamTypes, func(d *drawing, s *gx2.Shader) string {
		i := d.c.Below(len(s.Stream.Strides))
		s.Stream.Strides[i] = d.number()&^3 | uint32(1+d.c.Below(3))
		return fmt.Sprintf("stream_out_stride[%d]", i)
	}),
	oddShader("GX2023", streamTypes, func(d *drawing, s *gx2.Shader) string {
		i := d.c.Below(len(s.Stream.Strides))
		s.Stream.Enabled, s.Stream.Strides = 0, [4]uint32{}
		s.Stream.Strides[i] = max(d.number()&^3, 4)
		return fmt.Sprintf("stream_out_stride[%d]", i)
	}),
	{"GX2021", func(d *drawing) where {
		p := &d.f.Programs[d.program()]
		modes := func(list ...gx2.Mode) gx2.Mode { return gen.Pick(d.c, list) }
		first := p.Binary(d.c.Below(p.Variations()), 0)
		mode := func(t gx2.Type) *gx2.Mode { return &d.f.Binaries[first+int(t)].Mode }
		t := stageTypes[d.c.Below(p.Kind.Stages())]
		switch {
		case t == gx2.Pixel && p.Kind == sharcfb.VertexPixel:
			*mode(t) = modes(1-*mode(gx2.Vertex)&1, gx2.ModeGeometry, gx2.ModeCompute)
		case t == gx2.Pixel:
			*mode(t) = modes(gx2.ModeGeometry, gx2.ModeCompute)
		case p.Kind == sharcfb.VertexPixelGeometry:
			*mode(t) = modes(gx2.ModeRegister, gx2.ModeBlock, gx2.ModeCompute)
		case d.c.Bits(1) == 0:
			*mode(t) = modes(gx2.ModeGeometry, gx2.ModeCompute)
		default: // the vertex shader decides, so that the pixel shader is wrong
			*mode(t) = 1 - *mode(t)&1
			t = gx2.Pixel
		}
		return at("binaries[%d].mode", first+int(t))
	}, nil},
	{"GX2041", func(d *drawing) where {
		i := d.shaderOf()
		d.makeLittle()
		for range 1 + d.c.Below(3) {
			d.addRecord(&d.f.Binaries[i].Shader, loopTable)
		}
		return at("binaries[%d].loops.count", i)
	}, nil},
}

// streamTypes have stream-out parameters.
var streamTypes = []gx2.Type{gx2.Vertex, gx2.Geometry}

// registerCounts lists the registers that count others.
func registerCounts(names []string) (counts []int) {
	for i, name := range names {
		if _, ok := registerArrays[name]; ok {
			counts = append(counts, i)
		}
	}
	return counts
}

// oddShader changes a shader of one of the given types, of which a field is
// reported.
func oddShader(rule string, types []gx2.Type, change func(d *drawing, s *gx2.Shader) string) oddity {
	return oddity{rule, func(d *drawing) where {
		i := d.shaderOf(types...)
		return at("binaries[%d].%s", i, change(d, &d.f.Binaries[i].Shader))
	}, nil}
}

var recordOddities = []oddity{
	oddRecord("GX2042", loopTable, "offset", func(d *drawing, s *gx2.Shader, i int) {
		binary.BigEndian.PutUint32(s.Loops[i][:], d.above(31))
	}),
	oddRecord("GX2043", uniformTable, "type", func(d *drawing, s *gx2.Shader, i int) { s.Uniforms[i].Type = gx2.VarType(d.above(lastVarType)) }),
	oddRecord("GX2043", attributeTable, "type", func(d *drawing, s *gx2.Shader, i int) { s.Attributes[i].Type = gx2.VarType(d.above(lastVarType)) }),
	oddRecord("GX2043", samplerTable, "type", func(d *drawing, s *gx2.Shader, i int) {
		s.Samplers[i].Type = gx2.SamplerType(gen.Pick(d.c, []uint32{2, d.above(4)}))
	}),
	oddRecord("GX2044", uniformTable, "block", func(d *drawing, s *gx2.Shader, i int) {
		n := int32(len(s.Blocks))
		s.Uniforms[i].Block = gen.Pick(d.c, []int32{n, n + 1, n + int32(d.c.Bits(30)), math.MaxInt32, -2, -2 - int32(d.c.Bits(30)), math.MinInt32})
	}),
	oddRecord("GX2045", blockTable, "location", func(d *drawing, s *gx2.Shader, i int) { s.Blocks[i].Location = d.above(15) }),
	oddRecord("GX2045", samplerTable, "location", func(d *drawing, s *gx2.Shader, i int) { s.Samplers[i].Location = d.above(17) }),
	oddRecord("GX2045", attributeTable, "location", func(d *drawing, s *gx2.Shader, i int) { s.Attributes[i].Location = d.above(31) }),
	{"GX2046", func(d *drawing) where {
		t := gen.Pick(d.c, swapped)
		i, j := d.recordOf(t)
		*tables[t].names(&d.f.Binaries[i].Shader)[j] = ""
		return at("binaries[%d].%s[%d].name", i, tables[t].name, j)
	}, nil},
	// The canonical writer leaves the bytes of the second name to nobody.
	{"GX2046", func(d *drawing) where { _, at := d.twins(); return at }, []string{"GX2047"}},
	{"GX2046", func(d *drawing) where {
		i, at := d.twins()
		d.lay(i, plan{})
		return at
	}, notCanonical},
}

// above draws a number above a limit.
func (d *drawing) above(limit uint64) uint32 { return uint32(d.c.Within(limit+1, math.MaxUint32)) }

// oddRecord changes a record of a table, of which a field is reported.
func oddRecord(rule string, table int, field string, change func(d *drawing, s *gx2.Shader, i int)) oddity {
	return oddity{rule, func(d *drawing) where {
		i, j := d.recordOf(table)
		change(d, &d.f.Binaries[i].Shader, j)
		return at("binaries[%d].%s[%d].%s", i, tables[table].name, j, field)
	}, nil}
}

// twins gives two records of a table the same name.
func (d *drawing) twins() (shader int, second where) {
	t := gen.Pick(d.c, swapped)
	shader, _ = d.recordOf(t)
	s := &d.f.Binaries[shader].Shader
	if tables[t].len(s) < 2 {
		d.addRecord(s, t)
	}
	names := tables[t].names(s)
	i, j := d.pair(len(names))
	*names[j] = *names[i]
	return shader, at("binaries[%d].%s[%d].name", shader, tables[t].name, j)
}
