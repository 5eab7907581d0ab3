package oracle

import "github.com/picaproof/picaproof/pica"

// A flow is a control-flow model. Its methods change m.at.Next and the stacks. Those that return a bool report false after a trap,
// before anything has changed.
type flow interface {
	// load looks at a new program; false refuses to run it.
	load(m *Machine) bool
	// start prepares a run; the stacks are empty.
	start(m *Machine)
	// arrive comes before each fetch and may change m.at.PC.
	arrive(m *Machine)
	// branch is IFC or IFU.
	branch(m *Machine, target, num int, holds bool) bool
	// call is a CALL that is taken.
	call(m *Machine, target, num int) bool
	loop(m *Machine, target int, p Passes) bool
	// jump is a JMP that is taken.
	jump(m *Machine, target int) bool
	// leave is BREAK, or BREAKC whose condition holds.
	leave(m *Machine) bool
	end(m *Machine) bool
	// finish comes after each instruction, END included.
	finish(m *Machine)
	// scopes names the open scopes that the stacks of the state do not show.
	scopes() string
}

// control executes the flow-control instructions.
func (m *Machine) control() bool {
	target, num := m.rules.Encoding.Target.of(m.word), m.rules.Encoding.Num.of(m.word)
	switch m.op {
	case pica.IFC:
		return m.flow.branch(m, target, num, m.condition())
	case pica.IFU:
		return m.flow.branch(m, target, num, m.flag())
	case pica.CALL:
		return m.flow.call(m, target, num)
	case pica.CALLC:
		return !m.condition() || m.flow.call(m, target, num)
	case pica.CALLU:
		return !m.flag() || m.flow.call(m, target, num)
	case pica.JMPC:
		return !m.condition() || m.flow.jump(m, target)
	case pica.JMPU:
		return !m.rules.Flow.JMPU(m.flag(), num) || m.flow.jump(m, target)
	case pica.LOOP:
		p := m.rules.Flow.Passes(m.ints[m.rules.Encoding.Int.of(m.word)])
		if !m.flow.loop(m, target, p) {
			return false
		}
		m.regs.AL = int32(p.First)
		m.special |= pica.RegAL
	case pica.BREAK:
		return m.flow.leave(m)
	case pica.BREAKC:
		return !m.condition() || m.flow.leave(m)
	case pica.END:
		if !m.flow.end(m) {
			return false
		}
		m.ended = m.rules.Flow.END(&m.at)
	}
	return true
}

// flag returns the boolean uniform that the instruction names.
func (m *Machine) flag() bool { return m.rules.Flow.Flag(m.bools, m.rules.Encoding.Bool.of(m.word)) }

// condition evaluates the condition of a format 2 instruction.
func (m *Machine) condition() bool {
	e := &m.rules.Encoding
	operator := e.Condition.of(m.word)
	m.unwritten |= conditionReads[operator] &^ m.special
	return m.rules.Flow.Condition(operator, m.regs.CC, [2]bool{e.RefX.of(m.word) != 0, e.RefY.of(m.word) != 0})
}

// conditionReads is indexed by the operator.
var conditionReads = [4]pica.Registers{
	pica.CondOr: pica.RegCCX | pica.RegCCY, pica.CondAnd: pica.RegCCX | pica.RegCCY,
	pica.CondX: pica.RegCCX, pica.CondY: pica.RegCCY,
}
