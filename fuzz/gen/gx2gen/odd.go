package gx2gen

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// StageTypes are all types.
var StageTypes = []gx2.Type{gx2.Vertex, gx2.Pixel, gx2.Geometry}

// StreamTypes have stream-out parameters.
var StreamTypes = []gx2.Type{gx2.Vertex, gx2.Geometry}

// Oddity changes a shader of a file so that a rule warns about a field, whose path Change
// returns.
type Oddity struct {
	Rule   string
	Change func(h *Holder) (path string)
}

// ofShader is an oddity of the structure of a shader of one of some types; change returns the
// name of the field.
func ofShader(rule string, types []gx2.Type, change func(d Drawer, s *gx2.Shader) (field string)) Oddity {
	return Oddity{rule, func(h *Holder) string {
		i := h.ShaderOf(types...)
		return h.Path(i, "."+change(h.Drawer, h.At(i)))
	}}
}

// ofRecord is an oddity of a field of record i of a table.
func ofRecord(rule string, table int, field string, change func(d Drawer, s *gx2.Shader, i int)) Oddity {
	return Oddity{rule, func(h *Holder) string {
		i, j := h.RecordOf(table)
		change(h.Drawer, h.At(i), j)
		return h.Path(i, record(table, j)+"."+field)
	}}
}

// ShaderOddities change the structure of a shader.
var ShaderOddities = []Oddity{
	ofShader("GX2003", StageTypes, func(d Drawer, s *gx2.Shader) string {
		array := gen.Pick(d.C, registerArrays[s.Type])
		if used := array.used(s.Registers); len(used) == array.len {
			switch array.count {
			case inputs.count:
				setInputs(s.Registers, nil, -1)
			case semantics.count:
				setSemantics(s.Registers, nil, array.fills[0])
				fitSemantics(s)
			default:
				SetOutputs(s.Registers, s.Type, nil)
			}
		}
		used := int(s.Registers[array.count])
		i := array.count + 1 + used + d.C.Below(array.len-used)
		wrong := gen.Pick(d.C,
			slices.DeleteFunc([]uint32{1, 0xFE, 0xFF, 0x100, 0xFF00, 0xFFFFFFFE, 0xFFFFFFFF},
				func(v uint32) bool { return slices.Contains(array.fills, v) }))
		s.Registers[i] = gen.Breach(d.C, wrong, array.fills[len(array.fills)-1])
		return s.Type.RegisterNames()[i]
	}),
	ofShader("GX2011", StageTypes, func(d Drawer, s *gx2.Shader) string {
		s.Code = d.Data(8*d.C.Below(4) + gen.Breach(d.C, 1+d.C.Below(7), 8))
		return "code_size"
	}),
	ofShader("GX2023", StreamTypes, func(d Drawer, s *gx2.Shader) string {
		i := d.C.Below(len(s.Stream.Strides))
		s.Stream.Strides[i] = d.Number()&^3 + uint32(gen.Breach(d.C, 1+d.C.Below(3), 4))
		s.Stream.Enabled = gen.Breach(d.C, s.Stream.Enabled, 1)
		return fmt.Sprintf("stream_out_stride[%d]", i)
	}),
	ofShader("GX2023", StreamTypes, func(d Drawer, s *gx2.Shader) string {
		i := d.C.Below(len(s.Stream.Strides))
		s.Stream.Enabled, s.Stream.Strides = gen.Breach[uint32](d.C, 0, 1), [4]uint32{}
		s.Stream.Strides[i] = max(d.Number()&^3, 4)
		return fmt.Sprintf("stream_out_stride[%d]", i)
	}),
}

// pastLocations draws a location above the last one; in a near miss, the last one that is free.
func (d Drawer) pastLocations(last uint32, taken func(v uint32) bool) uint32 {
	right := last
	for right > 0 && taken(right) {
		right--
	}
	wrong := uint32(d.C.Within(uint64(last)+1, math.MaxUint32))
	for taken(wrong) {
		wrong++
	}
	return gen.Breach(d.C, wrong, right)
}

