package oracle

import "github.com/picaproof/picaproof/pica"

// Results of register numbering beyond the numbers themselves.
const (
	onesRegister = -1 // (1, 1, 1, 1)
	zeroRegister = -2 // (0, 0, 0, 0)
	noRegister   = -3 // outside the implementation's tables
)

// operands reads the sources of the current instruction into the record. It
// reports false after a trap.
func (m *Machine) operands() bool {
	s := &shapes[m.op]
	if s.layout == nil {
		return true
	}
	m.desc = m.descriptors[s.layout.desc.of(m.word)]
	m.record.Descriptor = m.desc
	m.mask = uint8(descMask.of(m.desc))
	for k := range s.number {
		n := s.layout.sources[k].of(m.word)
		if k == s.layout.wide {
			if n = m.displace(n, s.layout.index.of(m.word)); n == noRegister {
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
	from := m.register(n)
	selectors := descSelectors[k].of(m.desc)
	for slot := range 4 {
		component := selectors >> (6 - 2*slot) & 3
		x := from[component]
		if descNegate[k].of(m.desc) != 0 {
			x = m.unit.ops.Negate(&m.unit, x)
		}
		m.record.Sources[k][slot] = x
		temporary := n >= pica.SourceTemporary && n < pica.SourceUniform
		if temporary && used&(laneX>>slot) != 0 && m.written[n-pica.SourceTemporary]&(laneX>>component) == 0 {
			m.unwritten |= 1 << (n - pica.SourceTemporary)
		}
	}
}

// register returns v0-v15 at 0, r0-r15 at 16, c0-c95 at 32.
func (m *Machine) register(n int) *pica.Vec4 {
	switch {
	case n == onesRegister:
		return &m.ones
	case n == zeroRegister:
		return &m.zeros
	case n < pica.SourceTemporary:
		return &m.inputs[n]
	case n < pica.SourceUniform:
		return &m.state.R[n-pica.SourceTemporary]
	}
	return &m.floats[n-pica.SourceUniform]
}

// displace applies an address register to the number of the wide source.
func (m *Machine) displace(n, index int) int {
	if index == pica.IndexNone {
		return n
	}
	if rule := m.unit.knobs[pica.KnobIndex]; rule != pica.IndexWindow {
		n += int(m.address(index)) // v and r too
		switch {
		case n >= 0 && n < pica.SourceUniform+pica.NumFloats:
			return n
		case rule == pica.IndexFlatZero:
			return zeroRegister // Panda3DS x64
		}
		return noRegister // Citra and Mikage read foreign memory
	}
	if n < pica.SourceUniform {
		return n // only float uniforms are indexed (Steveice10 on a console)
	}
	offset := int(m.address(index))
	if offset < -128 || offset > 127 {
		offset = 0 // the register itself (Steveice10; 3dbrew says zeros)
	}
	c := (n - pica.SourceUniform + offset) & 0x7F
	if c >= pica.NumFloats {
		return onesRegister // (Steveice10 on a console)
	}
	return pica.SourceUniform + c
}

// address returns a0.x, a0.y or aL.
func (m *Machine) address(index int) int32 {
	m.unwritten |= pica.Registers(pica.RegA0X) << (index - pica.IndexA0X) &^ m.special
	if index == pica.IndexAL {
		return m.state.AL
	}
	return m.state.Address[index-pica.IndexA0X]
}

// write stores the masked components of v in the destination register.
func (m *Machine) write(v pica.Vec4) {
	m.record.Result, m.record.Written = v, m.mask
	n := shapes[m.op].layout.dest.of(m.word)
	to := &m.state.O[n&15]
	if n >= pica.DestTemporary {
		to = &m.state.R[n-pica.DestTemporary]
		m.written[n-pica.DestTemporary] |= m.mask
	}
	for slot := range 4 {
		if m.mask&(laneX>>slot) != 0 {
			to[slot] = v[slot]
		}
	}
}
