package reflection

import (
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/pica"
)

func ofSHBIN(f *shbin.File) (t Table) {
	shaders := f.Shaders()
	for i := range f.DVLEs {
		e := &f.DVLEs[i]
		s := dvleShader(fmt.Sprintf("dvle[%d]", i), e.Type, &e.Tables)
		s.Entry, s.Name = ptr(int(e.Entry)), wire.Text(shaders[i].Name)
		if e.Type == shbin.GeometryShader {
			s.Geometry = geometryText(e.Geometry)
			if e.Merge != 0 {
				s.Geometry += ", merges the output map of the vertex shader"
			}
		}
		t.Shaders = append(t.Shaders, s)
	}
	return t
}

// dvleShader returns the parts of the interface that are in the tables of a DVLE or DVOJ.
func dvleShader(path string, kind shbin.Type, tables *shbin.Tables) Shader {
	s := Shader{Path: path, Stage: kind.String()}
	for _, v := range tables.Uniforms {
		name, _ := tables.Name(v.Name)
		row := Variable{Name: wire.Text(name), Register: v.First.String()}
		if v.Last != v.First {
			row.Register += "-" + v.Last.String()
		}
		class, _, _ := v.First.Class()
		if row.Type = classTypes[class]; class == 'v' {
			s.Inputs = append(s.Inputs, row)
		} else {
			s.Uniforms = append(s.Uniforms, row)
		}
	}
	for _, v := range tables.Outputs {
		s.Outputs = append(s.Outputs, Variable{Semantic: v.Semantic.String(),
			Register: fmt.Sprintf("o%d%s", v.Register, components(v.Mask))})
	}
	for _, c := range tables.Constants {
		s.Constants = append(s.Constants, constant(c))
	}
	return s
}

// classTypes names the type of a register class.
var classTypes = map[byte]string{'v': "float4", 'c': "float4", 'i': "int4", 'b': "bool"}

// components names the components of an output mask: ".xyz".
func components(mask uint16) string {
	s := "."
	for k, c := range "xyzw" {
		if mask>>k&1 != 0 {
			s += string(c)
		}
	}
	return s
}

func constant(c shbin.Constant) Constant {
	words := c.Payload.Words()
	switch c.Type {
	case shbin.Bool:
		return boolConstant(int(c.Register), c.Payload[0]&1 != 0)
	case shbin.Int:
		return intConstant(int(c.Register), [4]uint8(c.Payload[:4]))
	default:
		return floatConstant(int(c.Register), words)
	}
}

func boolConstant(register int, value bool) Constant {
	return Constant{Register: fmt.Sprintf("b%d", register), Value: fmt.Sprint(value)}
}

func intConstant(register int, v [4]uint8) Constant {
	return Constant{Register: fmt.Sprintf("i%d", register), Value: fmt.Sprintf("%d, %d, %d, %d", v[0], v[1], v[2], v[3])}
}

func floatConstant(register int, words [4]uint32) Constant {
	values := make([]string, 0, len(words))
	for w := range slices.Values(words[:]) {
		values = append(values, pica.Float24.Show(w&(1<<24-1)))
	}
	return Constant{Register: fmt.Sprintf("c%d", register), Value: strings.Join(values, ", ")}
}

func geometryText(g shbin.Geometry) string {
	switch g.Mode {
	case shbin.Variable:
		return fmt.Sprintf("variable, %d full vertices", g.Variable)
	case shbin.Fixed:
		return fmt.Sprintf("fixed, %d vertices from c%d", g.Fixed, g.First)
	default:
		return g.Mode.String()
	}
}
