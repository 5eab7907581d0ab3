package gx2

import (
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/wire"
)

// Register is a word in front of the program part of a structure: a register of the GPU, or the
// count of an array of them, which has no fields.
type Register struct {
	Name   string
	Fields []Bits
}

// Bits is a field of a register.
type Bits struct {
	Name      string
	Low, High uint8    // its first and last bit
	Values    []string // names of the values from 0 on, if these have some
	always    bool     // it is shown when it is 0, too
}

// Of returns the value that the field has in a register.
func (f Bits) Of(word uint32) uint32 { return word & f.Mask() >> f.Low }

// Mask returns the bits of the field in the register.
func (f Bits) Mask() uint32 { return ^uint32(0) >> (31 - f.High) &^ (1<<f.Low - 1) }

// Mask returns the bits that are in a field; all of a count.
func (r Register) Mask() (mask uint32) {
	if len(r.Fields) == 0 {
		return ^mask
	}
	for _, f := range r.Fields {
		mask |= f.Mask()
	}
	return mask
}

// Text describes a register by its fields: "NUM_GPRS 3, STACK_SIZE 1". Most fields that are 0 are left
// out. Bits outside of the fields come last.
func (r Register) Text(word uint32) string {
	var parts []string
	for _, f := range r.Fields {
		v := f.Of(word)
		switch {
		case v == 0 && !f.always:
		case uint64(v) < uint64(len(f.Values)):
			parts = append(parts, f.Name+" "+f.Values[v])
		default:
			parts = append(parts, fmt.Sprintf("%s %d", f.Name, v))
		}
	}
	if rest := word &^ r.Mask(); rest != 0 {
		parts = append(parts, fmt.Sprintf("0x%x in no field", rest))
	}
	return strings.Join(parts, ", ")
}

// show prints a register and its fields: "0x103: NUM_GPRS 3, STACK_SIZE 1".
func (r Register) show(word uint64) string {
	if text := r.Text(uint32(word)); text != "" {
		return fmt.Sprintf("0x%x: %s", word, text)
	}
	return wire.ShowHex(word)
}

// registerGroup is a register, or a counted array of registers.
type registerGroup struct {
	name   string
	count  string // name of the count of an array
	len    int
	fills  [2]uint32
	fields []Bits
}

const unusedOutID, unusedSemantic = 0xFFFFFFFF, 0xFF

// number is a field of some bits; shown is one that is shown when it is 0, too.
func number(name string, low, high uint8) Bits { return Bits{Name: name, Low: low, High: high} }

func shown(name string, low, high uint8) Bits {
	return Bits{Name: name, Low: low, High: high, always: true}
}

// flag is a field of one bit.
func flag(name string, bit uint8) Bits { return number(name, bit, bit) }

// named is a field whose values have names.
func named(name string, low, high uint8, values ...string) Bits {
	return Bits{Name: name, Low: low, High: high, Values: values, always: true}
}

// each is a row of n fields of a size from a bit on; format makes their names from their numbers.
func each(format string, low, n, size uint8) (row []Bits) {
	for i := range n {
		row = append(row, number(fmt.Sprintf(format, i), low+i*size, low+i*size+size-1))
	}
	return row
}

// alwaysShown makes each field of a row one that is shown when it is 0, too.
func alwaysShown(row []Bits) []Bits {
	for i := range row {
		row[i].always = true
	}
	return row
}

// The fields of registers that several structures have, as in decaf-emu's latte_registers headers;
// Cemu agrees where it has the register.
var (
	resourceFields = []Bits{
		shown("NUM_GPRS", 0, 7), shown("STACK_SIZE", 8, 15), flag("DX10_CLAMP", 21), flag("PRIME_CACHE_PGM_EN", 22),
		flag("PRIME_CACHE_ON_DRAW", 23), number("FETCH_CACHE_LINES", 24, 26), flag("UNCACHED_FIRST_INST", 28),
		flag("PRIME_CACHE_ENABLE", 29), flag("PRIME_CACHE_ON_CONST", 30),
	}
	outConfigFields = []Bits{
		flag("VS_PER_COMPONENT", 0), shown("VS_EXPORT_COUNT", 1, 5), flag("VS_EXPORTS_FOG", 8),
		number("VS_OUT_FOG_VEC_ADDR", 9, 13),
	}
	outIDFields = alwaysShown(each("SEMANTIC_%d", 0, 4, 8)) // the first semantic is 0
	clipFields  = slices.Concat(each("CLIP_DIST_ENA_%d", 0, 8, 1), each("CULL_DIST_ENA_%d", 8, 8, 1), outputFlags)
	outputFlags = []Bits{
		flag("USE_VTX_POINT_SIZE", 16), flag("USE_VTX_EDGE_FLAG", 17), flag("USE_VTX_RENDER_TARGET_INDX", 18),
		flag("USE_VTX_VIEWPORT_INDX", 19), flag("USE_VTX_KILL_FLAG", 20), flag("VS_OUT_MISC_VEC_ENA", 21),
		flag("VS_OUT_CCDIST0_VEC_ENA", 22), flag("VS_OUT_CCDIST1_VEC_ENA", 23), flag("VS_OUT_MISC_SIDE_BUS_ENA", 24),
		flag("USE_VTX_GS_CUT_FLAG", 25),
	}
	streamFields = each("BUFFER_%d_EN", 0, 4, 1)
)

