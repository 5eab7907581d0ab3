package source

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/pica"
)

// Draw makes a program of choices. Nearly all programs end within a small budget; programs with
// a jump back may never end. Some are so long that targets take all their bits. No program has
// two MOVA in a row or two input registers in one instruction, which the console is known to get
// wrong.
func Draw(c *gen.Choices) *Program {
	d := &drawing{c: c, p: &Program{}}
	d.declare()
	d.procedures()
	if c.Below(80) == 0 || d.p.Stage == pica.Geometry && c.Below(80) == 0 {
		d.lengthen()
	}
	d.p.Style = d.style()
	d.wideIntegers()
	return d.p
}

// drawing is a program that is being drawn.
type drawing struct {
	c     *gen.Choices
	p     *Program
	names int
	words int
	crowd bool // many operand descriptors
	bare  bool // operands have no names, so that the procedure may stand in a second source

	integers int // uniforms and constants of class i

	// The position of the next statement.
	depth, loops, callee int
}

func (d *drawing) style() Style { return Style(d.c.Bits(16)) }

// syllables make names. The names have different lengths, so that tables of names have every
// alignment.
var syllables = []string{"k", "na", "pos", "tint", "scale", "normal", "texture", "material"}

func (d *drawing) name() string {
	d.names++
	text := gen.Pick(d.c, syllables)
	if d.c.Below(80) == 0 {
		text = strings.Repeat(text, 4+d.c.Below(12))
	}
	return fmt.Sprintf("%s%d", text, d.names)
}

// some draws a small number.
func (d *drawing) some(n int) int { return d.c.Below(n + 1) }

// declare draws the tables of a program.
func (d *drawing) declare() {
	p, c := d.p, d.c
	if c.Chance(3) {
		p.Stage = pica.Geometry
		p.Geometry.Shared = c.Chance(4)
		if !p.Geometry.Shared {
			p.Geometry.First = c.Below(20)
			switch mode := pica.GeometryMode(c.Below(3)); mode {
			case pica.GeometryVariable:
				p.Geometry.Mode, p.Geometry.Variable = mode, uint8(1+c.Below(32))
			case pica.GeometryFixed:
				p.Geometry.First = 1 + c.Below(19)
				p.Geometry.Mode, p.Geometry.Fixed = mode, uint8(1+c.Below(16))
				p.Geometry.GeometryParameters.First = uint8(c.Below(p.Geometry.First))
			}
		}
	}
	for i := range 1 + d.some(3) {
		register := i
		if c.Chance(4) {
			register = c.Below(15) // picasso knows no v15
		}
		if !slices.ContainsFunc(p.Inputs, func(in Input) bool { return in.Register == register }) {
			p.Inputs = append(p.Inputs, Input{d.name(), register, d.style()})
		}
	}
	for range d.some(4) {
		d.uniform()
	}
	for range d.some(4) {
		d.constant()
	}
	p.Constants = slices.DeleteFunc(p.Constants, p.overlaid)
	d.outputs()
	if c.Chance(6) {
		d.alias()
	}
}

// uniform declares a uniform.
func (d *drawing) uniform() {
	class := gen.Pick(d.c, []byte("cccbi"))
	size := 1
	switch class {
	case 'c':
		if size += d.some(3); d.c.Chance(1) {
			size = 5 + d.some(20)
		}
	case 'b':
		size += d.some(2)
	}
	if class == 'i' && d.integers >= 2 {
		return
	}
	name := d.name()
	switch d.c.Below(8) {
	case 0:
		name = "_" + name
	case 1:
		name = "of$" + name
	}
	d.p.Uniforms = append(d.p.Uniforms, Uniform{class, name, size, d.style()})
	if class == 'i' {
		d.integers++
	}
}

