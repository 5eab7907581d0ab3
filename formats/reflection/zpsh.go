package reflection

import (
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/pica"
)

func ofZPSH(f *zpsh.File) (t Table) {
	for i := range f.Entries {
		e := &f.Entries[i]
		name, _ := f.Name(i)
		s := Shader{Path: fmt.Sprintf("entries[%d]", i), Name: wire.Text(name), Entry: ptr(int(e.Instruction)),
			Unknown: []string{"inputs", "uniforms"}}
		if s.Stage = "vertex"; e.Info.Type().Stage() == pica.Geometry {
			s.Stage, s.Geometry = "geometry", strings.TrimPrefix(e.Info.String(), "geometry ")
		}
		for _, v := range e.Outputs {
			for k, component := range "xyzw" {
				if semantic := v.Map.Semantic(k); semantic != zpsh.Unused {
					s.Outputs = append(s.Outputs, Variable{Register: fmt.Sprintf("o%d.%c", v.Register, component),
						Semantic: semantic.String()})
				}
			}
		}
		for b := range pica.NumBools {
			if e.Bools>>b&1 != 0 {
				s.Constants = append(s.Constants, boolConstant(b, true))
			}
		}
		for _, v := range e.Ints {
			s.Constants = append(s.Constants, intConstant(int(v.Register), v.Value))
		}
		for _, v := range e.Floats {
			s.Constants = append(s.Constants, floatConstant(int(v.Register), v.Value))
		}
		t.Shaders = append(t.Shaders, s)
	}
	return t
}
