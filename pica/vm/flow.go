package vm

import "github.com/picaproof/picaproof/pica"

// control is the state that decides where a run goes, besides flags and uniforms: a
// machine has one, and so has every group of lanes.
type control struct {
	stacks  pica.Stacks
	address [4]int32 // by index field: a0.x, a0.y, aL; a group of lanes has aL alone
}

// The stacks are rings: a push on a full one drops the oldest entry. Entries are
// stored oldest first, and zero beyond the depth, as an outcome shows them.

func (x *control) pushIf(e pica.IfEntry) {
	s := &x.stacks
	if s.IfDepth == pica.IfDepth {
		copy(s.If[:], s.If[1:])
		s.IfDepth--
	}
	s.If[s.IfDepth%pica.IfDepth] = e
	s.IfDepth++
}

func (x *control) pushCall(e pica.CallEntry) {
	s := &x.stacks
	if s.CallDepth == pica.CallDepth {
		copy(s.Call[:], s.Call[1:])
		s.CallDepth--
	}
	s.Call[s.CallDepth%pica.CallDepth] = e
	s.CallDepth++
}

func (x *control) pushLoop(e pica.LoopEntry) {
	s := &x.stacks
	if s.LoopDepth == pica.LoopDepth {
		copy(s.Loop[:], s.Loop[1:])
		s.LoopDepth--
	}
	s.Loop[s.LoopDepth%pica.LoopDepth] = e
	s.LoopDepth++
}

// endScopes closes the scopes that end before address after, the successor of the
// executed instruction, and returns the next pc. next is the address to which the
// instruction itself goes; broke says that it left a loop.
//
// Only the top entry of each stack is compared. Up to four returns follow each other,
// the fourth of which loses its address; then at most one IF and one LOOP close, and
// the last scope to close decides (T. Karras, 3dbrew).
func (x *control) endScopes(after, next int, broke bool) int {
	s := &x.stacks
	at := after
	for k := range 4 {
		if s.CallDepth == 0 {
			break
		}
		top := &s.Call[(s.CallDepth-1)%pica.CallDepth]
		if int(top.End) != at {
			break
		}
		if k < 3 {
			next = int(top.Return)
			at = next
		}
		*top = pica.CallEntry{}
		s.CallDepth--
	}
	if s.IfDepth > 0 {
		if top := &s.If[(s.IfDepth-1)%pica.IfDepth]; int(top.Else) == after {
			next = int(top.End)
			*top = pica.IfEntry{}
			s.IfDepth--
		}
	}
	if s.LoopDepth > 0 {
		if top := &s.Loop[(s.LoopDepth-1)%pica.LoopDepth]; int(top.End) == after || broke {
			x.address[pica.IndexAL] += int32(top.Step)
			if !broke && top.Count != 0 {
				top.Count--
				return int(top.Entry)
			}
			next = int(top.End)
			if s.LoopDepth > 1 {
				x.address[pica.IndexAL] = top.OuterAL
			}
			*top = pica.LoopEntry{}
			s.LoopDepth--
		}
	}
	return next
}

// enterLoop executes LOOP. One known emulator remembers the new aL where the
// console remembers the outer one.
func (x *control) enterLoop(c *Code, m *micro, i [4]uint8, after int) {
	outer := x.address[pica.IndexAL]
	x.address[pica.IndexAL] = int32(i[1])
	if c.profile.Knobs.InnerAL == pica.InnerALStart {
		outer = x.address[pica.IndexAL]
	}
	x.pushLoop(pica.LoopEntry{Entry: uint16(after), End: m.end, Count: i[0], Step: i[2], OuterAL: outer})
}

// branch executes a conditional instruction. It returns the next pc, and whether a
// loop is left; the caller closes scopes.
func (x *control) branch(m *micro, after int, taken bool) (next int, broke bool) {
	switch {
	case m.op == opJump && taken, m.op == opIf && !taken:
		return int(m.target), false
	case m.op == opIf:
		x.pushIf(pica.IfEntry{Else: m.target, End: m.end})
	case m.op == opCall && taken:
		x.pushCall(pica.CallEntry{End: m.end, Return: uint16(after)})
		return int(m.target), false
	case m.op == opBreak:
		return after, taken
	}
	return after, false
}