// constant draws a constant. Registers between 60 and 70 are free of names in every program;
// another register gets a constant only if no name has it.
func (d *drawing) constant() {
	k := Constant{Class: gen.Pick(d.c, []byte("ccccib")), Style: d.style()}
	rows := 1
	switch k.Class {
	case 'c':
		if k.Name = d.name(); d.c.Chance(4) {
			if k.Name, k.Register = "", d.c.Below(pica.NumFloats); d.c.Chance(8) {
				k.Register = 60 + d.c.Below(10)
			}
		} else if d.c.Chance(5) {
			if rows += 1 + d.some(3); d.c.Chance(2) {
				rows += d.some(12)
			}
		}
	case 'i':
		if k.Name = d.name(); d.c.Chance(6) {
			k.Name, k.Register = "", d.c.Below(pica.NumInts)
		} else if d.integers >= 2 {
			return
		}
	case 'b':
		if k.Register = d.c.Below(pica.NumBools); d.c.Chance(8) {
			k.Register = 8 + d.c.Below(7)
		}
	}
	if k.Name == "" && slices.ContainsFunc(d.p.Constants, func(o Constant) bool {
		return o.Name == "" && o.Class == k.Class && o.Register == k.Register
	}) {
		return
	}
	for range rows {
		var row pica.Vec4
		for j := range row {
			switch k.Class {
			case 'c':
				row[j] = d.number()
			case 'i':
				row[j] = uint32([4]int{d.c.Below(4), d.c.Below(8), d.c.Below(3), d.c.Below(256)}[j])
			case 'b':
				if j == 0 {
					row[j] = uint32(d.c.Bits(1))
				}
			}
		}
		k.Rows = append(k.Rows, row)
	}
	d.p.Constants = append(d.p.Constants, k)
	if k.Class == 'i' {
		d.integers++
	}
}

// wideIntegers draws the integer constants of a program without loops again, from the whole
// range of the console's registers. Other programs have small ones: their loops must end, and
// the loop counter selects registers.
func (d *drawing) wideIntegers() {
	for s := range d.p.Walk {
		if s.Kind == Loop {
			return
		}
	}
	for i := range d.p.Constants {
		if k := &d.p.Constants[i]; k.Class == 'i' {
			for row := range k.Rows {
				for j := range k.Rows[row] {
					k.Rows[row][j] = uint32(gen.Pick(d.c, []int{d.c.Below(256), 127, 128, 255}))
				}
			}
		}
	}
}

// number draws the float32 pattern of a number whose raw float24 is certain, or that lies
// between two raw float24 numbers.
func (d *drawing) number() uint32 {
	sign := uint32(d.c.Bits(1)) << 31
	switch d.c.Below(8) {
	case 0:
		return sign
	case 1:
		return sign | math.Float32bits(float32(d.c.Below(64))/4)
	case 2, 3:
		return sign | uint32(66+d.c.Below(124))<<23 | uint32(d.c.Bits(16))<<7
	case 4: // a little less than half, a little more, or any
		return sign | uint32(110+d.c.Below(30))<<23 | uint32(d.c.Bits(16))<<7 |
			gen.Pick(d.c, []uint32{1, 0x3F, 0x41, 0x7F})
	}
	return sign | uint32(120+d.c.Below(12))<<23 | uint32(d.c.Bits(23))
}

// semantics of outputs, with the components that they have.
var semantics = []struct {
	name string
	mask uint8
}{
	{"position", 0xF}, {"normalquat", 0xF}, {"color", 0xF}, {"texcoord0", 0xC}, {"texcoord0w", 0x8},
	{"texcoord1", 0xC}, {"texcoord2", 0xC}, {"view", 0xE},
}

func (d *drawing) outputs() {
	register := 0
	for k, s := range semantics {
		if k > 0 && !d.c.Chance(4) || register > 6 {
			continue
		}
		o := Output{Semantic: s.name, Register: register, Mask: s.mask, Style: d.style()}
		if d.c.Chance(12) {
			o.Name = d.name()
		}
		switch {
		case d.c.Chance(3):
			o.Mask = 0xF
		case d.c.Chance(2):
			o.Mask = uint8(1 + d.c.Below(15))
		}
		d.p.Outputs = append(d.p.Outputs, o)
		register++
	}
	if register < 7 && d.c.Chance(2) {
		d.p.Outputs = append(d.p.Outputs,
			Output{Name: d.name(), Semantic: "dummy", Register: register, Mask: 0xF, Style: d.style()})
	}
}

func (d *drawing) alias() {
	o := d.source(true)
	if o.Name != "" || o.Index != pica.IndexNone {
		return // not every dialect has aliases of names without a register
	}
	d.p.Aliases = append(d.p.Aliases, Alias{d.name(), o})
}

