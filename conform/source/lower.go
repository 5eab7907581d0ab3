package source

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/bits"
	"slices"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
	"github.com/picaproof/picaproof/pica/float24"
)

// Errors of programs that exceed a shader unit.
var (
	errDescriptors = errors.New("too many operand descriptors")
	errWords       = errors.New("too many words")
	errLabel       = errors.New("a label at the end of its scope")
	errRegister    = errors.New("a register that does not exist")
)

// banks are the sizes of the register files.
var banks = map[byte]int{'v': pica.NumInputs, 'r': pica.NumTemporaries, 'o': pica.NumOutputs,
	'c': pica.NumFloats, 'i': pica.NumInts, 'b': pica.NumBools}

// Meaning is the meaning of a program in a dialect.
type Meaning struct {
	pica.Module
	// Values has the constants as the source writes them, in the order of the
	// module's constants.
	Values []Value
	// Labels has the labels, if the dialect keeps them.
	Labels []pica.Label
}

// Value is the value of one register.
type Value struct {
	Entry    int // the entry point of the constant
	Class    byte
	Register int
	// First and Size are the first register and the size of the named constant of the register,
	// which may be in any registers. Size is 0 for a register that the source names.
	First, Size int
	Value       pica.Vec4 // for class 'c', float32 patterns
	// Also has the other raw float24 patterns that are right.
	Also []pica.Vec4
}

// Lower returns the words and tables of a program in a dialect, with a NOP at the end of each
// scope. Operand descriptors of MAD come first, because MAD has five bits for their number.
func Lower(p *Program, d *Dialect) (*Meaning, error) {
	p = d.framed(p)
	for s := range p.Walk {
		for o := range s.operands {
			if n := p.Register(*o); n < 0 || n >= banks[o.Class] {
				return nil, errRegister
			}
		}
	}
	if slices.ContainsFunc(p.Constants, p.overlaid) {
		return nil, errRegister
	}
	for _, b := range p.bodies() {
		if n := len(*b); n > 0 && (*b)[n-1].Kind == Label {
			return nil, errLabel
		}
	}
	l := &lowering{p: p, dialect: d, starts: map[string]int{}, ends: map[string]int{}}
	if mads := l.descriptors.of(p); mads > pica.MaxMADDescs || len(l.descriptors) > pica.MaxDescriptors {
		return nil, errDescriptors
	}
	for i := range p.Procedures {
		pr := &p.Procedures[i]
		l.starts[pr.Name] = len(l.code)
		l.body(pr.Body)
		l.ends[pr.Name] = len(l.code)
	}
	for _, j := range l.pending {
		if err := l.resolve(j); err != nil {
			return nil, err
		}
	}
	limit := pica.MaxVertexCode
	if p.Stage == pica.Geometry && !d.pairs {
		limit = pica.MaxCode
	}
	if len(l.code) > limit {
		return nil, errWords
	}
	m := &Meaning{Module: pica.Module{Program: pica.Program{Code: l.code, Descriptors: l.descriptors}}}
	m.Entries = []pica.EntryPoint{l.entry()}
	if t := p.twin(); t != nil {
		m.Entries = append(m.Entries, l.twin(t))
	}
	m.Values = l.values
	if d.pairs && p.Stage == pica.Geometry {
		vertex := m.Entries[0]
		vertex.Stage = pica.Vertex
		m.Entries = []pica.EntryPoint{vertex, m.Entries[0]}
		for _, v := range l.values {
			v.Entry = 1
			m.Values = append(m.Values, v)
		}
	}
	if d.Labels {
		m.Labels = l.labels()
	}
	return m, nil
}

// labels returns the labels that begin and end procedures.
func (l *lowering) labels() (list []pica.Label) {
	for k, words := range []map[string]int{l.starts, l.ends} {
		for _, name := range slices.Sorted(maps.Keys(words)) {
			label := nihstroName(name) + []string{"", "_end"}[k]
			list = append(list, pica.Label{Name: label, Word: words[name], Length: -1})
		}
	}
	return list
}

// lowering is the state of Lower.
type lowering struct {
	p            *Program
	dialect      *Dialect
	code         []uint32
	descriptors  descriptors
	starts, ends map[string]int // by procedure; labels have only a start
	pending      []pending
	values       []Value
}

// pending is a word with an unresolved target.
type pending struct {
	at     int
	target string
	call   bool
}

