package ancestry

import (
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// A slice goes back over the steps of a trace. wanted holds the parts of the state after a step that the component
// depends on.
//
// A decision counts if one of the ways from it to its join may change what is wanted there, unless the other ways were
// tried and did not; see indifferent. If it does not count, the run comes to the join with the same values there
// whatever the decision is, so what decided it does not matter.
type slice struct {
	*runner
	trace
	wanted live
	at     map[int]arrival // for each node the newest arrival that the slice has undone
	words  map[int]bool    // the words of the members
	found  Ancestry

	limits *limits // of trials; nil for no trials
	needed []int   // the words that are members in trials
	depth  int     // of trials in trials
}

// An arrival is a step at which a run comes to a node, and what was wanted there.
type arrival struct {
	state  *state // nil for no trials
	wanted live
}

func newSlice(r *runner, t trace, wanted live) *slice {
	return &slice{runner: r, trace: t, wanted: wanted, at: map[int]arrival{t.last: {t.at(len(t.records)), wanted}},
		words: map[int]bool{}}
}

// over undoes all steps.
func (s *slice) over() {
	for k := len(s.records) - 1; k >= 0; k-- {
		next := s.last
		if k+1 < len(s.records) {
			next = s.records[k+1].node
		}
		s.back(k, next)
	}
}

// back undoes step k, after which the run came to the node next.
func (s *slice) back(k, next int) {
	r := &s.records[k]
	n := &s.nodes[r.node]
	join, passes := s.at[n.join]
	decides := (k > 0 || s.depth == 0) && len(n.next) > 1 && passes && n.between.meets(join.wanted)
	taken := slices.IndexFunc(n.next, func(e edge) bool { return e.to == next && e.depth > 0 })
	if taken < 0 {
		taken = slices.IndexFunc(n.next, func(e edge) bool { return e.to == next })
	}
	wanted, found := s.wanted, s.found
	member := s.undo(r, n, taken, false)
	if decides && !s.indifferent(k, taken, join) {
		s.wanted, s.found = wanted, found
		member = s.undo(r, n, taken, true)
		member = s.decision(r) || member
	}
	if member {
		s.found.Steps = append(s.found.Steps, Member{r.Index, r.PC, r.Word})
		s.words[r.PC] = true
	}
	s.at[r.node] = arrival{s.trace.at(k), s.wanted}
}

// undo undoes a step, which took an edge of its node, and reports whether its instruction is a member. counts says
// that the passes that were left count.
func (s *slice) undo(r *record, n *node, taken int, counts bool) bool {
	if r.Trap.Cause != pica.TrapNone {
		return false
	}
	if taken >= 0 && n.next[taken].depth > 0 {
		e := n.next[taken]
		s.endOfPass(e)
		if counts {
			s.wanted.rest |= liveCount << (e.depth - 1)
		}
	}
	return s.instruction(r)
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
	slots := settled(&s.rules.Unit, r, slotsOf(r.Word, writes.and(s.wanted)))
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
