package oracle

import "github.com/picaproof/picaproof/pica"

// advance executes one instruction, or records a trap. It returns false and does nothing
// if the run has already ended.
func (m *Machine) advance() bool {
	if m.ended {
		return false
	}
	c := &m.at
	m.rules, c.Rules = m.base, m.base
	m.record = pica.Step{Index: m.steps, Next: c.PC, State: &m.regs.State}
	m.attempt()
	m.record.PC = c.PC // Arrive and Fetch may have changed it
	if c.Trapped() {
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

// attempt executes one instruction: budget, arrival, the program before the first, decoding, admission, sources, hazards,
// execution. It stops at the first of these that traps.
func (m *Machine) attempt() {
	c := &m.at
	if m.steps >= m.budget {
		c.Trap(pica.TrapBudget)
		return
	}
	if model := m.rules.Flow.Model; model != nil {
		if model.Arrive(c); c.Trapped() {
			return
		}
	}
	if program := m.rules.Program; program != nil && m.steps == 0 {
		if program(c); c.Trapped() {
			return
		}
	}
	if m.decode(); c.Trapped() {
		return
	}
	if m.admit(); c.Trapped() {
		return
	}
	if m.readSources(); c.Trapped() {
		return
	}
	if m.hazard(); c.Trapped() {
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
	c.Last, m.moved = c.Word, c.Op == pica.MOVA
	c.PC = c.Next
	m.record.Next, m.record.Ended = c.Next, m.ended
}

// decode fetches the word at PC and reads its opcode.
func (m *Machine) decode() {
	c := &m.at
	if c.Word = m.rules.Flow.Fetch(c, &m.code); c.Trapped() {
		return
	}
	m.record.Word = c.Word
	c.Op, c.Next = m.rules.Encoding.Opcode(c.Word), c.PC+1
	if choose := m.rules.Choose; choose != nil {
		m.rules = choose(c)
		c.Rules, c.Op = m.rules, m.rules.Encoding.Opcode(c.Word)
	}
}

// admit makes a NOP of an instruction that is not executed.
func (m *Machine) admit() {
	c := &m.at
	if f := m.rules.Admit[c.Word>>26]; f != nil && !f(c) && !c.Trapped() {
		c.Op, m.record.Skipped = pica.NOP, true
	}
}

// hazard traps if consoles execute the instruction unreliably, or notes it once for each word.
func (m *Machine) hazard() {
	if m.rules.Hazards == pica.HazardsOff {
		return
	}
	c, cause := &m.at, pica.TrapNone
	switch {
	case c.Op == pica.MOVA && m.moved:
		cause = pica.TrapHang // two in a row freeze (picasso)
	case m.inputsDiffer():
		cause = pica.TrapUnreliableInput // wrong data (picasso)
	default:
		return
	}
	if m.rules.Hazards == pica.HazardsTrap {
		c.Trap(cause)
	} else if !m.warned[c.PC] {
		m.warned[c.PC] = true
		m.hazards = append(m.hazards, pica.Trap{Cause: cause, PC: c.PC})
	}
}

// inputsDiffer reports whether the sources name two different input registers.
func (m *Machine) inputsDiffer() bool {
	s := &m.rules.Encoding.Shapes[m.at.Op]
	first := -1
	for k := range s.Count {
		n := s.Layout.Sources[k].Of(m.at.Word)
		if n >= pica.SourceTemporary {
			continue
		}
		if first >= 0 && n != first {
			return true
		}
		first = n
	}
	return false
}

// shown returns the record of the newest instruction, with the open scopes that
// [pica.Stacks] does not show.
func (m *Machine) shown() *pica.Step {
	if model := m.rules.Flow.Model; model != nil {
		m.record.Open = model
	}
	return &m.record
}