// procedures draws the code. A procedure calls only later ones. Only the entry may have any
// position.
func (d *drawing) procedures() {
	p := d.p
	d.crowd = d.c.Chance(1)
	library := d.c.Chance(4)
	p.Procedures = []Procedure{{Name: gen.Pick(d.c, []string{"main", "main", "start"})}}
	for range d.some(2) {
		p.Procedures = append(p.Procedures, Procedure{Name: d.name()})
	}
	for i := len(p.Procedures) - 1; i >= 0; i-- {
		d.callee, d.bare = i+1, library && i > 0
		n := 2 + d.some(5)
		if i == 0 {
			n += d.some(8)
		}
		if d.crowd && i == 0 {
			for range 34 + d.some(20) {
				p.Procedures[0].Body = append(p.Procedures[0].Body, d.crowded())
			}
		}
		p.Procedures[i].Body = append(p.Procedures[i].Body, d.body(n)...)
		if i == 0 {
			p.Procedures[0].Body = append(p.Procedures[0].Body, d.results()...)
			p.Procedures[0].Body = append(p.Procedures[0].Body, Statement{Kind: End})
		}
	}
	if d.c.Chance(5) && len(p.Procedures) > 1 {
		first := p.Procedures[0]
		p.Procedures = append(p.Procedures[1:], first)
		p.Entry = len(p.Procedures) - 1
	}
	p.Library = library && p.Entry == 0 && len(p.Procedures) > 1
	if p.Library && d.c.Chance(6) {
		p.Twin = true
		p.Procedures = append(p.Procedures, Procedure{Name: d.name(), Body: []Statement{d.crowded(), {Kind: End}}})
	}
}

// lengthen adds procedures without a caller before the program, or after its entry, so that
// targets of calls and jumps have large addresses: above 255, in geometry programs above 511,
// now and then above 2047. Some of these programs have many operand descriptors.
func (d *drawing) lengthen() {
	const longest = 250
	words := 260 + d.some(60)
	if d.p.Stage == pica.Geometry {
		if words = 520 + d.some(100); d.c.Chance(5) {
			words = 2100 + d.some(1500)
		}
	}
	alike := make([]Statement, 1+d.some(15))
	if !d.crowd && d.c.Chance(8) {
		alike = make([]Statement, 45+d.some(30))
	}
	for i := range alike {
		alike[i] = d.crowded()
	}
	var padding []Procedure
	for ; words > 0; words -= longest {
		q := Procedure{Name: d.name()}
		for i := range min(words, longest) {
			q.Body = append(q.Body, alike[i%len(alike)])
		}
		q.Body = cloneBody(q.Body)
		padding = append(padding, q)
	}
	d.p.Library, d.p.Twin = false, false
	call := Statement{Kind: Call, Style: d.style(), Condition: d.condition(true), Target: d.name()}
	jump := Statement{Kind: Jump, Style: d.style(), Condition: d.condition(false), Target: d.name()}
	entry := &d.p.Procedures[d.p.Entry]
	entry.Body = slices.Insert(entry.Body, 0, call, jump, alike[0], Statement{Kind: Label, Target: jump.Target})
	at := 0
	if d.p.Entry == 0 && d.c.Chance(8) {
		at = 1
	} else {
		d.p.Entry += len(padding)
	}
	d.p.Procedures = append(slices.Insert(d.p.Procedures, at, padding...), Procedure{call.Target, alike[:1]})
}

// crowded is an instruction whose operand descriptor is probably unique.
func (d *drawing) crowded() Statement {
	o := Operand{Class: 'r', Number: 1, Selector: uint8(d.c.Bits(8)), Style: d.style()}
	return Statement{Kind: Compute, Op: pica.MOV, Dest: Operand{Class: 'r', Number: d.c.Below(8), Mask: 0xF},
		Sources: []Operand{o}}
}

// results moves registers to outputs, so that the results of a program show.
func (d *drawing) results() (list []Statement) {
	for i := range d.p.Outputs {
		o := &d.p.Outputs[i]
		dest := Operand{Class: 'o', Number: o.Register, Mask: o.Mask, Style: d.style()}
		if o.Name != "" {
			dest.Name, dest.Number = o.Name, 0
		}
		list = append(list, Statement{Kind: Compute, Op: pica.MOV, Dest: dest, Style: d.style(),
			Sources: []Operand{{Class: 'r', Number: i, Selector: pica.IdentitySwizzle, Style: d.style()}}})
	}
	return list
}

// body draws about n statements.
func (d *drawing) body(n int) (list []Statement) {
	pending := []string(nil) // labels without a position yet
	for range n {
		if d.words > 60 && !d.crowd {
			break
		}
		s := d.statement()
		if s.Kind == Jump {
			if len(list) > 0 && d.c.Chance(5) { // back
				list = slices.Insert(list, d.c.Below(len(list)), Statement{Kind: Label, Target: s.Target})
			} else {
				pending = append(pending, s.Target)
			}
		}
		if mova(&s) && len(list) > 0 && mova(&list[len(list)-1]) {
			continue
		}
		if list = append(list, s); mova(&s) {
			next := d.compute()
			for mova(&next) {
				next = d.compute()
			}
			list = append(list, next)
		}
		if len(pending) > 0 && d.c.Chance(6) {
			list = append(list, Statement{Kind: Label, Target: pending[0]})
			pending = pending[1:]
		}
	}
	for _, l := range pending {
		list = append(list, Statement{Kind: Label, Target: l})
	}
	if n := len(list); n > 0 && list[n-1].Kind == Label { // no jump may leave the scope by its end
		list = append(list, Statement{Kind: Nop})
	}
	return list
}

