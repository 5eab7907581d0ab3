package oracle

import "github.com/picaproof/picaproof/pica"

// This file states the control flow of the console: three stacks, the effect of each
// instruction, and the ends of scopes after it. Unless its comment says otherwise, a rule comes
// from T. Karras's console tests (3dbrew), and Azahar's interpreter follows it.

// flow is the control flow of the console. A CALL or LOOP scope ends if its end is PC + 1 of
// the executed instruction, an IF scope if its else part begins there; the target of a jump
// does not matter. Only the newest entry of a stack can end. When a CALL has ended, its
// return address is compared with the end of the CALL around it, which may end too.
var flow = Flow{
	Fetch: fetch, Condition: condition, Bool: boolUniform, JMPU: jmpu, Int: intUniform, Passes: passes,
	IF: enterIF, CALL: enterCALL, JMP: jump, LOOP: enterLOOP, BREAK: leaveLOOP,
	PushIF: pushIF, PushCALL: pushCALL, PushLOOP: pushLOOP,
	Finish: finish, Close: [3]func(c *Control){closeCALL, closeIF, closeLOOP}, END: ends, CloseAtEND: true,
	MaxClosed: 4, MaxReturned: 3,
	SavedAL: savedAL, StepAL: stepAL, Again: again, RestoreAL: restoreAL,
}

// fetch traps beyond program memory; the console's behaviour is unknown.
func fetch(c *Control, memory *[pica.MaxCode]uint32) uint32 {
	if c.PC >= pica.MaxCode {
		c.Trap(pica.TrapPCRange)
		return 0
	}
	return memory[c.PC]
}

// condition compares each flag with its reference bit (nihstro, all emulators).
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

// boolUniform reads b0 from bit 0 (all emulators).
func boolUniform(bools uint16, n int) bool { return bools>>n&1 != 0 }

// jmpu inverts the boolean uniform if bit 0 of NUM is set (all emulators).
func jmpu(uniform bool, num int) bool { return uniform != (num&1 != 0) }

// intUniform returns integer uniform n. Only an encoding with a wider field than the reference's
// names i4 to i7, which are zero (guess).
func intUniform(ints *[pica.NumInts][4]uint8, n int) [4]uint8 {
	if n >= len(ints) {
		return [4]uint8{}
	}
	return ints[n]
}

// passes decodes x as the number of passes less one, y as the first aL, z as the step (all
// emulators but Panda3DS's interpreter, which runs one pass more).
func passes(i [4]uint8) Passes { return Passes{Count: i[0], First: i[1], Step: i[2]} }

// The three stacks are rings: an entry that is pushed on a full one replaces the oldest.
// Here entries stand oldest first, so the others move down.
func pushIF(s *pica.Stacks, e pica.IfEntry)     { push(s.If[:], &s.IfDepth, e) }
func pushCALL(s *pica.Stacks, e pica.CallEntry) { push(s.Call[:], &s.CallDepth, e) }
func pushLOOP(s *pica.Stacks, e pica.LoopEntry) { push(s.Loop[:], &s.LoopDepth, e) }

// push adds an entry to a ring.
func push[E any](stack []E, depth *uint8, e E) {
	if int(*depth) == len(stack) {
		copy(stack, stack[1:])
		*depth--
	}
	stack[*depth] = e
	*depth++
}

// Pop removes the newest entry of a stack and sets it to zero.
func Pop[E any](stack []E, depth *uint8) {
	*depth--
	var none E
	stack[*depth] = none
}

// after returns PC + 1, the address that the ends of scopes are compared with.
func (c *Control) after() uint16 { return uint16(c.PC + 1) }

// enterIF executes IF: the then part follows it, the else part stands from target to
// target + num.
func enterIF(c *Control, holds bool, target, num int) {
	if !holds {
		c.Next = target // the else part needs no scope
		return
	}
	c.Rules.Flow.PushIF(&c.Stacks, pica.IfEntry{Else: uint16(target), End: uint16(target + num)})
}

