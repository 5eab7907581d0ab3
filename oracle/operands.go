package oracle

import "github.com/picaproof/picaproof/pica"

// operands are the rules of the console as far as they are known.
var operands = Operands{
	Address: address, Displace: displace, Swizzle: swizzle, Dest: dest, Write: store,
	MOVA: mova, Compared: [2]int{0, 1}, Flags: flags,
}

// Further numbers of sources.
const (
	zeroRegister = -2 // (0, 0, 0, 0)
	noRegister   = -3 // outside the implementation's tables
)

// operands reads the sources of the current instruction into the record. It
// reports false after a trap.
func (m *Machine) operands() bool {
	s := &m.rules.Encoding.Shapes[m.op]
	if s.Layout == nil {
		return true
	}
	m.desc = m.descriptors[s.Layout.Desc.of(m.word)]
	m.record.Descriptor = m.desc
	m.mask = uint8(m.rules.Encoding.Mask.of(m.desc))
	for k := range s.Number {
		n := s.Layout.Sources[k].of(m.word)
		if k == s.Layout.Wide {
			if n = m.displace(n, s.Layout.Index.of(m.word)); n == noRegister {
				return m.trap(pica.TrapUnsupported)
			}
		}
		m.read(k, n, s.always[k]|s.masked[k]&m.mask)
	}
	return true
}

// read fetches source k from register n: select, then negate. Lanes in used
// are remembered if they were never written.
func (m *Machine) read(k, n int, used uint8) {
	e := &m.rules.Encoding
	selectors := e.Selectors[k].of(m.desc)
	to := &m.record.Sources[k]
	*to = m.rules.Operands.Swizzle(m.register(n), selectors)
	if e.Negate[k].of(m.desc) != 0 {
		for slot := range to {
			to[slot] = m.unit.Ops.Negate(&m.unit, to[slot])
		}
	}
	if n < pica.SourceTemporary || n >= pica.SourceUniform || m.written[n-pica.SourceTemporary] == all {
		return
	}
	for slot := range to {
		if used&(laneX>>slot) != 0 && m.written[n-pica.SourceTemporary]&(laneX>>selected(selectors, slot)) == 0 {
			m.unwritten |= 1 << (n - pica.SourceTemporary)
		}
	}
}

// selected returns the component, 0 to 3, that a selector byte names for a slot.
func selected(selectors, slot int) int { return selectors >> (6 - 2*slot) & 3 }

func swizzle(v *pica.Vec4, selectors int) pica.Vec4 {
	return pica.Vec4{v[selected(selectors, 0)], v[selected(selectors, 1)], v[selected(selectors, 2)], v[selected(selectors, 3)]}
}

// register returns v0-v15 at 0, r0-r15 at 16, c0-c95 at 32.
func (m *Machine) register(n int) *pica.Vec4 {
	switch {
	case n == Ones:
		return &m.ones
	case n == zeroRegister:
		return &m.zeros
	case n < pica.SourceTemporary:
		return &m.inputs[n]
	case n < pica.SourceUniform:
		return &m.regs.R[n-pica.SourceTemporary]
	}
	return &m.floats[n-pica.SourceUniform]
}

// displace applies an address register to the number of the wide source.
func (m *Machine) displace(n, index int) int {
	if index == pica.IndexNone {
		return n
	}
	if rule := m.unit.Knobs[pica.KnobIndex]; rule != pica.IndexWindow {
		m.unwritten |= addressBit(index) &^ m.special
		n += int(m.address(index)) // v and r too
		switch {
		case n >= 0 && n < pica.SourceUniform+pica.NumFloats:
			return n
		case rule == pica.IndexFlatZero:
			return zeroRegister // Panda3DS x64
		}
		return noRegister // Citra and Mikage read foreign memory
	}
	if n >= pica.SourceUniform {
		m.unwritten |= addressBit(index) &^ m.special
	}
	return m.rules.Operands.Displace(n, m.address(index))
}

func displace(n int, offset int32) int {
	if n < pica.SourceUniform {
		return n // only float uniforms are indexed (Steveice10 on a console)
	}
	if offset < -128 || offset > 127 {
		offset = 0 // the register itself (Steveice10; 3dbrew says zeros)
	}
	c := (n - pica.SourceUniform + int(offset)) & 0x7F
	if c >= pica.NumFloats {
		return Ones // (Steveice10 on a console)
	}
	return pica.SourceUniform + c
}

// address returns the value of the register that an index field names.
func (m *Machine) address(index int) int32 { return m.rules.Operands.Address(&m.regs.State, index) }

// addressBit returns that register as a set.
func addressBit(index int) pica.Registers { return pica.RegA0X << (index - pica.IndexA0X) }

func address(s *pica.State, index int) int32 {
	if index == pica.IndexAL {
		return s.AL
	}
	return s.Address[index-pica.IndexA0X]
}

// write stores a result in the destination register.
func (m *Machine) write(v pica.Vec4) {
	m.record.Result, m.record.Written = v, m.mask
	n := m.rules.Encoding.Shapes[m.op].Layout.Dest.of(m.word)
	if n >= pica.DestTemporary {
		m.written[n-pica.DestTemporary] |= m.mask
	}
	m.rules.Operands.Write(m.op, m.rules.Operands.Dest(&m.regs.State, n), &m.record.Result, m.mask)
}

func dest(s *pica.State, n int) *pica.Vec4 {
	if n >= pica.DestTemporary {
		return &s.R[n-pica.DestTemporary]
	}
	return &s.O[n]
}

func store(_ pica.Opcode, to, v *pica.Vec4, mask uint8) {
	for slot := range to {
		if mask&(laneX>>slot) != 0 {
			to[slot] = v[slot]
		}
	}
}

// mova leaves what the mask does not name.
func mova(address *[2]int32, v [2]int32, mask uint8) {
	for i := range address {
		if mask&(laneX>>i) != 0 {
			address[i] = v[i]
		}
	}
}

// flags sets both, whatever the mask (GasInfinity on a console).
func flags(_ pica.Opcode, cc *[2]bool, v [2]bool, _ uint8) { *cc = v }