func mova(s *Statement) bool { return s.Kind == Compute && s.Op == pica.MOVA }

// statement draws a statement. The label of a jump must follow.
func (d *drawing) statement() Statement {
	d.words++
	if d.depth < 4 && d.c.Chance(5) {
		switch d.c.Below(7) {
		case 0, 1:
			return d.conditional()
		case 2:
			if d.loops < 2 {
				return d.loop()
			}
		case 3:
			if d.callee < len(d.p.Procedures) && d.loops < 2 {
				s := Statement{Kind: Call, Style: d.style(), Condition: d.condition(true)}
				s.Target = d.p.Procedures[d.callee+d.c.Below(len(d.p.Procedures)-d.callee)].Name
				return s
			}
		case 4:
			s := Statement{Kind: Jump, Style: d.style(), Condition: d.condition(false), Target: d.name()}
			if s.Condition.On == pica.OnUniform && d.c.Chance(5) {
				s.Condition.On, s.Condition.Inverse = pica.OnUniformInverse, true
			}
			return s
		case 5:
			if d.loops > 0 {
				s := Statement{Kind: Break, Style: d.style(), Condition: d.flags()}
				if d.c.Chance(2) {
					s.Condition = Condition{}
				}
				return s
			}
		case 6:
			if d.p.Stage == pica.Geometry {
				if d.c.Chance(6) {
					return Statement{Kind: Emit}
				}
				return Statement{Kind: SetEmit, Style: d.style(), Vertex: uint8(d.c.Below(13) % 4),
					Primitive: d.c.Chance(8), Winding: d.c.Chance(8)}
			}
			return Statement{Kind: Nop}
		}
	}
	return d.compute()
}

func (d *drawing) conditional() Statement {
	s := Statement{Kind: If, Style: d.style(), Condition: d.condition(false)}
	d.depth++
	s.Then = d.body(1 + d.some(3))
	if d.c.Chance(7) {
		s.Else = d.body(1 + d.some(2))
	}
	d.depth--
	return s
}

func (d *drawing) loop() Statement {
	s := Statement{Kind: Loop, Style: d.style(), Int: d.scalar('i', pica.NumInts)}
	d.depth++
	d.loops++
	s.Then = d.body(1 + d.some(3))
	d.depth--
	d.loops--
	return s
}

// scalar draws a register of class i or b, by name if there is one.
func (d *drawing) scalar(class byte, n int) Operand {
	o := Operand{Class: class, Number: d.c.Below(n), Style: d.style()}
	if d.bare {
		return o
	}
	for i := range d.p.Uniforms {
		if u := &d.p.Uniforms[i]; u.Class == class && d.c.Chance(8) {
			o.Name, o.Number = u.Name, d.c.Below(u.Size)
		}
	}
	for i := range d.p.Constants {
		if k := &d.p.Constants[i]; k.Class == class && k.Name != "" && d.c.Chance(8) {
			o.Name, o.Number = k.Name, 0
		}
	}
	return o
}

func (d *drawing) condition(always bool) Condition {
	switch {
	case always && d.c.Chance(6):
		return Condition{}
	case d.c.Chance(6):
		return Condition{On: pica.OnUniform, Bool: d.scalar('b', pica.NumBools)}
	}
	return d.flags()
}

func (d *drawing) flags() Condition {
	c := Condition{On: pica.OnFlags, Op: uint8(d.c.Below(4)), RefX: d.c.Chance(8), RefY: d.c.Chance(8)}
	switch c.Op {
	case pica.CondX:
		c.RefY = true
	case pica.CondY:
		c.RefX = true
	}
	return c
}

// computing are the instructions that compute, without inverted forms.
var computing = pica.OpcodesWhere(func(i *pica.OpcodeInfo) bool { return i.Sources > 0 && i.Plain == i.Base })