// RecordOddities change a record of a table.
var RecordOddities = []Oddity{
	ofRecord("GX2042", LoopTable, "offset", func(d Drawer, s *gx2.Shader, i int) {
		binary.BigEndian.PutUint32(s.Loops[i][:], d.Past(31))
	}),
	{"GX2043", func(h *Holder) string {
		i, j := h.RecordOf(UniformTable)
		u := &h.At(i).Uniforms[j]
		h.Unshare(h.At(i), &u.Name)
		h.unshareBlocks(h.At(i))
		u.Type = gx2.VarType(h.Past(LastVarType))
		return h.Path(i, record(UniformTable, j)+".type")
	}},
	ofRecord("GX2043", AttributeTable, "type", func(d Drawer, s *gx2.Shader, i int) {
		s.Attributes[i].Type = gx2.VarType(d.Past(LastVarType))
	}),
	ofRecord("GX2043", SamplerTable, "type", func(d Drawer, s *gx2.Shader, i int) {
		s.Samplers[i].Type = gx2.SamplerType(gen.Breach(d.C, gen.Pick(d.C, []uint32{2, d.Above(4)}), 4))
	}),
	{"GX2044", func(h *Holder) string {
		shader, i := h.RecordOf(UniformTable)
		d, s := h.Drawer, h.At(shader)
		h.unshareBlocks(s)
		n := int32(len(s.Blocks))
		wrong := gen.Pick(d.C,
			[]int32{n, n + 1, n + int32(d.C.Bits(30)), math.MaxInt32, -2, -2 - int32(d.C.Bits(30)), math.MinInt32})
		s.Uniforms[i].Block = gen.Breach(d.C, wrong, n-1)
		return h.Path(shader, record(UniformTable, i)+".block")
	}},
	ofRecord("GX2045", BlockTable, "location",
		func(d Drawer, s *gx2.Shader, i int) {
			s.Blocks[i].Location = d.pastLocations(15, func(v uint32) bool {
				return slices.ContainsFunc(s.Blocks, func(o gx2.UniformBlock) bool { return o.Location == v })
			})
		}),
	ofRecord("GX2045", SamplerTable, "location",
		func(d Drawer, s *gx2.Shader, i int) {
			s.Samplers[i].Location = d.pastLocations(17, func(v uint32) bool {
				return slices.ContainsFunc(s.Samplers, func(o gx2.SamplerVar) bool { return o.Location == v })
			})
		}),
	ofRecord("GX2045", AttributeTable, "location",
		func(d Drawer, s *gx2.Shader, i int) {
			s.Attributes[i].Location = d.pastLocations(31, func(v uint32) bool {
				return slices.ContainsFunc(s.Attributes, func(o gx2.AttribVar) bool { return o.Location == v })
			})
		}),
	{"GX2046", func(h *Holder) string {
		t := gen.Pick(h.C, Named)
		i, j := h.RecordOf(t)
		name := Tables[t].Names(h.At(i))[j]
		*name = gen.Breach[wire.Text](h.C, "", "^")
		return h.Path(i, record(t, j)+".name")
	}},
}

// FullArrays are the rules that the largest count of a register array may break: its elements are the unused
// ones, too.
var FullArrays = []string{"GX2057", "GX2058", "GX2059", "GX2062", "GX2064", "GX2068"}

// WrongWord is a field of the structure of some types that breaks a rule by its value.
type WrongWord struct {
	Rule  string
	Types []gx2.Type
	Field string
	Wrong gen.Value
	Right gen.Value // of a near miss; nil: the present one
}

// aboveLimit is a field above the greatest right one.
func aboveLimit(rule string, types []gx2.Type, field string, limit uint64) WrongWord {
	return WrongWord{rule, types, field, gen.Above(limit), gen.OneOf(limit)}
}

// WrongWords break rules of severity Error, whatever else the structure holds.
var WrongWords = append([]WrongWord{
	aboveLimit("GX2002", StageTypes[gx2.Vertex:gx2.Pixel], "num_spi_vs_out_id", 10),
	aboveLimit("GX2002", StageTypes[gx2.Vertex:gx2.Pixel], "num_sq_vtx_semantic", 32),
	aboveLimit("GX2002", StageTypes[gx2.Pixel:gx2.Geometry], "num_spi_ps_input_cntl", 32),
	aboveLimit("GX2002", StageTypes[gx2.Geometry:], "num_spi_vs_out_id", 10),
	aboveLimit("GX2020", StageTypes, "mode", 3),
	aboveLimit("GX2022", StreamTypes, "stream_out", 1),
}, slices.Concat(bufferWords("buffer", StageTypes), bufferWords("copy_buffer", StageTypes[gx2.Geometry:]))...)

// bufferWords are the words of a GX2RBuffer, which are zero in a file.
func bufferWords(buffer string, types []gx2.Type) (list []WrongWord) {
	for _, field := range []string{".flags", ".element_size", ".element_count", ".pointer"} {
		list = append(list, WrongWord{"GX2024", types, buffer + field, gen.Other, nil})
	}
	return list
}
