package ancestry

import (
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// A slice goes back over the steps of a run. wanted holds the parts of the state after a step that the component
// depends on.
//
// A decision counts if one of the ways from it to its join may change what is wanted there. Otherwise the run comes
// to the join with the same values there whatever the decision is, so what decided it does not matter.
type slice struct {
	*graph
	wanted live
	at     []live // for each node what was wanted where the run came to it next
	found  Ancestry
}

// back undoes a step, after which the run came to the node next.
func (s *slice) back(r *record, next int) {
	n := &s.nodes[r.node]
	decides := len(n.next) > 1 && n.join >= 0 && n.between.meets(s.at[n.join])
	member := false
	if r.Trap.Cause == pica.TrapNone {
		for _, e := range n.next {
			if e.to == next && e.depth > 0 {
				s.endOfPass(e)
				if decides {
					s.wanted.rest |= liveCount << (e.depth - 1)
				}
				break
			}
		}
		member = s.instruction(r)
	}
	if decides && s.decision(r) || member {
		s.found.Steps = append(s.found.Steps, Member{r.Index, r.PC, r.Word})
	}
	s.at[r.node] = s.wanted
}

// endOfPass undoes the end of a pass of a loop.
func (s *slice) endOfPass(e edge) {
	if s.wanted.rest&liveAL == 0 {
		return
	}
	if !e.again && e.depth > 1 {
		s.wanted.rest = s.wanted.rest&^liveAL | liveOuter<<(e.depth-1)
		return
	}
	s.wanted.rest |= liveStep << (e.depth - 1)
}

// decision adds what decided a step and reports whether the instruction did.
func (s *slice) decision(r *record) bool {
	op := pica.OpcodeOf(r.Word)
	info, layout := &pica.Opcodes[op], op.Layout()
	switch {
	case info.Base == pica.EMIT:
		s.wanted.rest |= liveEmitter
	case info.Condition == pica.OnUniform, info.Condition == pica.OnUniformInverse:
		s.found.Bools[layout.Bool.Get(r.Word)] = true
	case info.Condition == pica.OnFlags:
		s.wanted.rest |= flagsRead(r)
	default:
		return false // the end of a pass
	}
	return true
}

// flagsRead returns the flags that settle the condition of a step. Where one flag alone settles an "or" or an "and",
// it is that one.
func flagsRead(r *record) uint32 {
	layout := pica.OpcodeOf(r.Word).Layout()
	x := r.cc[0] == (layout.RefX.Get(r.Word) != 0)
	y := r.cc[1] == (layout.RefY.Get(r.Word) != 0)
	operator := layout.CondOp.Get(r.Word)
	settles := operator == pica.CondOr // the value of a flag that settles the condition
	switch {
	case operator == pica.CondX:
		return liveCCX
	case operator == pica.CondY:
		return liveCCY
	case x == settles && y != settles:
		return liveCCX
	case y == settles && x != settles:
		return liveCCY
	}
	return liveCCX | liveCCY
}

// instruction undoes an instruction and reports whether it changed anything that was wanted.
func (s *slice) instruction(r *record) bool {
	switch pica.OpcodeOf(r.Word).Base() {
	case pica.LOOP:
		return s.loop(r)
	case pica.EMIT:
		s.wanted.o, s.wanted.other = s.wanted.other, s.wanted.o
		return s.wanted.o|s.wanted.other != 0
	}
	writes := written(r.Word, pica.Descriptor(r.Descriptor), 0)
	if !writes.meets(s.wanted) {
		return false
	}
	slots := slotsOf(r.Word, writes.and(s.wanted))
	s.wanted.o &^= writes.o
	s.wanted.r &^= writes.r
	s.wanted.rest &^= writes.rest
	for o := range operands(&r.Step, r.before, slots) {
		s.wanted.rest |= addressed(o.index)
		switch {
		case o.number < 0:
		case o.number < pica.SourceTemporary:
			s.found.Inputs[o.number] |= o.parts
		case o.number < pica.SourceUniform:
			s.wanted.r |= register(o.number-pica.SourceTemporary, o.parts)
		default:
			s.found.Floats[o.number-pica.SourceUniform] |= o.parts
		}
	}
	return true
}

// loop undoes LOOP.
func (s *slice) loop(r *record) bool {
	rest := s.wanted.rest
	depth := s.nodes[r.node].stacks.LoopDepth
	loops := rest & liveLoops
	if depth == pica.LoopDepth { // the oldest loop was forgotten, and the others moved
		depth--
		loops = 0
		for _, first := range [...]uint32{liveCount, liveStep, liveOuter} {
			loops |= rest & (first * (1<<depth - 1)) << 1
		}
	} else {
		loops &^= (liveCount | liveStep | liveOuter) << depth
	}
	n := pica.OpcodeOf(r.Word).Layout().Int.Get(r.Word)
	member := false
	for _, f := range [...]struct {
		flag uint32
		part uint8
	}{{liveCount << depth, slotX}, {liveAL, slotY}, {liveStep << depth, slotZ}} {
		if rest&f.flag != 0 {
			s.found.Ints[n] |= f.part
			member = true
		}
	}
	s.wanted.rest = rest&^(liveLoops|liveAL) | loops
	if rest&(liveOuter<<depth) != 0 {
		s.wanted.rest |= liveAL
	}
	return member
}

// initial adds what is still wanted where the run begins.
func (s *slice) initial() {
	slices.Reverse(s.found.Steps)
	for k := range s.found.R {
		s.found.Outputs[k] = uint8(s.wanted.o >> (4 * k) & 0xF)
		s.found.Others[k] = uint8(s.wanted.other >> (4 * k) & 0xF)
		s.found.R[k] = uint8(s.wanted.r >> (4 * k) & 0xF)
	}
	for _, f := range [...]struct {
		flag uint32
		name pica.Registers
	}{{liveA0X, pica.RegA0X}, {liveA0Y, pica.RegA0Y}, {liveAL, pica.RegAL}, {liveCCX, pica.RegCCX},
		{liveCCY, pica.RegCCY}} {
		if s.wanted.rest&f.flag != 0 {
			s.found.Rest |= f.name
		}
	}
}
