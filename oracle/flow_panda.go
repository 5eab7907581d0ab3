package oracle

import "github.com/picaproof/picaproof/pica"

// panda is Panda3DS's interpreter: three stacks whose overflow it refuses,
// compared with the actual next address.
type panda struct{ rings }

func (f *panda) branch(m *Machine, target, num int, holds bool) bool {
	if holds && m.regs.Stacks.IfDepth == pica.IfDepth {
		return m.refuse(m.job.Profile.Refusal)
	}
	return f.rings.branch(m, target, num, holds)
}

func (f *panda) call(m *Machine, target, num int) bool {
	if m.regs.Stacks.CallDepth == pica.CallDepth {
		return m.refuse(m.job.Profile.Refusal)
	}
	return f.rings.call(m, target, num)
}

func (f *panda) loop(m *Machine, target int, p Passes) bool {
	if m.regs.Stacks.LoopDepth == pica.LoopDepth {
		return m.refuse(m.job.Profile.Refusal)
	}
	return f.rings.loop(m, target, p)
}

func (f *panda) leave(m *Machine) bool { return m.refuse(m.job.Profile.Refusal) }

// finish looks at LOOP, then IF, then CALL; each sees the address that the one
// before it set. A loop goes back to its start even on the pass that pops it,
// which makes one pass more. END returns without all this.
func (f *panda) finish(m *Machine) {
	if m.ended {
		return
	}
	s, next := &m.regs.Stacks, uint16(m.at.Next)
	if s.LoopDepth > 0 && s.Loop[s.LoopDepth-1].End == next {
		top := &s.Loop[s.LoopDepth-1]
		m.regs.AL += int32(top.Step)
		next = top.Entry
		if top.Count == 0 {
			pop(s.Loop[:], &s.LoopDepth)
		} else {
			top.Count--
		}
	}
	if s.IfDepth > 0 && s.If[s.IfDepth-1].Else == next {
		next = s.If[s.IfDepth-1].End
		pop(s.If[:], &s.IfDepth)
	}
	if s.CallDepth > 0 && s.Call[s.CallDepth-1].End == next {
		next = s.Call[s.CallDepth-1].Return
		pop(s.Call[:], &s.CallDepth)
	}
	m.at.Next = int(next)
}
