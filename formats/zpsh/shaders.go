package zpsh

import (
	"github.com/picaproof/picaproof/pica"
)

// Shaders returns the entries in the form of an engine's input. It lists true bools
// only: a file cannot distinguish a false constant from no constant.
func (f *File) Shaders() []pica.Shader {
	shaders := make([]pica.Shader, len(f.Entries))
	for i := range f.Entries {
		e := &f.Entries[i]
		name, _ := f.Name(i)
		shaders[i] = pica.Shader{
			Program:  pica.Program{Code: f.Code, Descriptors: f.Descriptors},
			Name:     name,
			Entry:    int(e.Instruction),
			Stage:    e.Info.Type().Stage(),
			OutMask:  e.masks().outputs,
			Geometry: e.Info.geometry(),
			Floats:   e.uploads(),
			Ints:     make(map[int][4]uint8, len(e.Ints)),
			Bools:    make(map[int]bool),
			Outputs:  e.outputs(),
		}
		for _, v := range e.Ints {
			shaders[i].Ints[int(v.Register)] = v.Value
		}
		for b := range pica.NumBools {
			if e.Bools>>b&1 != 0 {
				shaders[i].Bools[b] = true
			}
		}
	}
	return shaders
}

// geometry returns the parameters of a geometry entry. They have no place for the inputs of a point entry.
func (i Info) geometry() pica.GeometryParameters {
	switch i.Type() {
	case GeometryVariable:
		return pica.GeometryParameters{Mode: pica.GeometryVariable, Variable: uint8(i.FullVertices())}
	case GeometryFixed:
		return pica.GeometryParameters{Mode: pica.GeometryFixed, First: uint8(i.First()), Fixed: uint8(i.Vertices())}
	}
	return pica.GeometryParameters{}
}

// uploads returns the float constants.
func (e *Entry) uploads() []pica.Upload {
	list := make([]pica.Upload, len(e.Floats))
	for i, v := range e.Floats {
		list[i] = pica.Upload{Register: int(v.Register), Format: pica.Float24, Values: []pica.Vec4{v.Value}}
	}
	return list
}

// outputs decodes the output maps: one output for each semantic of a register, with a
// mask of its components.
func (e *Entry) outputs() []pica.Output {
	var list []pica.Output
	for _, v := range e.Outputs {
		first := len(list)
		for k := range 4 {
			s := v.Map.Semantic(k)
			if !s.Defined() || s == Unused {
				continue
			}
			name := semantics[s].name
			i := first
			for i < len(list) && list[i].Semantic != name {
				i++
			}
			if i == len(list) {
				list = append(list, pica.Output{Semantic: name, Register: int(v.Register)})
			}
			list[i].Mask |= 1 << k
		}
	}
	return list
}
