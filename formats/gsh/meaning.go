package gsh

import (
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gx2"
)

// meaning checks the structures of shaders that broke no rule, each alone and against each other: GX2050 to GX2069,
// after all other rules.
func (r *reader) meaning() {
	m := gx2.Meaning{Reporter: r.Reporter}
	for i := range r.shaders {
		if s := &r.shaders[i]; s.clean() {
			s.registers = m.Check(r.placed(i))
		}
	}
	if !r.ended { // shaders may be missing
		return
	}
	for _, group := range groups(len(r.shaders), func(i int) gx2.Type { return r.shaders[i].kind }) {
		vertex, pixel, outputs := group[gx2.Vertex], group[gx2.Pixel], group[gx2.Geometry]
		if vertex == NoShader || pixel == NoShader {
			return // nor in a later group
		}
		registers := true
		clean := true
		for _, i := range group {
			if i != NoShader {
				clean = clean && r.shaders[i].clean()
				registers = registers && r.shaders[i].registers
			}
		}
		if outputs == NoShader {
			outputs = vertex
		}
		if clean {
			m.CheckPair(r.placed(vertex), r.placed(pixel), r.placed(outputs), registers)
		}
	}
}

// clean reports whether the structure of a shader broke no rule of severity Error.
func (s *shaderRecord) clean() bool { return s.sound && !s.names }

// placed is a shader with the place of its structure.
func (r *reader) placed(i int) gx2.Placed {
	s := &r.shaders[i]
	return gx2.Placed{Shader: &r.file.Shaders[s.model].Shader, Off: r.places[s.header].data(),
		Path: diag.Path{Table: "shaders", Index: i}}
}
