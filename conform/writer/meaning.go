package writer

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
	"github.com/picaproof/picaproof/pica/decode"
)

// step is an instruction by its effect. Addresses are positions among the instructions without
// NOPs.
type step struct {
	pc      int
	op      pica.Opcode // the plain form
	dest    uint8
	mask    uint8
	sources []operand
	compare [2]uint8
	flow    decode.Inst // the fields that decide, with addresses cleared
	target  int
	end     int // the end of the range of a CALL, an IF or a LOOP
}

// operand is a source operand by the components that it reads.
type operand struct {
	register  uint8
	negate    bool
	selectors [4]int8 // -1 for components that are not read
	index     uint8
}

// code is a program by its effect.
type code struct {
	pica.Program
	steps []step
	place []int // the index in steps of each word, and of the end
}

// newCode decodes words.
func newCode(p pica.Program) *code {
	c := &code{Program: p}
	n := 0
	for _, w := range p.Code {
		c.place = append(c.place, n)
		if pica.OpcodeOf(w) != pica.NOP {
			n++
		}
	}
	c.place = append(c.place, n)
	for pc, w := range p.Code {
		if pica.OpcodeOf(w) != pica.NOP {
			c.steps = append(c.steps, c.step(pc, w))
		}
	}
	return c
}

// at returns the place of an address; addresses beyond the code have places beyond the last.
func (c *code) at(address int) int {
	if address < len(c.place) {
		return c.place[address]
	}
	return len(c.steps) + 1 + address - len(c.place)
}

func (c *code) step(pc int, w uint32) step {
	i := decode.Decode(w)
	info := &pica.Opcodes[i.Op]
	s := step{pc: pc, op: info.Plain}
	if info.Sources == 0 {
		s.flow = i
		s.flow.Dst, s.flow.Num, s.flow.Unused = 0, 0, 0
		s.flow.RefX, s.flow.RefY = i.RefX && i.CondOp != pica.CondY, i.RefY && i.CondOp != pica.CondX
		dst, num := int(i.Dst), int(i.Num)
		switch info.Flow {
		case pica.FlowLoop:
			s.target = c.at(dst + 1)
		case pica.FlowJump:
			s.target = c.at(dst)
			s.flow.Num = i.Num & uint8(pica.InverseBit.Mask())
			if info.Condition == pica.OnFlags {
				s.flow.Num = 0
			}
		case pica.FlowIf, pica.FlowCall:
			s.target, s.end = c.at(dst), c.at(dst+num)
		}
		return s
	}
	d := c.Descriptor(int(i.Desc))
	s.compare = [2]uint8{i.CmpX, i.CmpY}
	if info.Writes&pica.WritesDest != 0 {
		s.dest, s.mask = i.Dest, d.Mask()
	}
	if info.Writes&pica.WritesAddress != 0 {
		s.mask = d.Mask() & 0xC
	}
	for k := range info.Sources {
		o := operand{register: i.Src[k], negate: d.Negate(k)}
		if k == int(i.IndexedSource) && i.Src[k] >= pica.SourceUniform {
			o.index = i.Index
		}
		reads := info.Reads[k]
		if reads == 0 || info.Writes&pica.WritesAddress != 0 {
			reads = s.mask
		}
		for slot := range o.selectors {
			o.selectors[slot] = -1
			if reads>>(3-slot)&1 == 1 {
				o.selectors[slot] = int8(d.Selector(k, slot))
			}
		}
		s.sources = append(s.sources, o)
	}
	return s
}

// exchanged returns the equivalent instruction with two operands exchanged.
func (s *step) exchanged() (step, bool) {
	switch s.op {
	case pica.CMP, pica.ADD, pica.MUL, pica.DP3, pica.DP4, pica.MAD:
	default:
		return step{}, false
	}
	e := *s
	e.sources = slices.Clone(s.sources)
	e.sources[0], e.sources[1] = e.sources[1], e.sources[0]
	if s.op == pica.CMP {
		e.compare = [2]uint8{pica.MirroredCmp[s.compare[0]], pica.MirroredCmp[s.compare[1]]}
	}
	return e, true
}

// mismatch is a difference in meaning: the wrong part, and its instruction.
type mismatch struct {
	field    string
	op       string
	pc       int // in the output
	expected string
	observed string
}

