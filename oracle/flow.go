package oracle

import "github.com/picaproof/picaproof/pica"

// A flow is a control-flow model. Its methods change m.next, the address of the
// next instruction, which is one more than the current one when an instruction
// starts, and the stacks. Those that return a bool report false after a trap,
// before anything has changed.
type flow interface {
	// load looks at a new program; false refuses to run it.
	load(m *Machine) bool
	// start prepares a run; the stacks are empty.
	start(m *Machine)
	// arrive comes before each fetch and may change m.pc.
	arrive(m *Machine)
	// branch is IFC or IFU.
	branch(m *Machine, target, num int, holds bool) bool
	// call is a CALL that is taken.
	call(m *Machine, target, num int) bool
	loop(m *Machine, target int, count, step uint8) bool
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
	target, num := fieldTarget.of(m.word), fieldNum.of(m.word)
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
		return m.flag() == (num&1 != 0) || m.flow.jump(m, target) // bit 0 of NUM inverts (all emulators)
	case pica.LOOP:
		i := m.ints[fieldInt.of(m.word)] // x: passes less one, y: first aL, z: step (all emulators)
		if !m.flow.loop(m, target, i[0], i[2]) {
			return false
		}
		m.state.AL = int32(i[1])
		m.special |= pica.RegAL
	case pica.BREAK:
		return m.flow.leave(m)
	case pica.BREAKC:
		return !m.condition() || m.flow.leave(m)
	case pica.END:
		if !m.flow.end(m) {
			return false
		}
		m.ended = true
	}
	return true
}

// flag returns the boolean uniform that the instruction names.
func (m *Machine) flag() bool { return m.bools>>fieldBool.of(m.word)&1 != 0 }

// condition evaluates the condition of a format 2 instruction (all emulators).
func (m *Machine) condition() bool {
	x := m.state.CC[0] == (fieldRefX.of(m.word) != 0)
	y := m.state.CC[1] == (fieldRefY.of(m.word) != 0)
	switch fieldCondition.of(m.word) {
	case pica.CondOr:
		m.unwritten |= (pica.RegCCX | pica.RegCCY) &^ m.special
		return x || y
	case pica.CondAnd:
		m.unwritten |= (pica.RegCCX | pica.RegCCY) &^ m.special
		return x && y
	case pica.CondX:
		m.unwritten |= pica.RegCCX &^ m.special
		return x
	}
	m.unwritten |= pica.RegCCY &^ m.special
	return y
}

// outerAL returns what LOOP stores to be restored, given that aL is about to
// become first.
func (m *Machine) outerAL(first int32) int32 {
	if m.unit.knobs[pica.KnobInnerAL] == pica.InnerALStart {
		return first // Azahar's interpreter overwrites aL before it saves it
	}
	return m.state.AL
}