func (l *lowering) emit(i decode.Inst) int {
	w, err := decode.Encode(i)
	if err != nil {
		panic(fmt.Sprintf("source: %v: %+v", err, i)) // Draw makes no such statement
	}
	l.code = append(l.code, w)
	return len(l.code) - 1
}

// body appends statements and the NOP that separates flow control from the end.
func (l *lowering) body(body []Statement) {
	for k := range body {
		l.statement(&body[k])
	}
	if n := len(body); n == 0 || body[n-1].Kind != Nop {
		l.emit(decode.Inst{Op: pica.NOP})
	}
}

func (l *lowering) statement(s *Statement) {
	i := decode.Inst{CondOp: s.Condition.Op, RefX: s.Condition.RefX, RefY: s.Condition.RefY}
	if s.Condition.On == pica.OnUniform || s.Condition.On == pica.OnUniformInverse {
		i = decode.Inst{Bool: uint8(l.p.Register(s.Condition.Bool))}
	}
	switch s.Kind {
	case Compute:
		l.compute(s)
	case If:
		i.Op = onCondition(s, pica.NOP, pica.IFC, pica.IFU)
		at := l.emit(i)
		l.body(s.Then)
		otherwise := len(l.code)
		if len(s.Else) > 0 {
			l.body(s.Else)
		}
		l.aim(at, otherwise, len(l.code)-otherwise)
	case Loop:
		at := l.emit(decode.Inst{Op: pica.LOOP, Int: uint8(l.p.Register(s.Int))})
		l.body(s.Then)
		l.emit(decode.Inst{Op: pica.NOP})
		l.aim(at, len(l.code)-1, 0)
	case Call:
		i.Op = onCondition(s, pica.CALL, pica.CALLC, pica.CALLU)
		l.pending = append(l.pending, pending{l.emit(i), s.Target, true})
	case Jump:
		i.Op = onCondition(s, pica.NOP, pica.JMPC, pica.JMPU)
		if s.Condition.Inverse {
			i.Num = 1
		}
		l.pending = append(l.pending, pending{l.emit(i), s.Target, false})
	case Label:
		l.starts[s.Target] = len(l.code)
	case Break:
		i.Op = onCondition(s, pica.BREAK, pica.BREAKC, pica.BREAKC)
		l.emit(i)
	case Emit:
		l.emit(decode.Inst{Op: pica.EMIT})
	case SetEmit:
		l.emit(decode.Inst{Op: pica.SETEMIT, Vertex: s.Vertex, Primitive: s.Primitive, Winding: s.Winding})
	case Nop:
		l.emit(decode.Inst{Op: pica.NOP})
	case End:
		l.emit(decode.Inst{Op: pica.END})
	}
}

func (l *lowering) resolve(j pending) error {
	start, ok := l.starts[j.target]
	if !ok {
		return fmt.Errorf("no label or procedure %q", j.target)
	}
	length := 0
	if j.call {
		length = l.ends[j.target] - start
	}
	if length > 255 {
		return errWords
	}
	l.aim(j.at, start, length)
	return nil
}

// aim sets target and length; the lowest bit of a jump's length stays.
func (l *lowering) aim(at, target, length int) {
	i := decode.Decode(l.code[at])
	i.Dst, i.Num = uint16(target), i.Num|uint8(length)
	l.code[at], _ = decode.Encode(i)
}

// number returns the number of an operand in a source field.
func (l *lowering) number(o Operand) uint8 {
	return uint8(map[byte]int{'v': pica.SourceInput, 'r': pica.SourceTemporary,
		'c': pica.SourceUniform}[o.Class] + l.p.Register(o))
}

// wide reports whether an operand needs the field of seven bits.
func (o *Operand) wide() bool { return o.Class == 'c' || o.Index != pica.IndexNone }

// form returns the opcode for an instruction's operands.
func (s *Statement) form() pica.Opcode {
	if inverse(s.Op) && s.Sources[len(s.Sources)-1].wide() {
		return inverted[s.Op]
	}
	return s.Op
}

func (l *lowering) compute(s *Statement) {
	i := decode.Inst{Op: s.form(), Desc: uint8(l.descriptors.number(s)), CmpX: s.Compare[0], CmpY: s.Compare[1]}
	switch s.Dest.Class {
	case 'o':
		i.Dest = uint8(l.p.Register(s.Dest))
	case 'r':
		i.Dest = uint8(pica.DestTemporary + s.Dest.Number)
	}
	for k, o := range s.Sources {
		i.Src[k] = l.number(o)
		i.Index |= o.Index
	}
	l.emit(i)
}

