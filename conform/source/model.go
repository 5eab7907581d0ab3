package source

import (
	"maps"
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// Program is the meaning of a source.
type Program struct {
	Stage      pica.Stage
	Geometry   Geometry
	Inputs     []Input
	Uniforms   []Uniform
	Constants  []Constant
	Outputs    []Output
	Aliases    []Alias
	Procedures []Procedure
	Entry      int  // the index of the entry procedure
	Library    bool // the procedures other than the entry are in a second file
	Twin       bool // the second file is a shader of its own, whose entry is the last procedure
	Style      Style
}

// Geometry describes the input of a geometry program. First is the first register of its own
// uniforms; a program that shares the uniforms of the vertex program has none.
type Geometry struct {
	pica.GeometryParameters
	Shared bool
	First  int
}

// Input names an input register.
type Input struct {
	Name     string
	Register int
	Style    Style
}

// Uniform names some uniform registers of a class ('c', 'i' or 'b').
type Uniform struct {
	Class byte
	Name  string
	Size  int
	Style Style
}

// Constant is the value of some uniform registers. A constant without a name is in Register.
type Constant struct {
	Class    byte
	Name     string
	Register int
	// Rows has a value for each register: float32 patterns, integers from 0 to 255, or 0 or 1.
	Rows  []pica.Vec4
	Style Style
}

// Output maps components of an output register to a semantic.
type Output struct {
	Name     string // "" if the program uses the register
	Semantic string
	Register int
	Mask     uint8 // bit 3 = x
	Style    Style
}

// Alias is another name for an operand.
type Alias struct {
	Name string
	Operand
}

// Procedure is a named body.
type Procedure struct {
	Name string
	Body []Statement
}

// Kind is the kind of a statement.
type Kind uint8

// The kinds of statements.
const (
	Compute Kind = iota // Op with Dest and Sources
	If
	Loop
	Call
	Jump
	Label
	Break // with an optional condition
	Emit
	SetEmit
	Nop
	End
)

// Statement is a line of a program, or a scope.
type Statement struct {
	Kind    Kind
	Style   Style
	Op      pica.Opcode // never an inverted form
	Dest    Operand     // its Mask is the destination mask
	Sources []Operand
	Compare [2]uint8

	Condition  Condition
	Then, Else []Statement
	Int        Operand // of Loop
	Target     string  // a procedure or label; in a Label its own name
	Vertex     uint8
	Primitive  bool
	Winding    bool
}

// Condition is the condition of a statement of flow control.
type Condition struct {
	On         pica.Condition
	Op         uint8 // pica.CondOr to pica.CondY
	RefX, RefY bool
	Bool       Operand
	Inverse    bool // JMPU jumps when the uniform is false
}

// Operand is a register, or an element of a named declaration.
type Operand struct {
	Class    byte   // 'v', 'r', 'c', 'o', 'i', 'b', 'a' for the address registers
	Name     string // "" if Number is a register
	Number   int    // a register, or an index into the declaration of Name
	Index    uint8  // pica.IndexNone to pica.IndexAL
	Negate   bool
	Selector uint8  // for a source, e.g. pica.IdentitySwizzle
	Mask     uint8  // for a destination, bit 3 = x
	Alias    string // the alias that Print writes instead
	Style    Style
}

// Style selects among the spellings of a dialect. The meaning of a program does not depend on
// it. The zero Style is the plainest.
type Style uint16

// pick returns a number from 0 to n-1 from the bits of the style from place on.
func (s Style) pick(place, n int) int { return int(s>>place) & 7 % n }

// Register returns the register that an operand names.
func (p *Program) Register(o Operand) int {
	if o.Name == "" {
		return o.Number
	}
	return p.place(o.Class, o.Name) + o.Number
}

// span is the registers of a name.
type span struct {
	name        string
	class       byte
	first, size int
}

// spans returns the registers of each name, by the rule of picasso: uniforms from the low end up,
// constants behind them from the high end down.
func (p *Program) spans() (list []span) {
	for i := range p.Inputs {
		list = append(list, span{p.Inputs[i].Name, 'v', p.Inputs[i].Register, 1})
	}
	for i := range p.Outputs {
		if o := &p.Outputs[i]; o.Name != "" {
			list = append(list, span{o.Name, 'o', o.Register, 1})
		}
	}
	low, high := map[byte]int{}, maps.Clone(banks)
	if p.own() {
		low['c'] = p.Geometry.First
		high['b']--
	}
	for i := range p.Uniforms {
		u := &p.Uniforms[i]
		list = append(list, span{u.Name, u.Class, low[u.Class], u.Size})
		low[u.Class] += u.Size
	}
	for i := range p.Constants {
		if k := &p.Constants[i]; k.Name != "" {
			high[k.Class] -= len(k.Rows)
			list = append(list, span{k.Name, k.Class, high[k.Class], len(k.Rows)})
		}
	}
	return list
}

// place returns the first register of a name.
func (p *Program) place(class byte, name string) int {
	for _, s := range p.spans() {
		if s.name == name && s.class == class {
			return s.first
		}
	}
	return 0
}

// first returns the first register of a constant.
func (p *Program) first(k *Constant) int {
	if k.Name == "" {
		return k.Register
	}
	return p.place(k.Class, k.Name)
}

// taken reports whether a register belongs to a name.
func (p *Program) taken(class byte, n int) bool {
	return slices.ContainsFunc(p.spans(),
		func(s span) bool { return s.class == class && n >= s.first && n < s.first+s.size })
}

// overlaid reports whether the register of a constant without a name belongs to a name.
func (p *Program) overlaid(k Constant) bool { return k.Name == "" && p.taken(k.Class, k.Register) }

// twin returns the entry procedure of the second file, nil if it is no shader.
func (p *Program) twin() *Procedure {
	if !p.Library || !p.Twin {
		return nil
	}
	return &p.Procedures[len(p.Procedures)-1]
}

// own reports whether the program has uniforms of its own.
func (p *Program) own() bool { return p.Stage == pica.Geometry && !p.Geometry.Shared }

// Walk yields every statement. The statements of a scope follow the scope.
func (p *Program) Walk(yield func(s *Statement) bool) {
	for i := range p.Procedures {
		if !walk(p.Procedures[i].Body, yield) {
			return
		}
	}
}

func walk(body []Statement, yield func(s *Statement) bool) bool {
	for i := range body {
		if !yield(&body[i]) || !walk(body[i].Then, yield) || !walk(body[i].Else, yield) {
			return false
		}
	}
	return true
}

// operands yields every operand of a statement.
func (s *Statement) operands(yield func(o *Operand) bool) {
	switch s.Kind {
	case Compute:
		if pica.Opcodes[s.Op].Writes&pica.WritesDest != 0 && !yield(&s.Dest) {
			return
		}
		for k := range s.Sources {
			if !yield(&s.Sources[k]) {
				return
			}
		}
	case Loop:
		yield(&s.Int)
	default:
		if s.Condition.On == pica.OnUniform || s.Condition.On == pica.OnUniformInverse {
			yield(&s.Condition.Bool)
		}
	}
}

// Clone returns a copy that shares no memory with the program.
func (p *Program) Clone() *Program {
	c := *p
	c.Inputs = slices.Clone(p.Inputs)
	c.Uniforms = slices.Clone(p.Uniforms)
	c.Constants = slices.Clone(p.Constants)
	for i := range c.Constants {
		c.Constants[i].Rows = slices.Clone(c.Constants[i].Rows)
	}
	c.Outputs = slices.Clone(p.Outputs)
	c.Aliases = slices.Clone(p.Aliases)
	c.Procedures = slices.Clone(p.Procedures)
	for i := range c.Procedures {
		c.Procedures[i].Body = cloneBody(c.Procedures[i].Body)
	}
	return &c
}

func cloneBody(body []Statement) []Statement {
	c := slices.Clone(body)
	for i := range c {
		c[i].Sources = slices.Clone(c[i].Sources)
		c[i].Then, c[i].Else = cloneBody(c[i].Then), cloneBody(c[i].Else)
	}
	return c
}
