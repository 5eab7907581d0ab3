package oracle

import "github.com/picaproof/picaproof/pica"

// rings is the model of the console (T. Karras on 3dbrew, from console tests;
// Azahar's interpreter). Scopes are compared with the successor of the
// executed instruction, not with the address jumped to, and only the newest
// entry of each stack is.
type rings struct{ breaking bool }

func (f *rings) load(*Machine) bool { return true }

func (f *rings) start(*Machine)  { f.breaking = false }
func (f *rings) arrive(*Machine) {}

func (f *rings) end(*Machine) bool { return true }

// scopes has nothing to add to the stacks of the state.
func (f *rings) scopes() string { return "" }

func (f *rings) branch(m *Machine, target, num int, holds bool) bool {
	if !holds {
		m.next = target // nothing is pushed
		return true
	}
	s := &m.state.Stacks
	push(s.If[:], &s.IfDepth, pica.IfEntry{Else: uint16(target), End: uint16(target + num)})
	return true
}

func (f *rings) call(m *Machine, target, num int) bool {
	s := &m.state.Stacks
	push(s.Call[:], &s.CallDepth, pica.CallEntry{End: uint16(target + num), Return: uint16(m.pc + 1)})
	m.next = target
	return true
}

func (f *rings) loop(m *Machine, target int, count, step uint8) bool {
	s := &m.state.Stacks
	first := int32(m.ints[fieldInt.of(m.word)][1])
	push(s.Loop[:], &s.LoopDepth, pica.LoopEntry{
		Entry: uint16(m.pc + 1), End: uint16(target + 1), Count: count, Step: step, OuterAL: m.outerAL(first)})
	return true
}

func (f *rings) jump(m *Machine, target int) bool {
	m.next = target
	return true
}

func (f *rings) leave(m *Machine) bool {
	if m.state.Stacks.LoopDepth == 0 {
		return m.unit.knobs[pica.KnobBreakOutside] == pica.BreakOutsideIgnored || m.trap(pica.TrapHang) // 3dbrew
	}
	f.breaking = true
	return true
}

// finish closes the scopes that end behind the executed instruction: up to four
// CALLs, one IF, one LOOP. The last to set the next address wins.
func (f *rings) finish(m *Machine) {
	s, after := &m.state.Stacks, uint16(m.pc+1)
	next := uint16(m.next)
	c := after
	for k := 0; k < 4 && s.CallDepth > 0 && s.Call[s.CallDepth-1].End == c; k++ {
		if k < 3 { // the fourth return at once loses its address
			next = s.Call[s.CallDepth-1].Return
			c = next
		}
		pop(s.Call[:], &s.CallDepth)
	}
	if s.IfDepth > 0 && s.If[s.IfDepth-1].Else == after {
		next = s.If[s.IfDepth-1].End
		pop(s.If[:], &s.IfDepth)
	}
	if s.LoopDepth > 0 && (s.Loop[s.LoopDepth-1].End == after || f.breaking) {
		top := &s.Loop[s.LoopDepth-1]
		if !f.breaking || m.unit.knobs[pica.KnobBreakStep] == pica.BreakStepAdds {
			m.state.AL += int32(top.Step)
		}
		if !f.breaking && top.Count != 0 {
			top.Count--
			next = top.Entry
		} else {
			next = top.End
			if s.LoopDepth > 1 && m.unit.knobs[pica.KnobInnerAL] != pica.InnerALKept {
				m.state.AL = top.OuterAL
			}
			pop(s.Loop[:], &s.LoopDepth)
		}
	}
	f.breaking = false
	m.next = int(next)
}

// push adds an entry; a full stack loses its oldest.
func push[E any](stack []E, depth *uint8, e E) {
	if int(*depth) == len(stack) {
		copy(stack, stack[1:])
		*depth--
	}
	stack[*depth] = e
	*depth++
}

// pop removes the newest entry and clears its place.
func pop[E any](stack []E, depth *uint8) {
	*depth--
	var none E
	stack[*depth] = none
}
