package microcode_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/microcode"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/latte"
)

// shader is a shader with some registers.
func shader(t *testing.T, kind gx2.Type, registers map[string]uint32) gx2.Shader {
	t.Helper()
	names := kind.RegisterNames()
	s := gx2.Shader{Type: kind, Registers: make([]uint32, len(names)), Code: make([]byte, 8)}
	for name, word := range registers {
		i := slices.Index(names, name)
		if i < 0 {
			t.Fatalf("no register %s", name)
		}
		s.Registers[i] = word
	}
	return s
}

func structureOf(t *testing.T, model any, n int) *latte.Structure {
	t.Helper()
	list, ok := microcode.Of(model)
	if !ok || n >= len(list) {
		t.Fatalf("%d programs, %v", len(list), ok)
	}
	return list[n].Structure()
}

func TestStructure(t *testing.T) {
	vertex := shader(t, gx2.Vertex, map[string]uint32{
		"SQ_PGM_RESOURCES_VS": 0x205, "SPI_VS_OUT_CONFIG": 2 << 1, "num_spi_vs_out_id": 1,
		"SPI_VS_OUT_ID_0": 0xFF020100, "PA_CL_VS_OUT_CNTL": 1<<21 | 1<<23, "num_sq_vtx_semantic": 3,
	})
	vertex.Mode = gx2.ModeBlock
	vertex.Blocks = []gx2.UniformBlock{{Location: 3, Size: 100}}
	vertex.Uniforms = []gx2.UniformVar{
		{Type: 12, Block: 0, Offset: 400}, // in a block
		{Type: 11, Block: gx2.NoBlock, Offset: 6},
		{Type: 29, Count: 2, Block: gx2.NoBlock, Offset: 8}, // two matrices of four columns
	}
	vertex.Loops = []gx2.LoopVar{{0, 0, 0, 4, 1}}
	pixel := shader(t, gx2.Pixel, map[string]uint32{
		"SQ_PGM_RESOURCES_PS": 0x102, "SQ_PGM_EXPORTS_PS": 2<<1 | 1,
		"SPI_PS_IN_CONTROL_0": 2 | 1<<8 | 5<<10 | 1<<15 | 9<<19, "SPI_PS_IN_CONTROL_1": 1<<8 | 7<<12,
		"CB_SHADER_MASK": 0xF0F, "DB_SHADER_CONTROL": 1 | 1<<6,
	})
	pixel.Samplers = []gx2.SamplerVar{{Location: 4}}
	geometry := shader(t, gx2.Geometry, map[string]uint32{
		"SQ_PGM_RESOURCES_GS": 7, "SQ_PGM_RESOURCES_VS": 8, "SPI_VS_OUT_CONFIG": 1 << 1,
	})
	geometry.Mode, geometry.CopyCode, geometry.Samplers = 2, make([]byte, 8), []gx2.SamplerVar{{Location: 1}}
	file := &gsh.File{Shaders: []gsh.Shader{{Shader: vertex}, {Shader: pixel}, {Shader: geometry}}}
	for n, want := range []latte.Structure{
		{
			Stage: latte.Vertex, Mode: latte.BlockMode, GPRs: 5, Stack: 2, Inputs: []int{0}, Attributes: 3,
			Parameters: 3, OutIDs: []uint8{0, 1, 2, 0xFF}, Positions: 3, Blocks: []latte.Block{{Number: 3, Bytes: 100}},
			UniformRows: 10, Loops: []uint32{4},
		},
		{
			Stage: latte.Pixel, GPRs: 2, Stack: 1, Inputs: []int{0, 1, 2, 5, 9, 7}, Colours: 2, Depth: true,
			ColourMask: 0xF0F, DepthWrite: true, Kill: true, Samplers: []uint32{4},
		},
		{
			Stage: latte.Geometry, Mode: latte.GeometryMode, GPRs: 7, Inputs: []int{0, 1}, Parameters: 2,
			OutIDs: []uint8{}, Positions: 1, Samplers: []uint32{1},
		},
		{
			Stage: latte.Copy, Mode: latte.GeometryMode, GPRs: 8, Inputs: []int{0}, Parameters: 2, OutIDs: []uint8{},
			Positions: 1,
		},
	} {
		if got := structureOf(t, file, n); !reflect.DeepEqual(*got, want) {
			t.Errorf("program %d:\ngot  %+v\nwant %+v", n, *got, want)
		}
	}
}

// TestLoops: the byte order of loop variables in a little-endian archive is undecided, so both count.
func TestLoops(t *testing.T) {
	s := shader(t, gx2.Pixel, nil)
	s.Loops = []gx2.LoopVar{{0, 0, 0, 4}}
	for endian, want := range map[sharcfb.Endian][]uint32{sharcfb.Big: {4}, sharcfb.Little: {4, 4 << 24}} {
		got := structureOf(t, &sharcfb.File{Endian: endian, Binaries: []sharcfb.Binary{{Shader: s}}}, 0).Loops
		if !slices.Equal(got, want) {
			t.Errorf("%v: got %v, want %v", endian, got, want)
		}
	}
}
