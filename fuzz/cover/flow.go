package cover

import "github.com/picaproof/picaproof/pica"

// A moment is the effect of one step on control flow.
type moment struct {
	kind          pica.Flow
	pc            int
	target, num   int  // fields of the word
	holds         bool // the condition of the instruction, true if it has none
	before, after *pica.Stacks
	popped        [numStacks]int
	loop          loopEnd
}

// The stacks: the first axis of depthPoints.
const (
	ifStack = iota
	callStack
	loopStack
	numStacks
)

var stackLimits = [numStacks]int{pica.IfDepth, pica.CallDepth, pica.LoopDepth}

// depths lists the depths in that order.
func depths(s *pica.Stacks) [numStacks]int {
	return [numStacks]int{int(s.IfDepth), int(s.CallDepth), int(s.LoopDepth)}
}

// loopEnd says how the step changed the innermost loop: the third axis of endPoints.
type loopEnd int

const (
	loopOn loopEnd = iota
	loopAgain
	loopExit
	loopBroken
)

// transfers reports whether the instruction goes to its target.
func (m *moment) transfers() bool {
	switch m.kind {
	case pica.FlowJump, pica.FlowCall:
		return m.holds
	case pica.FlowIf:
		return !m.holds
	}
	return false
}

// control records the effect of an instruction on control flow, and the scopes that end
// behind it.
func (r *Recorder) control(op pica.Opcode, s *pica.Step) {
	kind, after := pica.Opcodes[op].Flow, &s.State.Stacks
	if kind == pica.FlowNone && after.IfDepth < 2 && still(&r.stacks, after) {
		return
	}
	layout := op.Layout()
	m := &r.moment
	*m = moment{
		kind: kind, pc: s.PC, target: int(layout.Dst.Get(s.Word)), num: int(layout.Num.Get(s.Word)),
		before: &r.stacks, after: after,
	}
	if kind != pica.FlowNone {
		m.holds = r.decide(op, layout, s)
	}
	if m.transfers() {
		column := 1 + choose(m.target > m.pc+1)
		if m.target <= m.pc {
			column = 0
		}
		r.hit(transferPoints.at(int(op), column, 0))
	}
	if !r.rings {
		return
	}
	r.scopes(m)
	if m.popped[ifStack]+m.popped[callStack]+int(m.loop) != 0 {
		r.hit(endPoints.at(min(m.popped[callStack], 1), min(m.popped[ifStack], 1), int(m.loop)))
	}
	for _, k := range shapesOf[kind] {
		if shapes[k].shows(m) {
			r.hit(shapePoints.at(int(k), 0, 0))
		}
	}
}

// still reports whether an instruction that opens no scope closed none either.
func still(before, after *pica.Stacks) bool {
	return before.IfDepth == after.IfDepth && before.CallDepth == after.CallDepth &&
		before.LoopDepth == after.LoopDepth &&
		(after.LoopDepth == 0 || before.Loop[after.LoopDepth-1].Count == after.Loop[after.LoopDepth-1].Count)
}

// decide evaluates the condition of a flow instruction, which changes neither flags nor
// uniforms.
func (r *Recorder) decide(op pica.Opcode, layout *pica.Layout, s *pica.Step) bool {
	switch info := &pica.Opcodes[op]; info.Condition {
	case pica.OnFlags:
		refs := int(layout.RefX.Get(s.Word)<<1 | layout.RefY.Get(s.Word))
		cc := choose(s.State.CC[0])<<1 | choose(s.State.CC[1])
		operator := layout.CondOp.Get(s.Word)
		same := ^(refs ^ cc) & 3
		holds := [...]bool{pica.CondOr: same != 0, pica.CondAnd: same == 3, pica.CondX: same&2 != 0,
			pica.CondY: same&1 != 0}[operator]
		r.hit(conditionPoints.at(int(operator), refs, cc))
		r.hit(outcomePoints.at(int(op), choose(holds), 0))
		return holds
	case pica.OnUniform, pica.OnUniformInverse:
		n := int(layout.Bool.Get(s.Word))
		set := r.bools>>n&1 != 0
		inverted := info.Condition == pica.OnUniformInverse && pica.InverseBit.Get(s.Word) != 0
		r.hit(boolPoints.at(n, choose(set), 0))
		r.hit(decisionPoints.at(int(op), choose(inverted), choose(set)))
		return set != inverted
	}
	if layout.Int.Width != 0 {
		n := int(layout.Int.Get(s.Word))
		i := &r.ints[n]
		r.hit(passesPoints.at(n, min(int(i[0]), 2), 0))
		r.hit(stepPoints.at(choose(i[1] != 0), choose(i[2] != 0), 0))
	}
	return true
}

// scopes records which scopes the step opened and closed.
func (r *Recorder) scopes(m *moment) {
	opens := [numStacks]bool{m.kind == pica.FlowIf && m.holds, m.kind == pica.FlowCall && m.holds,
		m.kind == pica.FlowLoop}
	before, after := depths(m.before), depths(m.after)
	for k, depth := range before {
		if opens[k] && depth == stackLimits[k] {
			r.hit(overflowPoints.at(k, 0, 0)) // the oldest entry is lost
		} else if opens[k] {
			depth++
		}
		if opens[k] {
			r.hit(depthPoints.at(k, depth-1, 0))
		}
		m.popped[k] = max(depth-after[k], 0)
	}
	switch top := after[loopStack] - 1; {
	case m.popped[loopStack] != 0 && m.kind == pica.FlowBreak:
		m.loop = loopBroken
	case m.popped[loopStack] != 0:
		m.loop = loopExit
	case m.kind == pica.FlowLoop && m.target == m.pc,
		m.kind != pica.FlowLoop && top >= 0 && m.after.Loop[top].Count != m.before.Loop[top].Count:
		m.loop = loopAgain
	}
}
