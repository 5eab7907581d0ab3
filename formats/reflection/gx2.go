package reflection

import (
	"fmt"
	"strconv"

	"github.com/picaproof/picaproof/formats/gx2"
)

const (
	wordSize      = 4
	registerWords = 4
)

// gx2Shader returns the interface of a GX2 shader.
func gx2Shader(path string, f *gx2.Shader) Shader {
	s := Shader{Path: path, Stage: f.Type.String(), Mode: f.Mode.String()}
	gpr := map[uint8]int{}
	for k, at := range f.Fetched() {
		gpr[at] = k + 1
	}
	for _, v := range f.Attributes {
		row := Variable{Name: v.Name, Type: v.Type.String(), Location: ptr(int64(v.Location)), Count: v.Count}
		if k := gpr[uint8(v.Location)]; k > 0 && v.Location < gx2.NoSemantic {
			row.Register = "R" + strconv.Itoa(k)
		}
		s.Inputs = append(s.Inputs, row)
	}
	for _, v := range f.PixelInputs() {
		row := Variable{Register: v.Register, Semantic: strconv.Itoa(int(v.Semantic)), Default: v.Default}
		if v.Position {
			row = Variable{Register: v.Register, Semantic: "screen position"}
		}
		s.Inputs = append(s.Inputs, row)
	}
	for k, semantic := range f.Exports() {
		s.Outputs = append(s.Outputs, Variable{Register: param(k), Semantic: semanticName(semantic)})
	}
	for _, v := range f.Uniforms {
		row := Variable{Name: v.Name, Type: v.Type.String(), Count: v.Count, Offset: ptr(wordSize * uint64(v.Offset))}
		if v.Block >= 0 && int(v.Block) < len(f.Blocks) {
			row.Block = f.Blocks[v.Block].Name
		} else if f.Mode == gx2.ModeRegister {
			row.Register = fmt.Sprintf("uniform register %d", v.Offset/registerWords)
		}
		s.Uniforms = append(s.Uniforms, row)
	}
	for _, v := range f.Blocks {
		s.Blocks = append(s.Blocks,
			Variable{Name: v.Name, Location: ptr(int64(v.Location)), Size: ptr(uint64(v.Size))})
	}
	for _, v := range f.Samplers {
		s.Samplers = append(s.Samplers, Variable{Name: v.Name, Type: v.Type.String(), Location: ptr(int64(v.Location))})
	}
	return s
}

func param(k int) string { return "PARAM" + strconv.Itoa(k) }

func semanticName(semantic uint8) string {
	if semantic == gx2.NoSemantic {
		return "none"
	}
	return strconv.Itoa(int(semantic))
}

// gx2Links returns which outputs of one shader feed the inputs of a pixel shader.
func gx2Links(from string, outputs *gx2.Shader, to string, pixel *gx2.Shader) (links []Link) {
	params := map[uint8]string{}
	for k, semantic := range outputs.Exports() {
		if _, twice := params[semantic]; !twice && semantic != gx2.NoSemantic {
			params[semantic] = fmt.Sprintf("%s.%s", from, param(k))
		}
	}
	for _, v := range pixel.PixelInputs() {
		if !v.Position {
			links = append(links, Link{Input: to + "." + v.Register, From: params[v.Semantic],
				Semantic: semanticName(v.Semantic), Default: v.Default})
		}
	}
	return links
}
