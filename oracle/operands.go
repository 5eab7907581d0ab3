package oracle

import "github.com/picaproof/picaproof/pica"

// readSources reads the sources of the current instruction into the record, all of them
// before a result is written (all emulators).
func (m *Machine) readSources() {
	c := &m.at
	s := &m.rules.Encoding.Shapes[c.Op]
	if s.Layout == nil {
		return
	}
	m.desc = m.descriptors[s.Layout.Desc.Of(c.Word)]
	m.record.Descriptor = m.desc
	m.mask = uint8(m.rules.Encoding.Mask.Of(m.desc))
	for k := range s.Count {
		n := s.Layout.Sources[k].Of(c.Word)
		if k == s.Layout.Wide {
			if n = c.WideSource(); c.Trapped() {
				return
			}
		}
		m.read(k, n, s.always[k]|(s.masked[k]&m.mask))
	}
	if read := m.rules.Operands.Read; read != nil {
		read(c, &m.record.Sources)
	}
}

// WideSource returns the source number that the wide source of the instruction reads, displaced
// if it has an index; see [Operands.Displace].
func (c *Control) WideSource() int {
	l := c.Rules.Encoding.Shapes[c.Op].Layout
	n, index := l.Sources[l.Wide].Of(c.Word), l.Index.Of(c.Word)
	if index == pica.IndexNone {
		return n
	}
	return c.Rules.Operands.Displace(c, n, index)
}

// read stores source k in the record: register n, swizzled, then negated (all emulators).
// used is the set of lanes that the result needs. If such a lane selects a component of a
// temporary that this run did not write, read notes the temporary as uninitialised.
func (m *Machine) read(k, n int, used uint8) {
	e := &m.rules.Encoding
	if source := m.rules.Operands.Source; source != nil {
		n = source(&m.at, k, n)
	}
	selectors := e.Selectors[k].Of(m.desc)
	to := &m.record.Sources[k]
	m.record.Registers[k], m.record.Needed[k] = int16(n), used
	*to = m.rules.Operands.Swizzle(&m.at, k, m.register(n), selectors)
	if e.Negate[k].Of(m.desc) != 0 {
		for lane := range to {
			to[lane] = m.rules.Unit.Ops.Negate(&m.rules.Unit, to[lane])
		}
	}
	if n < pica.SourceTemporary || n >= pica.SourceUniform || m.lanesWritten[n-pica.SourceTemporary] == all {
		return
	}
	for lane := range to {
		if used&(laneX>>lane) != 0 && m.lanesWritten[n-pica.SourceTemporary]&(laneX>>selected(selectors, lane)) == 0 {
			m.at.uninitialised |= 1 << (n - pica.SourceTemporary)
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
	return m.float(n - pica.SourceUniform)
}

// write stores a result through the mask, and notes which lanes of a temporary this run wrote.
func (m *Machine) write(v pica.Vec4) {
	m.record.Result, m.record.Written = v, m.mask
	if result := m.rules.Operands.Result; result != nil {
		result(&m.at, &m.record.Sources, &m.record.Result)
	}
	n := m.rules.Encoding.Shapes[m.at.Op].Layout.Dest.Of(m.at.Word)
	if n >= pica.DestTemporary {
		m.lanesWritten[n-pica.DestTemporary] |= m.mask
	}
	m.rules.Operands.Write(m.at.Op, m.rules.Operands.Dest(&m.regs.State, n), &m.record.Result, m.mask)
}
