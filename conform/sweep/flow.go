package sweep

import (
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// deciding lists the instructions that decide on flags, and the instructions that decide on a
// boolean uniform.
var (
	onFlags    = pica.OpcodesWhere(func(i *pica.OpcodeInfo) bool { return i.Condition == pica.OnFlags })
	onUniforms = pica.OpcodesWhere(func(i *pica.OpcodeInfo) bool {
		return i.Condition == pica.OnUniform || i.Condition == pica.OnUniformInverse
	})
)

// decide appends a deciding word of any kind. The program counts in r1 if the condition is true,
// in r2 if it is false.
func (p *program) decide(op pica.Opcode, condition func(l *pica.Layout, w uint32) uint32) {
	yes, no := func() { p.mark(1); p.nop() }, func() { p.mark(2); p.nop() }
	switch pica.Opcodes[op].Flow {
	case pica.FlowIf:
		p.branch(op, condition, yes, no)
	case pica.FlowCall:
		p.call(op, condition, yes)
		no()
	case pica.FlowJump:
		p.jump(op, condition, 0, no)
		yes()
	case pica.FlowBreak:
		p.loop(1, func() {
			p.mark(1)
			p.op(op, condition)
			no()
		})
	}
	p.mark(3)
}

// conditions runs through the truth tables of flags and the boolean uniforms.
func conditions(add adder) {
	for _, op := range onFlags {
		for test := range uint32(4) {
			for ref := range uint32(4) {
				p := newProgram()
				one, none := pica.Float32.Integer(1), uint32(0)
				p.input(pica.Vec4{none, none}, pica.Vec4{none, one}, pica.Vec4{one, none}, pica.Vec4{one, one})
				p.mov(pica.DestTemporary+15, pica.SourceUniform+ones)
				p.compare(pica.CmpEQ, pica.CmpEQ, pica.SourceInput, pica.SourceTemporary+15)
				p.decide(op, whether(test, ref>>1, ref&1))
				add(op.String()+": condition", p)
			}
		}
	}
	for _, op := range onUniforms {
		for n := range uint32(pica.NumBools) {
			for _, bools := range []uint16{1 << n, ^(1 << n)} {
				p := newProgram()
				p.job.Bools = bools
				p.decide(op, boolean(n))
				if pica.Opcodes[op].Flow == pica.FlowJump {
					at := p.op(op, boolean(n))
					p.mark(4)
					p.aim(at, p.here(), 1) // inverted
				}
				add(op.String()+": condition", p)
			}
		}
	}
	for _, op := range slices.Concat(onFlags, onUniforms) {
		p := newProgram()
		p.job.Bools = 1
		p.flags(true, false)
		spare := pica.Opcodes[op].Unread
		condition := func(l *pica.Layout, w uint32) uint32 { return whether(pica.CondX, 1, 0)(l, w) | spare }
		if slices.Contains(onUniforms, op) {
			condition = func(_ *pica.Layout, w uint32) uint32 { return w | spare }
		}
		p.decide(op, condition)
		add(op.String()+": unused bits", p)
	}
	for _, num := range []int{2, 3, 128, 255} { // only the lowest bit matters
		for _, bools := range []uint16{0, 1} {
			p := newProgram()
			p.job.Bools = bools
			p.jump(pica.JMPU, boolean(0), num, func() { p.mark(1) })
			add("jmpu: condition", p)
		}
	}
}

// loops runs through numbers of passes, nesting and exits of loops.
func loops(add adder) {
	for n := range uint32(pica.NumInts) {
		for _, passes := range []uint8{0, 1, 2, 3, 127, 128, 254, 255} {
			p := newProgram()
			p.job.Ints[n] = [4]uint8{passes, 5, 3, 0}
			p.loop(n, func() {
				p.mark(0)
				p.nop()
			})
			p.mark(1)
			add("loop: passes", p)
		}
	}
	for words := 1; words <= 3; words++ {
		p := newProgram()
		p.loop(1, func() {
			for range words {
				p.mark(0)
			}
		})
		p.mark(1)
		p.loop(0, func() { p.mark(2) })
		add("loop: length", p)
	}
	for depth := 1; depth <= pica.LoopDepth+2; depth++ {
		for _, apart := range []bool{true, false} { // each scope ends on its own word, or all on one
			p := newProgram()
			var nest func(level int)
			nest = func(level int) {
				if level == depth {
					p.mark(uint32(level))
					p.nop()
					return
				}
				p.loop(uint32(level%pica.NumInts), func() {
					p.mark(uint32(level))
					nest(level + 1)
					if apart {
						p.trace(uint32(8 + level))
						p.nop()
					}
				})
			}
			nest(0)
			p.trace(15)
			add(named("loop: nested, depth %d", depth), p)
		}
	}
	leaving(add)
	meeting(add)
	inside(add)
}

// ways are the ways out of a scope.
var ways = []struct {
	name string
	out  func(p *program)
}{
	{"break", func(p *program) { p.op(pica.BREAK) }},
	{"breakc", func(p *program) { p.op(pica.BREAKC, whether(pica.CondX, 1, 0)) }},
	{"breakc not taken", func(p *program) { p.op(pica.BREAKC, whether(pica.CondX, 0, 0)) }},
	{"end", func(p *program) { p.op(pica.END) }},
	{"jump", nil}, // to the end of the program
}

// scopes are the scopes that nest around a way out.
var scopes = []struct {
	name string
	open func(p *program, body func())
	loop bool
}{
	{"loop", func(p *program, body func()) { p.loop(1, body) }, true},
	{"then", func(p *program, body func()) { p.either(0, body, func() { p.mark(9); p.nop() }) }, false},
	{"else", func(p *program, body func()) { p.either(1, func() { p.mark(9); p.nop() }, body) }, false},
	{"call", func(p *program, body func()) { p.call(pica.CALL, nil, body) }, false},
	{"if", func(p *program, body func()) { p.either(0, body, nil) }, false},
}

// nests returns the nests of up to three of the first n scopes.
func nests(n int) (list [][]int) {
	for a := range n {
		list = append(list, []int{a})
		for b := range n {
			list = append(list, []int{a, b})
			for c := range n {
				list = append(list, []int{a, b, c})
			}
		}
	}
	return list
}

// meeting nests scopes that end on one word.
func meeting(add adder) {
	for _, nest := range nests(len(scopes)) {
		for _, words := range []int{1, 2} { // before the inner scope
			p := newProgram()
			p.job.Bools = 1
			var open func(level int)
			open = func(level int) {
				if level == len(nest) {
					p.mark(8)
					return
				}
				scopes[nest[level]].open(p, func() {
					for range words {
						p.mark(uint32(level))
					}
					open(level + 1)
				})
			}
			open(0)
			p.trace(7)
			p.mark(10)
			add("scopes that end together", p)
		}
	}
}

// leaving leaves nests of scopes in every way.
func leaving(add adder) {
	for _, nest := range nests(len(scopes) - 1) { // an IF has an else part
		leave(add, nest, 2)
	}
	for _, nest := range full() {
		leave(add, nest, 1) // as many passes as the budget allows
	}
}

// full returns nests that fill the stacks and nests one deeper, alone and with another scope
// inside.
func full() (list [][]int) {
	for k, depth := range []int{pica.LoopDepth, pica.IfDepth, pica.IfDepth, pica.CallDepth} { // in the order of scopes
		for more := range 2 {
			nest := slices.Repeat([]int{k}, depth+more)
			list = append(list, nest)
			for inner := range len(scopes) - 1 {
				if inner != k {
					list = append(list, append(slices.Clone(nest), inner))
				}
			}
		}
	}
	return list
}

// leave leaves a nest of scopes in every way. Its loops have one pass more than passes.
func leave(add adder, nest []int, passes uint8) {
	looped := slices.ContainsFunc(nest, func(k int) bool { return scopes[k].loop })
	for _, way := range ways {
		if (way.name == "break" || way.name == "breakc") && !looped {
			continue // the console hangs
		}
		p := newProgram()
		p.job.Bools, p.job.Ints[1][0] = 1, passes
		p.flags(true, false)
		var jumps []int
		var open func(level int)
		open = func(level int) {
			if level == len(nest) {
				if way.out != nil {
					way.out(p)
				} else {
					jumps = append(jumps, p.op(pica.JMPU, boolean(0)))
				}
				p.mark(8)
				p.nop()
				return
			}
			register := uint32(level % 4)
			scopes[nest[level]].open(p, func() {
				p.mark(register)
				open(level + 1)
				p.trace(4 + register)
				p.nop()
			})
		}
		open(0)
		p.trace(7)
		target := p.here()
		p.mark(10)
		job := p.finish()
		for _, at := range jumps {
			p.aim(at, target, 0)
		}
		add("leaving: "+way.name, &program{job: *job, pending: nil})
	}
}

// inside puts two consecutive scopes into one scope.
func inside(add adder) {
	for a := range scopes {
		for b := range scopes {
			for c := range scopes {
				p := newProgram()
				p.job.Bools = 1
				scopes[a].open(p, func() {
					p.mark(0)
					scopes[b].open(p, func() { p.mark(1); p.nop() })
					p.trace(4)
					scopes[c].open(p, func() { p.mark(2); p.nop() })
					p.trace(5)
					p.nop()
				})
				p.mark(3)
				add("scopes in a row", p)
			}
		}
	}
}

// branches runs through the depth of IFs.
func branches(add adder) {
	for depth := 1; depth <= pica.IfDepth+2; depth++ {
		for _, bools := range []uint16{1, 0, 2, 3} {
			p := newProgram()
			p.job.Bools = bools
			var nest func(level int)
			nest = func(level int) {
				if level == depth {
					p.mark(0)
					return
				}
				uniform := uint32(0)
				if level == depth-1 {
					uniform = 1
				}
				p.either(uniform, func() {
					p.mark(1)
					nest(level + 1)
					p.mark(2)
				}, func() {
					p.mark(uint32(3 + level))
					p.nop()
				})
				p.mark(13)
			}
			nest(0)
			p.mark(14)
			add(named("if: nested, depth %d", depth), p)
		}
	}
}

// lengths runs through the lengths of both parts of an IF and of forward jumps.
func lengths(add adder) {
	for _, then := range []int{1, 2, 5} {
		for _, otherwise := range []int{0, 1, 2, 5, 127, 128, 254, 255} {
			for _, bools := range []uint16{0, 1} {
				p := newProgram()
				p.job.Bools = bools
				marks := func(n, register int) func() {
					return func() {
						for range n {
							p.mark(uint32(register))
						}
					}
				}
				p.either(0, marks(then, 0), marks(otherwise, 1))
				p.mark(2)
				add("if: lengths", p)
			}
		}
	}
	for _, far := range []int{1, 2, 3, 64, 255, 256, 500, 511, 512, 1000, 1023, 1024, 2047, 2048, 4000} {
		for _, bools := range []uint16{0, 1} {
			p := newProgram()
			p.job.Bools = bools
			p.jump(pica.JMPU, boolean(0), 0, func() {
				p.mark(0)
				for range far - 1 {
					p.nop()
				}
			})
			p.mark(1)
			add("jump: forward", p)
		}
	}
}

// backwards runs through branches that go backwards, and the entry points of programs.
func backwards(add adder) {
	for _, op := range []pica.Opcode{pica.JMPC, pica.JMPU} {
		p := newProgram()
		p.job.Bools = 1
		start := p.here()
		p.mark(0)
		p.compare(pica.CmpLT, pica.CmpGE, pica.SourceTemporary, pica.SourceUniform+before-5)
		if op == pica.JMPC {
			p.aim(p.op(op, whether(pica.CondX, 1, 0)), start, 0)
		} else {
			p.branch(pica.IFC, whether(pica.CondX, 1, 0), func() {
				p.aim(p.op(op, boolean(0)), start, 0)
				p.nop()
			}, nil)
		}
		p.mark(1)
		add("jump: back", p)
	}
	for _, bools := range []uint16{0, 1} { // an IF that goes backwards if its condition is false
		p := newProgram()
		p.job.Bools = bools
		start := p.here()
		p.mark(0)
		p.compare(pica.CmpEQ, pica.CmpEQ, pica.SourceUniform+twos, pica.SourceTemporary)
		p.branch(pica.IFC, whether(pica.CondX, 1, 0), func() { p.op(pica.END); p.nop() }, nil)
		p.aim(p.op(pica.IFU, boolean(0)), start, 2)
		p.mark(1)
		add("if: back", p)
	}
	for entry := range 3 {
		p := newProgram()
		for range []int{1, 511, 1023}[entry] {
			p.mark(0)
		}
		p.job.Entry = p.here()
		p.mark(1)
		add("entry", p)
	}
}

// calls runs through depth, lengths and places of procedures.
func calls(add adder) {
	for depth := 1; depth <= pica.CallDepth+2; depth++ {
		for _, apart := range []bool{true, false} { // each call returns on its own word, or all on one
			p := newProgram()
			var nest func(level int) func()
			nest = func(level int) func() {
				return func() {
					p.mark(uint32(level))
					if level < depth {
						p.call(pica.CALL, nil, nest(level+1))
					} else {
						p.nop()
					}
					if apart {
						p.mark(uint32(8 + level))
						p.nop()
					}
				}
			}
			p.call(pica.CALL, nil, nest(1))
			p.mark(0)
			p.nop()
			add(named("call: depth %d", depth), p)
		}
	}
	for _, length := range []int{1, 2, 3, 127, 128, 254, 255} {
		p := newProgram()
		p.call(pica.CALL, nil, func() {
			for range length {
				p.mark(0)
			}
		})
		p.mark(1)
		add("call: length", p)
	}
	// backward calls, and procedures that control falls into
	for _, op := range []pica.Opcode{pica.CALL, pica.CALLU, pica.CALLC} {
		p := newProgram()
		p.job.Bools = 1
		p.flags(true, false)
		start := p.here()
		p.mark(0)
		p.mark(1)
		p.branch(pica.IFC, whether(pica.CondX, 1, 0), func() {
			p.flags(true, true)
			p.compare(pica.CmpLT, pica.CmpLT, pica.SourceTemporary, pica.SourceUniform+before-5)
			p.nop()
		}, nil)
		p.branch(pica.IFC, whether(pica.CondX, 1, 0), func() {
			at := p.op(op)
			if op == pica.CALLC {
				p.job.Code[at] = whether(pica.CondX, 1, 0)(op.Layout(), p.job.Code[at])
			}
			p.aim(at, start, 2)
			p.nop()
		}, nil)
		p.mark(2)
		add("call: back", p)
	}
	lost(add)
	p := newProgram() // two calls of one procedure
	var places []int
	for n := range uint32(2) {
		places = append(places, p.op(pica.CALL))
		p.mark(n)
	}
	p.nop()
	p.op(pica.END)
	for _, at := range places {
		p.aim(at, p.here(), 2)
	}
	p.mark(2)
	p.mark(3)
	add("call: twice", p)
}

// lost adds calls whose entries stay on the stack, and the later effects of these entries.
func lost(add adder) {
	// An empty procedure returns only when the word before it is executed.
	p := newProgram()
	at := p.op(pica.CALL)
	p.mark(0)
	p.op(pica.END)
	p.mark(2)
	p.aim(at, p.here(), 0)
	p.mark(1)
	p.compare(pica.CmpEQ, pica.CmpGT, pica.SourceUniform+twos, pica.SourceTemporary+1)
	p.aim(p.op(pica.JMPC, whether(pica.CondY, 0, 1)), at+3, 0)
	p.mark(3)
	add("call: no words", p)
	// Calls that end at once. Then the word that ended the first call runs again without a call.
	for depth := 1; depth <= pica.CallDepth; depth++ {
		p := newProgram()
		p.flags(true, true)
		at := p.op(pica.CALL)
		p.mark(0)
		p.nop()
		p.op(pica.END)
		var body func(level int) func()
		body = func(level int) func() {
			return func() {
				if level < depth {
					p.call(pica.CALL, nil, body(level+1))
					return
				}
				p.mark(4)
			}
		}
		start := p.here()
		p.call(pica.CALLC, whether(pica.CondX, 1, 0), body(2))
		p.aim(at, start, 1)
		p.mark(5)
		p.compare(pica.CmpEQ, pica.CmpGT, pica.SourceUniform+twos, pica.SourceTemporary+5)
		p.aim(p.op(pica.JMPC, whether(pica.CondY, 0, 1)), start, 0)
		add("call: returns at once", p)
	}
}