// enterCALL executes CALL: the procedure stands from target to target + num.
func enterCALL(c *Control, target, num int) {
	c.Rules.Flow.PushCALL(&c.Stacks, pica.CallEntry{End: uint16(target + num), Return: c.after()})
	c.Next = target
}

// enterLOOP executes LOOP: target is the last word of the body.
func enterLOOP(c *Control, target int, p Passes) {
	c.Rules.Flow.PushLOOP(&c.Stacks, pica.LoopEntry{
		Entry: c.after(), End: uint16(target + 1), Count: p.Count, Step: p.Step, OuterAL: c.Rules.Flow.SavedAL(c, p)})
}

// jump executes JMPC and JMPU. A scope that ends after the jump overrides its target.
func jump(c *Control, target int) { c.Next = target }

// leaveLOOP executes BREAK, which hangs the console outside a loop; Azahar ignores it there.
func leaveLOOP(c *Control) {
	if c.Stacks.LoopDepth == 0 {
		c.Trap(pica.TrapHang)
		return
	}
	c.Break = true
}

// ends reports that END ends the run, even with scopes open. A scope that ends after END still
// closes (Azahar's interpreter; unknown on the console).
func ends(*Control) bool { return true }

// finish closes the scopes that end after the executed instruction.
func finish(c *Control) {
	s, r := &c.Stacks, &c.Rules.Flow
	open := s.CallDepth|s.IfDepth|s.LoopDepth != 0 // spares most instructions three calls
	if open && (!c.Ended || r.CloseAtEND) {
		for _, closeScopes := range r.Close {
			closeScopes(c)
		}
	}
	c.Break = false
}

// closeCALL closes up to MaxClosed CALL scopes: the first if it ends after the instruction, the
// next if it ends at the return address of the one before.
func closeCALL(c *Control) {
	s, end := &c.Stacks, c.after()
	for k := range c.Rules.Flow.MaxClosed {
		if s.CallDepth == 0 || s.Call[s.CallDepth-1].End != end {
			return
		}
		if k < c.Rules.Flow.MaxReturned { // the fourth CALL that one instruction ends does not return
			end = s.Call[s.CallDepth-1].Return
			c.Next = int(end)
		}
		Pop(s.Call[:], &s.CallDepth)
	}
}

// closeIF closes one IF scope and continues after its else part.
func closeIF(c *Control) {
	s := &c.Stacks
	if s.IfDepth > 0 && s.If[s.IfDepth-1].Else == c.after() {
		c.Next = int(s.If[s.IfDepth-1].End)
		Pop(s.If[:], &s.IfDepth)
	}
}

// closeLOOP repeats or closes the newest loop if a pass of it ends here or BREAK leaves it.
func closeLOOP(c *Control) {
	s := &c.Stacks
	if s.LoopDepth == 0 || (s.Loop[s.LoopDepth-1].End != c.after() && !c.Break) {
		return
	}
	top := &s.Loop[s.LoopDepth-1]
	c.Rules.Flow.StepAL(c, top)
	if c.Rules.Flow.Again(c, top) {
		c.Next = int(top.Entry)
		return
	}
	c.Next = int(top.End)
	c.Rules.Flow.RestoreAL(c, top)
	Pop(s.Loop[:], &s.LoopDepth)
}

// savedAL returns aL before LOOP sets it (Azahar's interpreter saves aL after).
func savedAL(c *Control, _ Passes) int32 { return c.AL }

// stepAL adds the step to aL, which has 32 bits (Azahar).
func stepAL(c *Control, e *pica.LoopEntry) { c.AL += int32(e.Step) }

// again counts the passes after the first.
func again(c *Control, e *pica.LoopEntry) bool {
	if c.Break || e.Count == 0 {
		return false
	}
	e.Count--
	return true
}

// restoreAL restores the saved aL after a nested loop; the outermost loop leaves its
// own value.
func restoreAL(c *Control, e *pica.LoopEntry) {
	if c.Stacks.LoopDepth > 1 {
		c.AL = e.OuterAL
	}
}