// defaults are the values that an input reads which no output has.
var defaults = []string{"0,0,0,0", "0,0,0,1", "1,1,1,0", "1,1,1,1"}

// The registers of each type, in the order of the structure.
var (
	vertexRegisters = []registerGroup{
		{name: "SQ_PGM_RESOURCES_VS", fields: resourceFields},
		{name: "VGT_PRIMITIVEID_EN", fields: []Bits{flag("PRIMITIVEID_EN", 0)}},
		{name: "SPI_VS_OUT_CONFIG", fields: outConfigFields},
		{name: "SPI_VS_OUT_ID", count: "num_spi_vs_out_id", len: 10, fills: [2]uint32{unusedOutID, 0},
			fields: outIDFields},
		{name: "PA_CL_VS_OUT_CNTL", fields: clipFields},
		{name: "SQ_VTX_SEMANTIC_CLEAR", fields: []Bits{number("CLEAR", 0, 31)}},
		{name: "SQ_VTX_SEMANTIC", count: "num_sq_vtx_semantic", len: 32, fills: [2]uint32{unusedSemantic, 0},
			fields: []Bits{shown("SEMANTIC_ID", 0, 7)}},
		{name: "VGT_STRMOUT_BUFFER_EN", fields: streamFields},
		{name: "VGT_VERTEX_REUSE_BLOCK_CNTL", fields: []Bits{shown("VTX_REUSE_DEPTH", 0, 7)}},
		{name: "VGT_HOS_REUSE_DEPTH", fields: []Bits{shown("REUSE_DEPTH", 0, 7)}},
	}
	pixelRegisters = []registerGroup{
		{name: "SQ_PGM_RESOURCES_PS", fields: append(slices.Clip(resourceFields), flag("CLAMP_CONSTS", 31))},
		{name: "SQ_PGM_EXPORTS_PS", fields: []Bits{shown("EXPORT_MODE", 0, 4)}},
		{name: "SPI_PS_IN_CONTROL_0", fields: []Bits{
			shown("NUM_INTERP", 0, 5), flag("POSITION_ENA", 8), flag("POSITION_CENTROID", 9),
			number("POSITION_ADDR", 10, 14), number("PARAM_GEN", 15, 18), number("PARAM_GEN_ADDR", 19, 25),
			number("BARYC_SAMPLE_CNTL", 26, 27), flag("PERSP_GRADIENT_ENA", 28), flag("LINEAR_GRADIENT_ENA", 29),
			flag("POSITION_SAMPLE", 30), flag("BARYC_AT_SAMPLE_ENA", 31),
		}},
		{name: "SPI_PS_IN_CONTROL_1", fields: []Bits{
			flag("GEN_INDEX_PIX", 0), number("GEN_INDEX_PIX_ADDR", 1, 7), flag("FRONT_FACE_ENA", 8),
			number("FRONT_FACE_CHAN", 9, 10), flag("FRONT_FACE_ALL_BITS", 11), number("FRONT_FACE_ADDR", 12, 16),
			number("FOG_ADDR", 17, 23), flag("FIXED_PT_POSITION_ENA", 24), number("FIXED_PT_POSITION_ADDR", 25, 29),
			flag("POSITION_ULC", 30),
		}},
		{name: "SPI_PS_INPUT_CNTL", count: "num_spi_ps_input_cntl", len: 32, fields: []Bits{
			shown("SEMANTIC", 0, 7), named("DEFAULT_VAL", 8, 9, defaults...), flag("FLAT_SHADE", 10),
			flag("SEL_CENTROID", 11), flag("SEL_LINEAR", 12), number("CYL_WRAP", 13, 16), flag("PT_SPRITE_TEX", 17),
			flag("SEL_SAMPLE", 18),
		}},
		{name: "CB_SHADER_MASK", fields: each("OUTPUT%d_ENABLE", 0, 8, 4)},
		{name: "CB_SHADER_CONTROL", fields: each("RT%d_ENABLE", 0, 8, 1)},
		{name: "DB_SHADER_CONTROL", fields: []Bits{
			flag("Z_EXPORT_ENABLE", 0), flag("STENCIL_REF_EXPORT_ENABLE", 1),
			named("Z_ORDER", 4, 5, "late", "early then late", "re-Z", "early then re-Z"), flag("KILL_ENABLE", 6),
			flag("COVERAGE_TO_MASK_ENABLE", 7), flag("MASK_EXPORT_ENABLE", 8), flag("DUAL_EXPORT_ENABLE", 9),
			flag("EXEC_ON_HIER_FAIL", 10), flag("EXEC_ON_NOOP", 11), flag("ALPHA_TO_MASK_DISABLE", 12),
		}},
		{name: "SPI_INPUT_Z", fields: []Bits{flag("PROVIDE_Z_TO_SPI", 0)}},
	}
	geometryRegisters = []registerGroup{
		{name: "SQ_PGM_RESOURCES_GS", fields: resourceFields},
		{name: "VGT_GS_OUT_PRIM_TYPE", fields: []Bits{
			named("PRIM_TYPE", 0, 5, "point list", "line strip", "triangle strip"),
		}},
		{name: "VGT_GS_MODE", fields: []Bits{
			named("MODE", 0, 1, "off", "scenario A", "scenario B", "scenario G"), flag("ES_PASSTHRU", 2),
			named("CUT_MODE", 3, 4, "1024", "512", "256", "128"), flag("MODE_HI", 8), flag("GS_C_PACK_EN", 11),
			flag("COMPUTE_MODE", 14), flag("FAST_COMPUTE_MODE", 15), flag("ELEMENT_INFO_EN", 16),
			flag("PARTIAL_THD_AT_EOI", 17),
		}},
		{name: "PA_CL_VS_OUT_CNTL", fields: clipFields},
		{name: "SQ_PGM_RESOURCES_VS", fields: resourceFields},
		{name: "SQ_GS_VERT_ITEMSIZE", fields: []Bits{shown("ITEMSIZE", 0, 14)}},
		{name: "SPI_VS_OUT_CONFIG", fields: outConfigFields},
		{name: "SPI_VS_OUT_ID", count: "num_spi_vs_out_id", len: 10, fills: [2]uint32{unusedOutID, 0},
			fields: outIDFields},
		{name: "VGT_STRMOUT_BUFFER_EN", fields: streamFields},
	}
)