// reordered reports whether an instruction is another one with two operands exchanged, or with
// their registers exchanged.
func (s *step) reordered(t *step, m *registers) bool {
	for k := range max(len(t.sources)-1, 0) {
		whole, bare := *t, *t
		whole.sources, bare.sources = slices.Clone(t.sources), slices.Clone(t.sources)
		a, b := &whole.sources[k], &whole.sources[k+1]
		*a, *b = *b, *a
		a, b = &bare.sources[k], &bare.sources[k+1]
		a.register, a.index, b.register, b.index = b.register, b.index, a.register, a.index
		if s.differs(&whole, m) == "" || s.differs(&bare, m) == "" {
			return true
		}
	}
	return false
}

func (c *code) text(s *step) string {
	return asm.Format(c.Code[s.pc], c.Descriptors)
}

// textFor returns an instruction of the model as it should be in an output: with the registers
// and the addresses of the output.
func (c *code) textFor(s *step, output *code, m *registers) string {
	i := decode.Decode(c.Code[s.pc])
	switch pica.Opcodes[s.op].Flow {
	case pica.FlowLoop:
		i.Dst = uint16(output.word(s.target) - 1)
	case pica.FlowJump:
		i.Dst = uint16(output.word(s.target))
	case pica.FlowIf, pica.FlowCall:
		i.Dst = uint16(output.word(s.target))
		i.Num = uint8(output.word(s.end) - int(i.Dst))
	}
	for k := range s.sources {
		if to, ok := m.bound[register{'c', int(i.Src[k]) - pica.SourceUniform}]; ok {
			i.Src[k] = uint8(to.n + pica.SourceUniform)
		}
	}
	if to, ok := m.bound[register{'i', int(i.Int)}]; ok && s.op == pica.LOOP {
		i.Int = uint8(to.n)
	}
	w, err := decode.Encode(i)
	if err != nil {
		return c.text(s)
	}
	return asm.Format(w, c.Descriptors)
}

// word returns the address of a place, the inverse of at.
func (c *code) word(place int) int {
	if place < len(c.steps) {
		return c.steps[place].pc
	}
	return len(c.Code) + max(0, place-len(c.steps)-1)
}

// differs names the first part in which two instructions differ.
func (s *step) differs(t *step, m *registers) string {
	switch {
	case s.op != t.op:
		return "instruction"
	case s.compare != t.compare:
		return "relation"
	case s.dest != t.dest && s.mask != 0:
		return "destination"
	case s.mask != t.mask:
		return "operand descriptor"
	case s.target != t.target:
		return target
	case s.end != t.end:
		return length
	}
	if s.op == pica.LOOP {
		if !m.same('i', int(s.flow.Int), int(t.flow.Int)) {
			return "uniform"
		}
	} else if s.flow != t.flow {
		switch {
		case s.flow.Bool != t.flow.Bool:
			return "uniform"
		case s.flow.Vertex != t.flow.Vertex || s.flow.Primitive != t.flow.Primitive || s.flow.Winding != t.flow.Winding:
			return "setemit"
		}
		return "condition"
	}
	for k := range s.sources {
		a, b := &s.sources[k], &t.sources[k]
		switch {
		case a.negate != b.negate || a.selectors != b.selectors:
			return "operand descriptor"
		case (a.register < pica.SourceUniform || b.register < pica.SourceUniform) && a.register != b.register:
			return "source register"
		case a.index != b.index:
			return "address register"
		case a.register >= pica.SourceUniform &&
			!m.same('c', int(a.register)-pica.SourceUniform, int(b.register)-pica.SourceUniform):
			return "source register"
		}
	}
	return ""
}

// maskLetters returns the letters of a mask whose bit 0 is x.
func maskLetters(mask uint8) string {
	text := ""
	for k, letter := range "xyzw" {
		if mask>>k&1 == 1 {
			text += string(letter)
		}
	}
	return text
}

// registerNames returns the registers of a mask.
func registerNames(class string, mask uint16) string {
	text := ""
	for mask != 0 {
		k := bits.TrailingZeros16(mask)
		text += fmt.Sprintf("%s%d ", class, k)
		mask &^= 1 << k
	}
	return text
}
