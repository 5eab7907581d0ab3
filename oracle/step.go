package oracle

import "github.com/picaproof/picaproof/pica"

// step executes one instruction, or records a trap. It returns false and does nothing
// if the run has already ended.
func (m *Machine) step() bool {
	if m.ended {
		return false
	}
	c := &m.at
	m.record = pica.Step{Index: m.steps, PC: c.PC, Next: c.PC, State: &m.regs.State}
	if m.run(); c.trapped() {
		m.ended = true
		m.record.Ended, m.record.Trap = true, c.trap
	} else {
		m.complete()
	}
	if m.ended && m.job.Stage == pica.Geometry {
		m.bools = m.rules.Emission.Bools(m.bools)
	}
	return true
}

// run executes one instruction: budget, arrival, fetch, support, operands, hazards,
// execution. It stops at the first of these that traps.
func (m *Machine) run() {
	c := &m.at
	if m.steps >= m.budget {
		c.Trap(pica.TrapBudget)
		return
	}
	if f := m.rules.Flow.Arrive; f != nil {
		f(c)
		m.record.PC = c.PC
	}
	if c.doomed {
		c.Refuse(c.doom)
		return
	}
	if m.fetch(); c.trapped() {
		return
	}
	if m.admit(); c.trapped() {
		return
	}
	if m.operands(); c.trapped() {
		return
	}
	if m.hazard(); c.trapped() {
		return
	}
	m.execute()
}

// complete ends an instruction that did not trap.
func (m *Machine) complete() {
	c := &m.at
	m.rules.Flow.Finish(c)
	m.ended = c.Ended
	m.steps++
	m.moved = c.op == pica.MOVA
	c.PC = c.Next
	m.record.Next, m.record.Ended = c.Next, m.ended
}

// fetch reads the word at PC and decodes its opcode.
func (m *Machine) fetch() {
	c := &m.at
	if m.word = m.rules.Flow.Fetch(c, &m.code); c.trapped() {
		return
	}
	m.record.PC, m.record.Word = c.PC, m.word
	c.op, c.Next, c.ignored = m.rules.Encoding.Opcode(m.word), c.PC+1, false
}

// admit applies the implementation's support of the opcode: run, skip or refuse. It also
// traps reserved opcodes and asks the rule about indexes.
func (m *Machine) admit() {
	c := &m.at
	switch m.rules.Support[m.word>>26] {
	case pica.SupportAbort:
		c.Refuse(m.rules.Refusal)
		return
	case pica.SupportFetch:
		if !m.inTables() {
			c.Refuse(pica.RefusalUnknown)
			return
		}
		c.Ignore()
	case pica.SupportSkip:
		c.Ignore()
	}
	if c.ignored {
		c.op, m.record.Skipped = pica.NOP, true
	}
	s := &m.rules.Encoding.Shapes[c.op]
	switch {
	case !s.known:
		c.Trap(pica.TrapReserved) // unknown on the console
	case m.rules.Operands.Index != nil && s.Layout != nil && s.Layout.Index.Of(m.word) != pica.IndexNone:
		m.rules.Operands.Index(c, c.op)
	}
}

// hazard detects instructions that consoles execute unreliably.
func (m *Machine) hazard() {
	c, cause := &m.at, pica.TrapNone
	switch {
	case m.rules.Hazards == pica.HazardsOff:
		return
	case c.op == pica.MOVA && m.moved:
		cause = pica.TrapHang // two in a row freeze (picasso)
	case m.inputsDiffer():
		cause = pica.TrapUnreliableInput // (picasso)
	}
	switch {
	case cause == pica.TrapNone:
	case m.rules.Hazards == pica.HazardsTrap:
		c.Trap(cause)
	case !m.warned[c.PC]:
		m.warned[c.PC] = true
		m.hazards = append(m.hazards, pica.Trap{Cause: cause, PC: c.PC})
	}
}

// inputsDiffer reports whether the sources name two different input registers.
func (m *Machine) inputsDiffer() bool {
	s := &m.rules.Encoding.Shapes[m.at.op]
	first := -1
	for k := range s.Count {
		n := s.Layout.Sources[k].Of(m.word)
		if n < pica.SourceTemporary && first >= 0 && n != first {
			return true
		}
		if n < pica.SourceTemporary {
			first = n
		}
	}
	return false
}
