package oracle

import "github.com/picaproof/picaproof/pica"

// operands reads the sources of the current instruction into the record.
func (m *Machine) operands() {
	s := &m.rules.Encoding.Shapes[m.at.op]
	if s.Layout == nil {
		return
	}
	m.desc = m.descriptors[s.Layout.Desc.Of(m.word)]
	m.record.Descriptor = m.desc
	m.mask = uint8(m.rules.Encoding.Mask.Of(m.desc))
	for k := range s.Count {
		n := s.Layout.Sources[k].Of(m.word)
		if k == s.Layout.Wide {
			if n = m.displace(n, s.Layout.Index.Of(m.word)); n == Nothing {
				m.at.Refuse(pica.RefusalUnknown)
				return
			}
		}
		m.read(k, n, s.always[k]|s.masked[k]&m.mask)
	}
}

// inTables reports whether the wide source lies in the implementation's tables. An index
// counts as read.
func (m *Machine) inTables() bool {
	l := m.rules.Encoding.Shapes[m.at.op].Layout
	return l == nil || m.displace(l.Sources[l.Wide].Of(m.word), l.Index.Of(m.word)) != Nothing
}

// read stores source k in the record: register n, swizzled, then negated. used is the set
// of lanes that the result needs. If one comes from a component of a temporary that this
// run did not write, read adds the temporary to m.unwritten.
func (m *Machine) read(k, n int, used uint8) {
	e := &m.rules.Encoding
	selectors := e.Selectors[k].Of(m.desc)
	to := &m.record.Sources[k]
	*to = m.rules.Operands.Swizzle(m.register(n), selectors)
	if e.Negate[k].Of(m.desc) != 0 {
		for lane := range to {
			to[lane] = m.rules.Unit.Ops.Negate(&m.rules.Unit, to[lane])
		}
	}
	if n < pica.SourceTemporary || n >= pica.SourceUniform || m.written[n-pica.SourceTemporary] == all {
		return
	}
	for lane := range to {
		if used&(laneX>>lane) != 0 && m.written[n-pica.SourceTemporary]&(laneX>>selected(selectors, lane)) == 0 {
			m.unwritten |= 1 << (n - pica.SourceTemporary)
		}
	}
}

// register returns the register with source number n; see [Operands].
func (m *Machine) register(n int) *pica.Vec4 {
	switch {
	case n == Ones:
		return &m.ones
	case n == Zeros:
		return &m.zeros
	case n < pica.SourceTemporary:
		return &m.inputs[n]
	case n < pica.SourceUniform:
		return &m.regs.R[n-pica.SourceTemporary]
	}
	return &m.floats[n-pica.SourceUniform]
}

// displace returns the number of the register that the wide source reads, given its
// number n and the index field. It notes an address register that this run did not write.
func (m *Machine) displace(n, index int) int {
	if index == pica.IndexNone {
		return n
	}
	if n < m.rules.Operands.Relative {
		return n
	}
	m.unwritten |= addressBit(index) &^ m.special
	return m.rules.Operands.Displace(n, m.address(index))
}

// address returns the value of the register that an index field names.
func (m *Machine) address(index int) int32 { return m.rules.Operands.Address(&m.regs.State, index) }

// addressBit returns the set of the one register that an index field names.
func addressBit(index int) pica.Registers { return pica.RegA0X << (index - pica.IndexA0X) }

// write stores a result in the destination register.
func (m *Machine) write(v pica.Vec4) {
	m.record.Result, m.record.Written = v, m.mask
	n := m.rules.Encoding.Shapes[m.at.op].Layout.Dest.Of(m.word)
	if n >= pica.DestTemporary {
		m.written[n-pica.DestTemporary] |= m.mask
	}
	m.rules.Operands.Write(m.at.op, m.rules.Operands.Dest(&m.regs.State, n), &m.record.Result, m.mask)
}
