package reflection

import (
	"fmt"

	"github.com/picaproof/picaproof/formats/bnsh"
)

func ofBNSH(f *bnsh.File) (t Table) {
	for c := range f.Codes() {
		s := Shader{Path: fmt.Sprintf("variations[%d].%v.%v", c.Variation, c.Slot, c.Stage), Stage: c.Stage.String(),
			Unknown: []string{"types", "offsets in blocks"}}
		var r *bnsh.StageReflection
		if c.Program.Reflection != nil {
			r = c.Program.Reflection[c.Stage]
		}
		if r == nil {
			s.Unknown = []string{"all: the program has no reflection of the stage"}
			t.Shaders = append(t.Shaders, s)
			continue
		}
		if c.Stage == bnsh.Compute {
			s.WorkGroup = &r.WorkGroup
		}
		for k := range bnsh.Kind(bnsh.NumKinds) {
			list := s.bnshRows(k)
			for i, key := range r.Tables[k].Keys {
				row := Variable{Name: key}
				if n := int64(r.Tables[k].First) + int64(i); n >= 0 && n < int64(len(r.Slots)) && r.Slots[n] >= 0 {
					row.Location = ptr(int64(r.Slots[n]))
				}
				*list = append(*list, row)
			}
		}
		t.Shaders = append(t.Shaders, s)
	}
	return t
}

// bnshRows returns the list for the names of a kind.
func (s *Shader) bnshRows(k bnsh.Kind) *[]Variable {
	return map[bnsh.Kind]*[]Variable{
		bnsh.Inputs: &s.Inputs, bnsh.Outputs: &s.Outputs, bnsh.Samplers: &s.Samplers, bnsh.ConstantBuffers: &s.Blocks,
		bnsh.UnorderedAccessBuffers: &s.Buffers, bnsh.Images: &s.Images,
		bnsh.SeparateTextures: &s.Textures, bnsh.SeparateSamplers: &s.Samplers,
	}[k]
}
