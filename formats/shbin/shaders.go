package shbin

import "github.com/picaproof/picaproof/pica"

// Shaders returns one shader for each DVLE, in file order, with its constants,
// labels, outputs, inputs and uniforms. The shaders share one program.
func (f *File) Shaders() []pica.Shader {
	program := pica.Program{Code: f.DVLP.Code, Descriptors: make([]uint32, len(f.DVLP.Descriptors))}
	for i, d := range f.DVLP.Descriptors {
		program.Descriptors[i] = d.Word
	}
	shaders := make([]pica.Shader, len(f.DVLEs))
	for i := range f.DVLEs {
		shaders[i] = f.DVLEs[i].shader(program)
	}
	return shaders
}

func (e *DVLE) shader(program pica.Program) pica.Shader {
	s := pica.Shader{
		Program: program,
		Entry:   int(e.Entry),
		Stage:   pica.Stage(e.Type),
		OutMask: e.OutputMask,
		Geometry: pica.GeometryParameters{Mode: pica.GeometryMode(e.Geometry.Mode), First: e.Geometry.First,
			Variable: e.Geometry.Variable, Fixed: e.Geometry.Fixed},
		Ints:  make(map[int][4]uint8),
		Bools: make(map[int]bool),
	}
	for _, c := range e.Constants {
		c.load(&s)
	}
	name := func(off uint32) string {
		name, _ := e.Name(off)
		return name
	}
	for _, l := range e.Labels {
		label := pica.Label{Name: name(l.Name), Word: int(l.Word), Length: int(l.Length)}
		if l.Length == NoLength {
			label.Length = -1
		}
		if l.Word == e.Entry {
			s.Name = label.Name // the last label wins: earlier ones may mark the end of a procedure
		}
		s.Labels = append(s.Labels, label)
	}
	for _, o := range e.Outputs {
		s.Outputs = append(s.Outputs,
			pica.Output{Semantic: o.Semantic.String(), Register: int(o.Register), Mask: uint8(o.Mask)})
	}
	for _, u := range e.Uniforms {
		class, first, _ := u.First.Class()
		symbol := pica.Symbol{Name: name(u.Name), Class: class, First: first, Last: first + int(u.Last) - int(u.First)}
		if class == 'v' {
			s.Inputs = append(s.Inputs, symbol)
		} else {
			s.Uniforms = append(s.Uniforms, symbol)
		}
	}
	return s
}

// load adds the constant to the initial values of the uniform registers.
func (c Constant) load(s *pica.Shader) {
	switch c.Type {
	case Bool:
		s.Bools[int(c.Register)] = c.Payload[0]&1 != 0
	case Int:
		s.Ints[int(c.Register)] = [4]uint8(c.Payload[:4])
	case Float:
		value := pica.Vec4(c.Payload.Words())
		for k := range value {
			value[k] &= 1<<24 - 1
		}
		s.Floats = append(s.Floats,
			pica.Upload{Register: int(c.Register), Format: pica.Float24, Values: []pica.Vec4{value}})
	}
}
