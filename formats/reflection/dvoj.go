package reflection

import "github.com/picaproof/picaproof/formats/dvoj"

func ofDVOJ(f *dvoj.File) Table {
	s := dvleShader("object", f.Type, &f.Tables)
	s.Unknown = []string{"entry", "geometry parameters"}
	return Table{Shaders: []Shader{s}}
}