// descriptors are the operand descriptors of a program.
type descriptors []uint32

// of adds the descriptors of a program, those of MAD first, and returns their number.
func (l *descriptors) of(p *Program) (mads int) {
	for _, mad := range []bool{true, false} {
		for s := range p.Walk {
			if s.Kind == Compute && (s.Op == pica.MAD) == mad {
				l.number(s)
			}
		}
		if mad {
			mads = len(*l)
		}
	}
	return mads
}

// number returns the number of the descriptor of an instruction.
func (l *descriptors) number(s *Statement) int {
	var negate [3]bool
	var selectors [3]uint8
	for k, o := range s.Sources {
		negate[k], selectors[k] = o.Negate, o.Selector
	}
	mask := s.Dest.Mask
	if s.Op == pica.CMP {
		mask = 0xF
	}
	return l.add(uint32(pica.MakeDescriptor(mask, negate, selectors)))
}

// add returns the number of a descriptor, which may be new.
func (l *descriptors) add(d uint32) int {
	n := slices.Index(*l, d)
	if n < 0 {
		n = len(*l)
		*l = append(*l, d)
	}
	return n
}

// entry returns the tables of the program.
func (l *lowering) entry() pica.EntryPoint {
	p := l.p
	name := p.Procedures[p.Entry].Name
	e := pica.EntryPoint{Name: name, Stage: p.Stage, First: l.starts[name], End: l.ends[name],
		Geometry: p.Geometry.GeometryParameters}
	for i := range p.Inputs {
		in := &p.Inputs[i]
		e.InputMask |= 1 << in.Register
		e.Symbols = append(e.Symbols, pica.Symbol{Name: in.Name, Class: 'v', First: in.Register, Last: in.Register})
	}
	for i := range p.Uniforms {
		u := &p.Uniforms[i]
		first := p.place(u.Class, u.Name)
		if name, exported := l.dialect.symbol(u.Name); exported {
			e.Symbols = append(e.Symbols,
				pica.Symbol{Name: name, Class: u.Class, First: first, Last: first + u.Size - 1})
		}
	}
	for i := range p.Constants {
		k := &p.Constants[i]
		first, size := p.first(k), 0
		if k.Name != "" {
			size = len(k.Rows)
		}
		for j, row := range k.Rows {
			l.values = append(l.values,
				Value{Class: k.Class, Register: first + j, First: first, Size: size, Value: row})
			if k.Class == 'c' {
				for n := range row {
					row[n] = Truncated(row[n])
				}
			}
			e.Constants = append(e.Constants, pica.Constant{Class: k.Class, Register: first + j, Value: row})
		}
	}
	for i := range p.Outputs {
		o := &p.Outputs[i]
		e.Merge = e.Merge || p.own() && o.Semantic == "dummy"
		e.OutputMask |= 1 << o.Register
		e.Outputs = append(e.Outputs,
			pica.Output{Semantic: o.Semantic, Register: o.Register, Mask: bits.Reverse8(o.Mask) >> 4})
	}
	slices.SortStableFunc(e.Symbols, func(a, b pica.Symbol) int { return cmp.Compare(a.Name, b.Name) })
	return e
}

// twin returns the entry point of the second file, which has no tables. A file with EMIT is a
// geometry program.
func (l *lowering) twin(t *Procedure) pica.EntryPoint {
	e := pica.EntryPoint{Name: t.Name, First: l.starts[t.Name], End: l.ends[t.Name]}
	rest := Program{Procedures: slices.Delete(slices.Clone(l.p.Procedures), l.p.Entry, l.p.Entry+1)}
	for s := range rest.Walk {
		if s.Kind == SetEmit {
			e.Stage = pica.Geometry
		}
	}
	return e
}

// Truncated returns the raw float24 of a float32 pattern, rounded toward zero.
func Truncated(x uint32) uint32 { return pica.Float24.Narrow(float24.Round(x, float24.TowardZero)) }

// Nearest returns the nearest raw float24 of a float32 pattern.
func Nearest(x uint32) uint32 { return pica.Float24.Narrow(float24.Round(x, float24.NearestEven)) }