// inverted maps instructions to their forms with a wide last operand.
var inverted = func() map[pica.Opcode]pica.Opcode {
	forms := map[pica.Opcode]pica.Opcode{}
	for _, op := range pica.OpcodesWhere(func(i *pica.OpcodeInfo) bool { return i.Plain != i.Base }) {
		forms[pica.Opcodes[op].Plain] = op
	}
	return forms
}()

// inverse reports whether an instruction has an inverted form.
func inverse(op pica.Opcode) bool { return inverted[op] != 0 }

func (d *drawing) compute() Statement {
	op := gen.Pick(d.c, computing)
	info := &pica.Opcodes[op]
	s := Statement{Kind: Compute, Op: op, Style: d.style()}
	switch {
	case info.Writes&pica.WritesAddress != 0:
		s.Dest = Operand{Class: 'a', Mask: gen.Pick(d.c, []uint8{8, 4, 12}), Style: d.style()}
	case info.Writes&pica.WritesDest != 0:
		s.Dest = d.dest()
	}
	wide := 0
	if info.Sources == 3 || inverse(op) && d.c.Chance(8) {
		wide = 1
	}
	if op == pica.MAD && d.c.Chance(8) {
		wide = 2
	}
	for k := range info.Sources {
		s.Sources = append(s.Sources, d.source(k == wide))
	}
	d.oneInput(&s)
	if op == pica.CMP {
		s.Compare = [2]uint8{uint8(d.c.Below(6)), uint8(d.c.Below(6))}
		if d.c.Rarely() {
			s.Compare[d.c.Bits(1)] = uint8(6 + d.c.Bits(1)) // undefined
		}
	}
	return s
}

// oneInput makes all input operands of an instruction the same register.
func (d *drawing) oneInput(s *Statement) {
	var first *Operand
	for k := range s.Sources {
		switch o := &s.Sources[k]; {
		case o.Class != 'v':
		case first == nil:
			first = o
		case first.Alias != "":
			o.Class, o.Name, o.Number, o.Alias = 'r', "", 2, ""
		default:
			o.Name, o.Number, o.Alias = first.Name, first.Number, ""
		}
	}
}

func (d *drawing) dest() Operand {
	o := Operand{Class: 'r', Number: d.c.Below(8), Mask: uint8(1 + d.c.Below(15)), Style: d.style()}
	if d.c.Chance(6) {
		o.Mask = 0xF
	}
	if d.c.Chance(1) {
		o.Number = 8 + d.c.Below(8)
	}
	if d.c.Below(200) == 0 {
		o.Mask = 0
	}
	if out := &d.p.Outputs; len(*out) > 0 && d.c.Chance(2) {
		w := gen.Pick(d.c, *out)
		o.Class, o.Number = 'o', w.Register
		if w.Name != "" && !d.bare {
			o.Name, o.Number = w.Name, 0
		}
	}
	return o
}

// source draws a source operand: a register or, for a wide field, a uniform or a constant, with
// an address register now and then.
func (d *drawing) source(wide bool) Operand {
	o := Operand{Class: 'r', Number: d.c.Below(8), Selector: pica.IdentitySwizzle, Style: d.style(),
		Negate: d.c.Chance(4)}
	switch {
	case d.c.Chance(6):
		o.Selector = uint8(d.c.Bits(8))
	case d.c.Chance(4):
		o.Selector = uint8(d.c.Below(4)) * 0x55
	}
	switch {
	case d.c.Chance(4) && len(d.p.Inputs) > 0:
		in := gen.Pick(d.c, d.p.Inputs)
		o.Class, o.Name, o.Number = 'v', in.Name, 0
		if d.c.Chance(4) || d.bare {
			o.Name, o.Number = "", in.Register
		}
	case wide && d.c.Chance(10):
		o.Class, o.Number = 'c', d.c.Below(pica.NumFloats)
		var named []Operand
		for _, s := range d.p.spans() {
			if s.class == 'c' {
				named = append(named, Operand{Name: s.name, Number: d.c.Below(s.size)})
			}
		}
		if len(named) > 0 && d.c.Chance(11) && !d.bare {
			n := gen.Pick(d.c, named)
			o.Name, o.Number = n.Name, n.Number
		}
		if d.c.Chance(4) {
			o.Index = uint8(1 + d.c.Below(3))
		}
	case d.c.Chance(1):
		o.Number = 8 + d.c.Below(8)
	}
	if len(d.p.Aliases) > 0 && d.c.Chance(2) && !d.bare {
		if a := gen.Pick(d.c, d.p.Aliases); wide || a.Class != 'c' {
			style := o.Style
			o = a.Operand
			o.Alias, o.Style = a.Name, style
		}
	}
	return o
}
