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
	s := Shader{Path: path, Stage: f.Type.String(), Mode: f.Mode.String(), GX2: &GX2{}}
	if f.Code != nil {
		s.GX2.CodeBytes = ptr(len(f.Code))
	}
	s.GX2.NumGPRs, s.GX2.StackSize = f.Resources()
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
	for i, v := range f.PixelInputs() {
		row := Variable{Register: v.Register, GPR: "R" + strconv.Itoa(i), Semantic: "screen position"}
		if !v.Position {
			row.Semantic, row.Default = strconv.Itoa(int(v.Semantic)), v.Default
			row.Interpolation = v.Interpolation
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

// link adds which outputs of one shader feed the inputs of a pixel shader, and which ones no input reads.
func (t *Table) link(from string, outputs *gx2.Shader, to string, pixel *gx2.Shader) {
	params := map[uint8]string{}
	for k, semantic := range outputs.Exports() {
		if _, twice := params[semantic]; !twice && semantic != gx2.NoSemantic {
			params[semantic] = fmt.Sprintf("%s.%s", from, param(k))
		}
	}
	read := map[string]bool{}
	for _, v := range pixel.PixelInputs() {
		if !v.Position {
			t.Links = append(t.Links, Link{Input: to + "." + v.Register, From: params[v.Semantic],
				Semantic: semanticName(v.Semantic), Default: v.Default})
			read[params[v.Semantic]] = true
		}
	}
	for k, semantic := range outputs.Exports() {
		if name := fmt.Sprintf("%s.%s", from, param(k)); semantic != gx2.NoSemantic && !read[name] {
			t.Unread = append(t.Unread, Unread{Output: name, Pixel: to})
		}
	}
}
