package vm

import "github.com/picaproof/picaproof/pica"

// run executes from pc until END, a trap, or until the run has executed limit
// instructions; done of them were executed before the call. It returns the number
// executed so far. A trap of cause TrapBudget has the pc at which another call
// continues the run.
func (x *machine) run(c *Code, pc, done, limit int) (steps int, trap pica.Trap) {
	for steps = done; steps < limit; steps++ {
		var m *micro
		if uint(pc) < uint(len(c.ops)) {
			m = &c.ops[pc]
		} else if m = c.fetchBeyond(pc); m == nil {
			return steps, pica.Trap{Cause: pica.TrapPCRange, PC: pc}
		}
		if m.flags&flagIndexed != 0 {
			x.fetchRelative(m)
		}
		if m.flags&flagsRemark != 0 {
			if cause := x.remark(c, m, pc, x.lastMova == steps-1); cause != pica.TrapNone {
				return steps, pica.Trap{Cause: cause, PC: pc}
			}
			if m.flags&flagMova != 0 {
				x.lastMova = steps
			}
		}
		after := pc + 1
		next := after
		broke := false
		if m.op < opFlow {
			c.kernels[m.op](x, m)
			if m.flags&flagCopy != 0 {
				x.copyScratch(m)
			}
		} else {
			switch m.op {
			case opNop:
			case opEnd:
				if m.flags&flagScopeEnd != 0 {
					x.endScopes(after, next, false)
				}
				return steps + 1, pica.Trap{}
			case opJump:
				if x.holds(m.when) {
					next = int(m.target)
				}
			case opIf:
				if x.holds(m.when) {
					x.pushIf(pica.IfEntry{Else: m.target, End: m.end})
				} else {
					next = int(m.target)
				}
			case opCall:
				if x.holds(m.when) {
					x.pushCall(pica.CallEntry{End: m.end, Return: uint16(after)})
					next = int(m.target)
				}
			case opLoop:
				x.enterLoop(c, m, x.ints[m.loopUniform()], after)
			case opBreak:
				if broke = x.holds(m.when); broke {
					if x.stacks.LoopDepth == 0 && c.profile.Knobs.BreakOutside == pica.BreakOutsideHang {
						return steps, pica.Trap{Cause: pica.TrapHang, PC: pc}
					}
					pc = x.endScopes(after, next, true)
					continue
				}
			case opEmit:
				if cause := x.emit(); cause != pica.TrapNone {
					return steps, c.refused(pica.Trap{Cause: cause, PC: pc})
				}
			case opVertex:
				x.emitter.slot, x.emitter.primitive, x.emitter.inverted = m.emitted()
			case opTrap:
				return steps, c.refused(pica.Trap{Cause: pica.Cause(m.arg), PC: pc})
			}
		}
		if m.flags&flagScopeEnd != 0 {
			next = x.endScopes(after, next, false)
		}
		pc = next
	}
	return steps, pica.Trap{Cause: pica.TrapBudget, PC: pc}
}

// refused returns a trap with the refusal of the implementation that the profile
// describes, which may refuse EMIT with vertex id 3.
func (c *Code) refused(t pica.Trap) pica.Trap {
	if t.Cause == pica.TrapEmitVertexID && c.profile.Vertex3 == pica.Vertex3Abort {
		t.Cause = pica.TrapUnsupported
	}
	if t.Cause == pica.TrapUnsupported {
		t.Refusal = c.profile.Refusal
	}
	return t
}

const endWord = uint32(pica.END) << 26

// fetchBeyond returns the word behind the program: zero up to the end of program
// memory, nil after it.
func (c *Code) fetchBeyond(pc int) *micro {
	switch {
	case pc >= pica.MaxCode-1 && c.profile.Knobs.ProgramEnd == pica.ProgramEnd4095:
		return &c.last
	case pc >= pica.MaxCode:
		return nil
	}
	return &c.beyond
}

// remark records hazards and ignored instructions. It returns the cause if one of
// them ends the run.
func (x *machine) remark(c *Code, m *micro, pc int, afterMova bool) pica.Cause {
	cause := pica.TrapNone
	if m.flags&flagInputs != 0 {
		cause = pica.TrapUnreliableInput
	}
	if m.flags&flagMova != 0 && afterMova {
		cause = pica.TrapHang
	}
	if cause != pica.TrapNone {
		if c.profile.Knobs.Hazards == pica.HazardsTrap {
			return cause
		}
		x.reports.hazard(pica.Trap{Cause: cause, PC: pc})
	}
	if m.flags&flagLog != 0 {
		x.reports.skip(pica.Opcode(m.arg))
	}
	return pica.TrapNone
}

// fetchRelative copies the register of an indexed operand to its slot: an offset
// outside a byte counts as 0, the sum wraps at 128, and a sum from 96 up names a
// register of ones.
func (x *machine) fetchRelative(m *micro) {
	offset := x.address[m.index&3]
	if offset < -128 || offset > 127 {
		offset = 0
	}
	from := slotUniform + (int(m.target)+int(offset))&0x7F
	copy(x.file[4*slotRelative:][:4], x.file[4*from:][:4])
}

// copyScratch moves a waiting result to its register.
func (x *machine) copyScratch(m *micro) {
	for _, from := range m.dest[:m.n&7] {
		x.file[(m.end*4+from&3)&fileMask] = x.file[from&fileMask]
	}
}
