package oracle

import "github.com/picaproof/picaproof/pica"

// rings is the model of the console (T. Karras on 3dbrew, from console tests;
// Azahar's interpreter). Scopes are compared with the successor of the
// executed instruction, not with the address jumped to, and only the newest
// entry of each stack is. Its rules are those of a [Flow] table.
type rings struct{}

// console is the table of the oracle itself.
var console = Flow{
	Condition: condition, Flag: flag, JMPU: taken, Passes: passes,
	IF: branch, CALL: call, JMP: jump, LOOP: loop, BREAK: leave,
	PushIF: pushIF, PushCALL: pushCALL, PushLOOP: pushLOOP,
	Close: [3]func(c *Control){closeCALL, closeIF, closeLOOP}, END: ends, CloseAtEND: true,
	Returns: 4, Kept: 3,
	StepAL: stepAL, Again: again, RestoreAL: restoreAL,
}

func (rings) load(*Machine) bool { return true }
func (rings) start(*Machine)     {}
func (rings) arrive(*Machine)    {}
func (rings) end(*Machine) bool  { return true }

// scopes has nothing to add to the stacks of the state.
func (rings) scopes() string { return "" }

func (rings) branch(m *Machine, target, num int, holds bool) bool {
	m.rules.Flow.IF(&m.at, holds, target, num)
	return true
}

func (rings) call(m *Machine, target, num int) bool {
	m.rules.Flow.CALL(&m.at, target, num)
	return true
}

func (rings) loop(m *Machine, target int, p Passes) bool {
	m.rules.Flow.LOOP(&m.at, target, p)
	return true
}

func (rings) jump(m *Machine, target int) bool {
	m.rules.Flow.JMP(&m.at, target)
	return true
}

func (rings) leave(m *Machine) bool {
	if m.regs.Stacks.LoopDepth == 0 {
		return m.unit.Knobs[pica.KnobBreakOutside] == pica.BreakOutsideIgnored || m.trap(pica.TrapHang) // 3dbrew
	}
	m.rules.Flow.BREAK(&m.at)
	return true
}

// finish closes the scopes that end behind the executed instruction.
func (rings) finish(m *Machine) {
	s, r := &m.regs.Stacks, &m.rules.Flow
	if s.CallDepth|s.IfDepth|s.LoopDepth != 0 && (!m.ended || r.CloseAtEND) {
		for _, scopes := range r.Close {
			scopes(&m.at)
		}
	}
	m.at.Break = false
}

func condition(operator int, cc, ref [2]bool) bool {
	x, y := cc[0] == ref[0], cc[1] == ref[1]
	switch operator {
	case pica.CondOr:
		return x || y
	case pica.CondAnd:
		return x && y
	case pica.CondX:
		return x
	}
	return y
}

func flag(bools uint16, n int) bool { return bools>>n&1 != 0 }

// taken: bit 0 of NUM inverts (all emulators).
func taken(flag bool, num int) bool { return flag != (num&1 != 0) }

// passes reads x as the passes less one, y as the first aL, z as the step (all
// emulators).
func passes(i [4]uint8) Passes { return Passes{Count: i[0], First: i[1], Step: i[2]} }

func branch(c *Control, holds bool, target, num int) {
	if !holds {
		c.Next = target // nothing is pushed
		return
	}
	c.Rules.PushIF(&c.Stacks, pica.IfEntry{Else: uint16(target), End: uint16(target + num)})
}

func call(c *Control, target, num int) {
	c.Rules.PushCALL(&c.Stacks, pica.CallEntry{End: uint16(target + num), Return: c.after()})
	c.Next = target
}

func loop(c *Control, target int, p Passes) {
	c.Rules.PushLOOP(&c.Stacks, pica.LoopEntry{
		Entry: c.after(), End: uint16(target + 1), Count: p.Count, Step: p.Step, OuterAL: c.outerAL(p)})
}

// outerAL is what is stored to be restored.
func (c *Control) outerAL(p Passes) int32 {
	if c.Knobs[pica.KnobInnerAL] == pica.InnerALStart {
		return int32(p.First) // Azahar's interpreter overwrites aL before it saves it
	}
	return c.AL
}

func jump(c *Control, target int) { c.Next = target }

func leave(c *Control) { c.Break = true }

// ends: open scopes do not matter.
func ends(*Control) bool { return true }

// after is the address with which the ends of scopes are compared.
func (c *Control) after() uint16 { return uint16(c.PC + 1) }

// closeCALL returns from up to four procedures.
func closeCALL(c *Control) {
	s, end := &c.Stacks, c.after()
	for k := 0; k < c.Rules.Returns && s.CallDepth > 0 && s.Call[s.CallDepth-1].End == end; k++ {
		if k < c.Rules.Kept { // the fourth return at once loses its address
			end = s.Call[s.CallDepth-1].Return
			c.Next = int(end)
		}
		pop(s.Call[:], &s.CallDepth)
	}
}

// closeIF goes behind one else part.
func closeIF(c *Control) {
	s := &c.Stacks
	if s.IfDepth > 0 && s.If[s.IfDepth-1].Else == c.after() {
		c.Next = int(s.If[s.IfDepth-1].End)
		pop(s.If[:], &s.IfDepth)
	}
}

// closeLOOP ends a pass of one loop.
func closeLOOP(c *Control) {
	s := &c.Stacks
	if s.LoopDepth == 0 || s.Loop[s.LoopDepth-1].End != c.after() && !c.Break {
		return
	}
	top := &s.Loop[s.LoopDepth-1]
	c.Rules.StepAL(c, top)
	if c.Rules.Again(c, top) {
		c.Next = int(top.Entry)
		return
	}
	c.Next = int(top.End)
	c.Rules.RestoreAL(c, top)
	pop(s.Loop[:], &s.LoopDepth)
}

func stepAL(c *Control, e *pica.LoopEntry) {
	if !c.Break || c.Knobs[pica.KnobBreakStep] == pica.BreakStepAdds {
		c.AL += int32(e.Step)
	}
}

func again(c *Control, e *pica.LoopEntry) bool {
	if c.Break || e.Count == 0 {
		return false
	}
	e.Count--
	return true
}

// restoreAL: only a nested loop gives back the value of the one around it.
func restoreAL(c *Control, e *pica.LoopEntry) {
	if c.Stacks.LoopDepth > 1 && c.Knobs[pica.KnobInnerAL] != pica.InnerALKept {
		c.AL = e.OuterAL
	}
}

func pushIF(s *pica.Stacks, e pica.IfEntry)     { push(s.If[:], &s.IfDepth, e) }
func pushCALL(s *pica.Stacks, e pica.CallEntry) { push(s.Call[:], &s.CallDepth, e) }
func pushLOOP(s *pica.Stacks, e pica.LoopEntry) { push(s.Loop[:], &s.LoopDepth, e) }

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
