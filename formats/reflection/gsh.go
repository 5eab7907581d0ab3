package reflection

import (
	"fmt"

	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/gx2"
)

func ofGSH(f *gsh.File) (t Table) {
	path := func(i int) string { return fmt.Sprintf("shaders[%d]", i) }
	for i := range f.Shaders {
		t.Shaders = append(t.Shaders, gx2Shader(path(i), &f.Shaders[i].Shader))
	}
	for _, group := range f.Groups() {
		outputs, pixel := group[gx2.Geometry], group[gx2.Pixel]
		if outputs == gsh.NoShader {
			outputs = group[gx2.Vertex]
		}
		if outputs != gsh.NoShader && pixel != gsh.NoShader {
			t.link(path(outputs), &f.Shaders[outputs].Shader, path(pixel), &f.Shaders[pixel].Shader)
		}
	}
	return t
}
