package gen

import (
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// Limits of a structured program. Loops run few times and nest seldom, so that
// nearly every program ends well within the budget.
const (
	maxNesting    = 5
	maxLoops      = 2
	maxProcedures = 6
	usualWords    = 40 // bodies stay empty beyond
)

// scope is the place of a statement in the flow of control.
type scope struct {
	nesting int // IF and LOOP around it
	loops   int // LOOP around it; procedures count as one
	callees int // the first procedure it may call: later ones only, so that recursion ends
}

// A statement appends some words to the program.
type statement func(g *Generator, s scope)

// choice is a statement with its weight in a vocabulary.
type choice struct {
	weight int
	statement
}

// vocabulary lists each statement as often as it weighs. The first comes up
// when a fuzz input has ended: it must not nest.
func vocabulary(choices ...choice) (v []statement) {
	for _, c := range choices {
		for range c.weight {
			v = append(v, c.statement)
		}
	}
	return v
}

// placed is a CALL whose target is filled in when the procedures are placed.
type placed struct{ at, procedure int }

// program is the structured program under construction.
type program struct {
	statements      []statement
	origin          int // where it begins
	first           int // where the section begins
	limit           int // words beyond which bodies stay empty
	procedures      int
	chained, tails  bool               // each procedure calls the next one; as its last word
	starts, lengths [maxProcedures]int // of the procedures
	calls           []placed
	open            []int // words of the section whose targets are not drawn yet
	marks           []int // where scopes of the section end
}

// structure writes a main program, END, and the procedures it calls: words that
// go back do so a bounded number of times, so the program ends. Sometimes the
// procedures come first, sometimes all of it lies far up in program memory.
func (g *Generator) structure(statements []statement, epilogue statement, hazardous bool) {
	p := &g.program
	p.statements, p.calls = statements, p.calls[:0]
	p.procedures, p.tails = g.c.Below(4), g.c.Chance(8)
	if p.chained = g.c.Bits(3) == 1; p.chained {
		p.procedures = 2 + g.c.Below(maxProcedures-1)
	}
	if g.c.Bits(8) == 1 {
		p.origin = g.c.Below(pica.MaxCode - 8*usualWords)
	}
	for range p.origin {
		g.emit(pica.NOP)
	}
	g.job.Entry = p.origin
	if g.c.Bits(3) == 1 {
		g.section(epilogue, g.bodies)
		g.job.Entry = len(g.code)
		g.section(epilogue, func() { g.main(hazardous) })
	} else {
		g.section(epilogue, func() { g.main(hazardous) })
		g.section(epilogue, g.bodies)
	}
	for _, c := range p.calls {
		g.aim(c.at, p.starts[c.procedure], p.lengths[c.procedure])
	}
}

// section writes some bodies and an END behind them. Then it aims the open targets of its words at later words of the
// section.
func (g *Generator) section(epilogue statement, write func()) {
	p := &g.program
	p.open, p.marks, p.first = p.open[:0], p.marks[:0], len(g.code)
	write()
	epilogue(g, scope{})
	g.emit(pica.END)
	for _, at := range p.open {
		g.aim(at, g.ahead(at), g.number())
	}
}

// main writes the main program.
func (g *Generator) main(hazardous bool) {
	g.program.limit = len(g.code) + usualWords/4 + g.c.Below(usualWords)
	g.body(2+g.c.Below(5), scope{})
	if hazardous {
		Pick(&g.c, hazards)(g, scope{})
	}
	if g.program.chained {
		g.callTo(0)
	}
	g.body(1+g.c.Below(6), scope{})
}

// bodies writes the procedures one behind the other.
func (g *Generator) bodies() {
	p := &g.program
	for n := range p.procedures {
		p.starts[n] = len(g.code)
		p.limit = len(g.code) + usualWords/4
		inner := scope{nesting: 2, loops: 1, callees: n + 1}
		g.body(g.c.Below(4), inner)
		chained := p.chained && n+1 < p.procedures
		if chained {
			g.callTo(n + 1)
		}
		if !chained || !p.tails {
			g.body(1+g.c.Below(3), inner)
		}
		p.lengths[n] = len(g.code) - p.starts[n]
		g.mark()
	}
}

// body appends about n statements.
func (g *Generator) body(n int, s scope) {
	for range n {
		if len(g.code) >= g.program.limit {
			return
		}
		Pick(&g.c, g.program.statements)(g, s)
	}
}

// inner appends the body of a scope, now and then an empty one.
func (g *Generator) inner(s scope) {
	s.nesting++
	g.body(g.c.Below(5), s)
	g.mark()
}

// mark remembers the end of a scope as somewhere to go.
func (g *Generator) mark() { g.program.marks = append(g.program.marks, len(g.code)) }

// ahead draws an address behind word at: a few words on, or the end of a scope.
func (g *Generator) ahead(at int) int {
	last := len(g.code) - 1
	if n := len(g.program.marks); n > 0 && g.c.Chance(10) {
		for k := range n { // marks are sorted: take one of the next ones
			if g.program.marks[k] > at {
				return min(g.program.marks[min(k+int(g.c.Bits(1)), n-1)], last)
			}
		}
	}
	return min(at+1+g.c.Below(6), last)
}

// number draws a NUM: mostly small, none or anything now and then.
func (g *Generator) number() int {
	if g.c.Bits(5) == 1 {
		return int(g.c.Bits(8))
	}
	return g.c.Below(5)
}

// aim sets the target of a flow-control word and its NUM, which stays where it
// says whether a jump is inverted.
func (g *Generator) aim(at, target, num int) {
	op := pica.OpcodeOf(g.code[at])
	g.code[at] = op.Layout().Dst.Put(g.code[at], uint32(target))
	if info := &pica.Opcodes[op]; info.Condition != pica.OnUniformInverse && info.Flow != pica.FlowLoop {
		g.code[at] = op.Layout().Num.Put(g.code[at], uint32(min(num, 255)))
	}
}

// emit appends an instruction without operands.
func (g *Generator) emit(op pica.Opcode) { g.code = append(g.code, uint32(op)<<26) }

// flow appends a flow-control instruction with its condition or uniform drawn,
// and junk where nothing is read. It returns its address.
func (g *Generator) flow(op pica.Opcode) int {
	info := &pica.Opcodes[op]
	format := info.Format.Layout()
	w := uint32(op) << 26
	for _, f := range [...]pica.Field{format.CondOp, format.RefX, format.RefY, format.Bool} {
		w = f.Put(w, uint32(g.c.Bits(int(f.Width))))
	}
	switch {
	case info.Condition == pica.OnUniformInverse:
		w = format.Num.Put(w, uint32(g.c.Bits(2)))
	case info.Flow == pica.FlowLoop: // the upper bits of the field stay clear
		w = format.Bool.Put(w, uint32(g.c.Bits(2)))
	}
	g.code = append(g.code, w)
	return len(g.code) - 1
}

// Opcodes of one kind of flow, by their condition. An opcode that stands twice is drawn twice as often.
var (
	ifs    = slices.Concat(flows(pica.FlowIf, onFlags), flows(pica.FlowIf, onUniform))
	jumps  = slices.Concat(flows(pica.FlowJump, onFlags), flows(pica.FlowJump, onUniform))
	called = flows(pica.FlowCall, always)
	asked  = slices.Concat(flows(pica.FlowCall, onFlags), flows(pica.FlowCall, onUniform))
	calls  = slices.Concat(called, called, called, asked)
	breaks = slices.Concat(flows(pica.FlowBreak, onFlags), flows(pica.FlowBreak, onFlags),
		flows(pica.FlowBreak, always))
)

func always(c pica.Condition) bool    { return c == pica.Always }
func onFlags(c pica.Condition) bool   { return c == pica.OnFlags }
func onUniform(c pica.Condition) bool { return c == pica.OnUniform || c == pica.OnUniformInverse }

// flows lists the instructions of a kind that ask a kind of condition.
func flows(f pica.Flow, asks func(pica.Condition) bool) []pica.Opcode {
	return pica.OpcodesWhere(func(i *pica.OpcodeInfo) bool { return i.Flow == f && asks(i.Condition) })
}

func nop(g *Generator, _ scope) { g.emit(pica.NOP) }

// branch appends IFC or IFU with a then part and perhaps an else part.
func branch(g *Generator, s scope) {
	if s.nesting >= maxNesting {
		return
	}
	at := g.flow(Pick(&g.c, ifs))
	g.inner(s)
	then := len(g.code)
	if g.c.Chance(8) {
		g.inner(s)
	}
	g.aim(at, then, len(g.code)-then)
}

// loop appends LOOP with a body, which may be empty.
func loop(g *Generator, s scope) {
	if s.loops >= maxLoops {
		return
	}
	at := g.flow(pica.LOOP)
	s.loops++
	g.inner(s)
	g.aim(at, len(g.code)-1, 0)
}

// leave appends BREAK or BREAKC inside a loop. A BREAK mostly stands in an IF.
func leave(g *Generator, s scope) {
	if s.loops == 0 || s.callees > 0 {
		return
	}
	at := -1
	if s.nesting < maxNesting && g.c.Chance(6) {
		at = g.flow(Pick(&g.c, ifs))
	}
	g.flow(Pick(&g.c, breaks))
	if at >= 0 {
		if g.c.Chance(10) { // else the IF closes together with the loop
			g.emit(pica.NOP)
		}
		g.mark()
		g.aim(at, len(g.code), 0)
	}
}

// procedure appends a call of one of the procedures behind.
func procedure(g *Generator, s scope) {
	if s.callees < g.program.procedures {
		g.callTo(s.callees + g.c.Below(g.program.procedures-s.callees))
	}
}

func (g *Generator) callTo(p int) {
	at := g.flow(Pick(&g.c, calls))
	g.program.calls = append(g.program.calls, placed{at, p})
}

// skip appends a jump to somewhere ahead.
func skip(g *Generator, _ scope) {
	g.program.open = append(g.program.open, g.flow(Pick(&g.c, jumps)))
}
