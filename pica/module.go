package pica

// Module is what an assembler makes: one program and the entry points into it,
// with the tables that a container stores.
type Module struct {
	Program
	Entries []EntryPoint
}

// EntryPoint is one entry point of a Module. Its tables are in the order in
// which a container stores them.
type EntryPoint struct {
	Name       string
	Stage      Stage
	First, End int // words; End is exclusive
	Merge      bool
	Geometry   GeometryParameters
	InputMask  uint16 // bit i: the program declares vi
	OutputMask uint16 // bit i: the program declares oi
	Constants  []Constant
	Outputs    []Output
	Symbols    []Symbol // exported uniforms and inputs
}

// GeometryMode says how the geometry unit gets the vertices of a primitive.
type GeometryMode uint8

// The modes. Legacy programs, which take one vertex a register, name none and
// store 0.
const (
	GeometryPoint    GeometryMode = iota // a vertex in the input registers
	GeometryVariable                     // a variable number of vertices in float uniforms ("subdivision")
	GeometryFixed                        // a fixed number of vertices in float uniforms ("particle")
)

// GeometryParameters describe the input of a geometry program.
type GeometryParameters struct {
	Mode     GeometryMode
	First    uint8 // fixed: the first float uniform that receives vertices
	Variable uint8 // variable: number of fully defined vertices
	Fixed    uint8 // fixed: number of vertices
}

// Constant is the value that a uniform register has before a program runs.
type Constant struct {
	Class    byte // 'c', 'i' or 'b'
	Register int
	// Value holds four raw float24 patterns, four integers of which a container
	// stores the low bytes, or 0 or 1 in its first component.
	Value Vec4
}

// Shaders returns the shader of each entry point.
func (m *Module) Shaders() []Shader {
	list := make([]Shader, len(m.Entries))
	for i := range list {
		list[i] = m.Shader(i)
	}
	return list
}

// Shader returns the shader of an entry point.
func (m *Module) Shader(i int) Shader {
	e := &m.Entries[i]
	s := Shader{
		Program: m.Program, Name: e.Name, Entry: e.First, Stage: e.Stage, OutMask: e.OutputMask,
		Geometry: e.Geometry,
		Ints:     map[int][4]uint8{}, Counts: map[int]int32{}, Bools: map[int]bool{}, Outputs: e.Outputs,
	}
	for _, c := range e.Constants {
		switch c.Class {
		case 'i':
			for k, v := range c.Value {
				value := s.Ints[c.Register]
				value[k] = uint8(v)
				s.Ints[c.Register] = value
			}
			s.Counts[c.Register] = int32(c.Value[0])
		case 'b':
			s.Bools[c.Register] = c.Value[0] != 0
		default:
			s.Floats = append(s.Floats, Upload{Register: c.Register, Format: Float24, Values: []Vec4{c.Value}})
		}
	}
	for _, symbol := range e.Symbols {
		if symbol.Class == 'v' {
			s.Inputs = append(s.Inputs, symbol)
		} else {
			s.Uniforms = append(s.Uniforms, symbol)
		}
	}
	return s
}
