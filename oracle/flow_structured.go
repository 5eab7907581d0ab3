package oracle

import "github.com/picaproof/picaproof/pica"

// structured is nested code generation (the compilers of Azahar and Panda3DS):
// blocks become blocks of host code, a CALL a host call, and a return is checked
// for where a procedure ends. Programs whose blocks nest, whose jumps enter no
// block and leave no loop or procedure, and which end at the top level behave as
// anyone would expect; anything else depends on how the code was laid out and is
// refused.
type structured struct {
	region [pica.MaxCode + 1]uint16 // innermost block around each word, 0 outside all
	blocks [2*pica.MaxCode + 1]struct {
		parent uint16
		loop   bool
	}
	nested bool // blocks do not overlap
	frames [64]frame
	depth  int
}

// A frame is a scope entered and not yet left.
type frame struct {
	op                pica.Opcode // IFC, CALL or LOOP
	start, end, leave int
	count, step       uint8
	outerAL           int32
}

func (f *structured) start(*Machine) { f.depth = 0 }

// load maps the blocks: a then part, its else part, a loop body, each word
// belonging to the innermost. The program is refused where they overlap or do
// not lie ahead, where the entry point is inside one, and for any word that the
// compiler refuses.
func (f *structured) load(m *Machine) bool {
	f.nested = true
	type block struct {
		end, elseEnd int
		loop         bool
	}
	var open [pica.MaxCode]block
	var ids [pica.MaxCode]uint16
	depth, last := 0, uint16(0)
	enter := func(b block) {
		if depth == len(open) || b.end > pica.MaxCode || b.elseEnd > pica.MaxCode || depth > 0 && max(b.end, b.elseEnd) > open[depth-1].end {
			f.nested = false
			return
		}
		last++
		f.blocks[last].loop, f.blocks[last].parent = b.loop, 0
		if depth > 0 {
			f.blocks[last].parent = ids[depth-1]
		}
		open[depth], ids[depth] = b, last
		depth++
	}
	for w := 0; w <= pica.MaxCode; w++ {
		for depth > 0 && open[depth-1].end == w {
			b := open[depth-1]
			depth--
			if b.elseEnd > w {
				enter(block{end: b.elseEnd})
			}
		}
		f.region[w] = 0
		if depth > 0 {
			f.region[w] = ids[depth-1]
		}
		if w == pica.MaxCode {
			break
		}
		word := m.code[w]
		if m.support[word>>26] == pica.SupportAbort {
			return false
		}
		target, num := fieldTarget.of(word), fieldNum.of(word)
		switch fold(word) {
		case pica.IFC, pica.IFU:
			if target <= w {
				f.nested = false // wrong code
			} else {
				enter(block{end: target, elseEnd: target + num})
			}
		case pica.LOOP:
			if target <= w {
				f.nested = false
			} else {
				enter(block{end: target + 1, loop: true})
			}
		}
	}
	return f.nested && f.region[m.entry] == 0
}

func (f *structured) arrive(*Machine) {}

// push refuses what may exhaust the host's stack.
func (f *structured) push(m *Machine, e frame) bool {
	if f.depth == len(f.frames) {
		return m.trap(pica.TrapUnsupported)
	}
	f.frames[f.depth] = e
	f.depth++
	return true
}

// innermost returns the newest frame of kind op, stopping at a CALL; nil if
// there is none.
func (f *structured) innermost(op pica.Opcode) *frame {
	for k := f.depth - 1; k >= 0; k-- {
		if e := &f.frames[k]; e.op == op || e.op == pica.CALL {
			if e.op != op {
				return nil
			}
			return e
		}
	}
	return nil
}

// loops counts the loops entered.
func (f *structured) loops() (n int) {
	for _, e := range f.frames[:f.depth] {
		if e.op == pica.LOOP {
			n++
		}
	}
	return n
}

func (f *structured) branch(m *Machine, target, num int, holds bool) bool {
	if holds {
		return f.push(m, frame{op: pica.IFC, start: m.pc + 1, end: target, leave: target + num})
	}
	m.next = target
	return true
}

func (f *structured) call(m *Machine, target, num int) bool {
	end := target + num
	if num == 0 || end > pica.MaxCode || f.region[target] != 0 || f.region[end] != 0 {
		return m.trap(pica.TrapUnsupported)
	}
	if !f.push(m, frame{op: pica.CALL, start: target, end: end, leave: m.pc + 1}) {
		return false
	}
	m.next = target
	return true
}

func (f *structured) loop(m *Machine, target int, count, step uint8) bool {
	if f.loops() > 0 && f.innermost(pica.LOOP) == nil {
		return m.trap(pica.TrapUnsupported) // a loop in a procedure called from a loop shares its registers
	}
	first := int32(m.ints[fieldInt.of(m.word)][1])
	return f.push(m, frame{op: pica.LOOP, start: m.pc + 1, end: target + 1, leave: target + 1,
		count: count, step: step, outerAL: m.outerAL(first)})
}

// jump must stay in its procedure, may leave branches, and nothing else.
func (f *structured) jump(m *Machine, target int) bool {
	if e := f.innermost(pica.CALL); e != nil && (target < e.start || target >= e.end) {
		return m.trap(pica.TrapUnsupported)
	}
	for b := f.region[m.pc]; b != f.region[target]; b = f.blocks[b].parent {
		if b == 0 || f.blocks[b].loop {
			return m.trap(pica.TrapUnsupported)
		}
	}
	for f.depth > 0 {
		if e := &f.frames[f.depth-1]; e.op != pica.IFC || target >= e.start && target < e.end {
			break
		}
		f.depth--
	}
	m.next = target
	return true
}

// leave closes the innermost loop and the branches inside it.
func (f *structured) leave(m *Machine) bool {
	e := f.innermost(pica.LOOP)
	if e == nil {
		return m.trap(pica.TrapUnsupported)
	}
	for f.frames[f.depth-1].op != pica.LOOP {
		f.depth--
	}
	if m.unit.knobs[pica.KnobBreakStep] == pica.BreakStepAdds {
		m.state.AL += int32(e.step)
	}
	f.exit(m, e)
	return true
}

// exit leaves the loop e, the newest frame.
func (f *structured) exit(m *Machine, e *frame) {
	if m.unit.knobs[pica.KnobInnerAL] != pica.InnerALKept && f.loops() > 1 {
		m.state.AL = e.outerAL
	}
	m.next = e.leave
	f.depth--
}

// end inside a procedure or a loop leaves the host's stack unbalanced.
func (f *structured) end(m *Machine) bool {
	if f.innermost(pica.CALL) != nil || f.loops() > 0 {
		return m.trap(pica.TrapUnsupported)
	}
	return true
}

// finish leaves the scopes that end at the next address, the newest first.
func (f *structured) finish(m *Machine) {
	for f.depth > 0 && f.frames[f.depth-1].end == m.next {
		e := &f.frames[f.depth-1]
		if e.op != pica.LOOP {
			m.next = e.leave
			f.depth--
			continue
		}
		m.state.AL += int32(e.step)
		if e.count != 0 {
			e.count--
			m.next = e.start
			return
		}
		f.exit(m, e)
	}
}
