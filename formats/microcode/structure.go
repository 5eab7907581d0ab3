package microcode

import (
	"encoding/binary"
	"slices"

	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/latte"
)

// Structure returns what the shader of the program says about it, or the stage alone if that is in another file.
func (p *Program) Structure() *latte.Structure {
	s := p.shader
	if s == nil {
		return &latte.Structure{Stage: p.Stage, StageOnly: true}
	}
	out := &latte.Structure{Stage: p.Stage, Mode: latte.Mode(s.Mode)}
	resources := latte.Resources.Field(p.Stage)
	out.GPRs, out.Stack = p.field(resources, "NUM_GPRS"), p.field(resources, "STACK_SIZE")
	switch p.Stage {
	case latte.Vertex:
		out.Inputs, out.Attributes = []int{0}, len(s.Fetched()) // R0 is the number of the vertex
	case latte.Pixel:
		p.pixel(out)
	case latte.Geometry:
		out.Inputs = []int{0, 1} // offsets of the vertices
	case latte.Copy:
		out.Inputs = []int{0} // the offset of the vertex
	}
	if s.Type != gx2.Pixel {
		p.outputs(out)
	}
	if p.Stage != latte.Copy { // a copy program has no tables of its own
		p.tables(out)
	}
	return out
}

// register returns a register by its name.
func (p *Program) register(name string) (uint32, gx2.Register) {
	for i, w := range p.shader.Registers {
		if r := p.shader.Type.Register(i); r.Name == name {
			return w, r
		}
	}
	panic("microcode: no register " + name)
}

// field returns a field of a register by its name.
func (p *Program) field(register, field string) int {
	w, r := p.register(register)
	i := slices.IndexFunc(r.Fields, func(f gx2.Bits) bool { return f.Name == field }) // panics if there is none
	return int(r.Fields[i].Of(w))
}

// outputs adds what a vertex or a copy program exports.
func (p *Program) outputs(out *latte.Structure) {
	out.Parameters = p.field("SPI_VS_OUT_CONFIG", "VS_EXPORT_COUNT") + 1
	ids := p.shader.Exports()
	words, _ := p.register("num_spi_vs_out_id")
	room := int(words) * idsInWord
	out.OutIDs = make([]uint8, room)
	for k := copy(out.OutIDs, ids); k < room; k++ {
		out.OutIDs[k] = gx2.NoSemantic
	}
	out.Positions = 1
	for _, name := range []string{"VS_OUT_MISC_VEC_ENA", "VS_OUT_CCDIST0_VEC_ENA", "VS_OUT_CCDIST1_VEC_ENA"} {
		out.Positions += p.field("PA_CL_VS_OUT_CNTL", name)
	}
}

const idsInWord = 4

// extraInputs are the registers that a pixel shader gets besides the interpolated ones.
var extraInputs = []struct{ register, enable, address string }{
	{"SPI_PS_IN_CONTROL_0", "POSITION_ENA", "POSITION_ADDR"},
	{"SPI_PS_IN_CONTROL_0", "PARAM_GEN", "PARAM_GEN_ADDR"},
	{"SPI_PS_IN_CONTROL_1", "GEN_INDEX_PIX", "GEN_INDEX_PIX_ADDR"},
	{"SPI_PS_IN_CONTROL_1", "FRONT_FACE_ENA", "FRONT_FACE_ADDR"},
	{"SPI_PS_IN_CONTROL_1", "FIXED_PT_POSITION_ENA", "FIXED_PT_POSITION_ADDR"},
}

// pixel adds the inputs and exports of a pixel shader.
func (p *Program) pixel(out *latte.Structure) {
	n := p.field("SPI_PS_IN_CONTROL_0", "NUM_INTERP") + p.field("SPI_PS_IN_CONTROL_0", "POSITION_ENA")
	for r := range n {
		out.Inputs = append(out.Inputs, r)
	}
	for _, x := range extraInputs {
		if p.field(x.register, x.enable) != 0 {
			out.Inputs = append(out.Inputs, p.field(x.register, x.address))
		}
	}
	mode := p.field("SQ_PGM_EXPORTS_PS", "EXPORT_MODE")
	out.Colours, out.Depth = mode>>1, mode&1 != 0
	out.ColourMask, _ = p.register("CB_SHADER_MASK")
	out.DepthWrite = p.field("DB_SHADER_CONTROL", "Z_EXPORT_ENABLE") != 0
	out.Kill = p.field("DB_SHADER_CONTROL", "KILL_ENABLE") != 0
}

// tables adds the tables of the shader.
func (p *Program) tables(out *latte.Structure) {
	s := p.shader
	for _, v := range s.Samplers {
		out.Samplers = append(out.Samplers, v.Location)
	}
	for _, b := range s.Blocks {
		out.Blocks = append(out.Blocks, latte.Block{Number: b.Location, Bytes: b.Size})
	}
	for _, u := range s.Uniforms {
		if u.Block == gx2.NoBlock {
			end := uint64(u.Offset) + max(u.Type.Words(uint64(u.Count)), 1)
			out.UniformRows = max(out.UniformRows, int((end+wordsInRow-1)/wordsInRow))
		}
	}
	for _, l := range s.Loops {
		out.Loops = append(out.Loops, binary.BigEndian.Uint32(l[:]))
		if p.little {
			out.Loops = append(out.Loops, binary.LittleEndian.Uint32(l[:])) // the order is undecided
		}
	}
	slices.Sort(out.Loops)
}

const wordsInRow = 4
