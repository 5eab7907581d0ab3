package latte

// Structure is what the structure of a GX2 shader says about its program.
type Structure struct {
	Stage     Stage
	StageOnly bool // nothing else is known
	Mode      Mode
	GPRs      int // NUM_GPRS
	Stack     int // STACK_SIZE

	// Inputs are the registers that hold values when the program starts, those of attributes apart.
	Inputs     []int
	Attributes int // of a vertex shader: CALL_FS loads them into R1 and up

	// What a vertex shader without geometry shader, or a copy program, exports.
	Parameters int     // VS_EXPORT_COUNT + 1
	OutIDs     []uint8 // the semantics of the used SPI_VS_OUT_ID registers, by parameter
	Positions  int     // vectors

	// What a pixel shader exports.
	Colours    int // of SQ_PGM_EXPORTS_PS
	Depth      bool
	ColourMask uint32 // CB_SHADER_MASK
	DepthWrite bool   // Z_EXPORT_ENABLE
	Kill       bool   // KILL_ENABLE

	Samplers []uint32 // numbers
	Blocks   []Block
	// UniformRows is where the uniforms outside of blocks end, in rows. It is 0 if there are none.
	UniformRows int
	Loops       []uint32 // 4 times the numbers of the constants, or the numbers
}

// Block is a uniform block.
type Block struct {
	Number uint32
	Bytes  uint32
}

// Mode says where the uniforms of a shader are.
type Mode uint8

// The modes. In GeometryMode uniforms are in blocks, and a geometry shader follows the vertex shader.
const (
	RegisterMode Mode = iota
	BlockMode
	GeometryMode
	ComputeMode
)

// exportsOutputs reports whether the program exports position and parameters.
func (s *Structure) exportsOutputs() bool {
	return s.Stage == Copy || s.Stage == Vertex && s.Mode <= BlockMode
}

// tables has the rows of a structure that an instruction can name, by number.
type tables struct {
	blocks   [numBlocks]*Block
	samplers [256]bool
	loops    [4 * numLoops]bool
}

const (
	numBlocks = 16
	numLoops  = 32
)

func (s *Structure) tables() (t tables) {
	for i := range s.Blocks {
		if n := s.Blocks[i].Number; n < numBlocks && t.blocks[n] == nil {
			t.blocks[n] = &s.Blocks[i]
		}
	}
	for _, n := range s.Samplers {
		if n < uint32(len(t.samplers)) {
			t.samplers[n] = true
		}
	}
	for _, n := range s.Loops {
		if n < uint32(len(t.loops)) {
			t.loops[n] = true
		}
	}
	return t
}