// RegisterNames returns the names of the words in Registers of a shader of the
// type, which must be known.
func (t Type) RegisterNames() []string {
	words := structures[t].words
	names := make([]string, len(words))
	for i := range words {
		names[i] = words[i].Name
	}
	return names
}

// Register describes word i in Registers of a shader of the type, which must be known.
func (t Type) Register(i int) Register { return structures[t].words[i] }

// bitsAt is a field of one of the registers of a type.
type bitsAt struct {
	word int
	mask uint32
	low  uint8
}

// fieldOf finds a field by the names of register and field, which the type has.
func fieldOf(t Type, register, field string) bitsAt {
	for _, f := range structures[t].words[wordOf(t, register)].Fields {
		if f.Name == field {
			return bitsAt{wordOf(t, register), f.Mask(), f.Low}
		}
	}
	panic("gx2: no field " + field + " of " + register)
}

// in returns the value of the field in a shader.
func (f bitsAt) in(s *Shader) uint32 { return f.of(s.Registers[f.word]) }

func (f bitsAt) of(word uint32) uint32 { return word & f.mask >> f.low }

// wordOf finds a register, or the count of an array, by its name.
func wordOf(t Type, register string) int {
	for i, r := range structures[t].words {
		if r.Name == register {
			return i
		}
	}
	panic("gx2: no register " + register)
}

// arrayOf finds a register array by the name of its count.
func arrayOf(t Type, count string) array {
	for _, a := range structures[t].arrays {
		if a.count == wordOf(t, count) {
			return a
		}
	}
	panic("gx2: no register array " + count)
}

// used returns the elements of the array that a shader uses.
func (a array) used(s *Shader) []uint32 {
	first := a.count + 1
	return s.Registers[first : first+int(s.Registers[a.count])]
}
