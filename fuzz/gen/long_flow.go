package gen

import (
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// longStatement appends some words to a long program, at least one.
type longStatement func(g *Generator)

// longStatements are the statements of long programs. plainStatements set no flag and need no scope.
var (
	plainStatements = []longStatement{
		(*Generator).computeOrdinary, (*Generator).computeOrdinary, (*Generator).computeOrdinary,
		(*Generator).computeOrdinary,
		(*Generator).computeOrdinary, (*Generator).computeOrdinary, (*Generator).gather, (*Generator).gather,
		(*Generator).turnLink,
	}
	longStatements = append([]longStatement{
		(*Generator).edgeComputed, (*Generator).edgeComputed, (*Generator).edgeComputed, (*Generator).edgeComputed,
		(*Generator).edgeAddressed, (*Generator).edgeFlags, (*Generator).addressed,
		(*Generator).decided, (*Generator).asked, (*Generator).repeated, (*Generator).callSome,
	}, plainStatements...)
)

// turnLink turns a link: it shows whether and how often it is executed.
func (g *Generator) turnLink() {
	r := g.link()
	g.operate(pica.MOV, g.turned(), r, r, 0)
}

// gather adds a uniform to the chain; in a loop the uniform that aL selects.
func (g *Generator) gather() {
	if g.extent.near && g.c.Chance(10) {
		g.indexed(pica.IndexAL, usualAL)
		return
	}
	g.indexed(pica.IndexNone, 0)
}

// indexed brings the number from 1 to 2 into the chain that is at an index up to reach.
func (g *Generator) indexed(index uint32, reach int) {
	link := uint32(g.c.Below(links))
	g.extend(link, units+uint32(g.c.Below(numUnits-reach)), unitBounds, index)
	g.reduce(link)
}

// addressed computes an address from a link and adds the selected uniform to the chain.
func (g *Generator) addressed() {
	const reach = 27 // a link times a number of c74 and c75 is from -27 to 32
	scale := uint32(fours + g.c.Below(numFours))
	g.operate(pica.MUL, g.turned(), whole, scale, g.link())
	g.operate(pica.MOVA, g.turned(), 0, whole, 0)
	for index := uint32(pica.IndexA0X); index <= pica.IndexA0Y; index++ {
		link := uint32(g.c.Below(links))
		g.extend(link, units+reach+uint32(g.c.Below(5)), unitBounds, index)
		g.reduce(link)
	}
}

func (g *Generator) edgeComputed() {
	if g.extent.loops > 0 || g.edgeResult(Pick(&g.c, edgeOps)) == nil {
		g.computeOrdinary()
	}
}

// edgeAddressed makes an address of any number.
func (g *Generator) edgeAddressed() {
	if g.extent.loops > 0 || g.extent.edgeRoom() < 2 || len(g.descs) > pica.MaxDescriptors-2 {
		g.addressed()
		return
	}
	g.write(pica.MOVA, uint32(drawn+g.c.Below(numDrawn)), 0, [3]uint32{g.edge(pica.MOVA.Layout().Src[0], edgeInput)})
	g.edgeIndexed(pica.IndexA0X)
	g.edgeIndexed(pica.IndexA0Y)
	g.turnLink()
}

// edgeFlags decides by flags of any numbers.
func (g *Generator) edgeFlags() {
	g.settle()
	if g.extent.loops == 0 && g.c.Chance(6) && g.edgeResult(pica.LITP) != nil {
		g.decide()
		return
	}
	layout := pica.CMP.Layout()
	input := uint32(edgeInput + g.c.Below(numEdgeIn))
	g.compareWith(g.edge(layout.Src[0], input), g.edge(layout.Src[1], input), uint32(drawn+g.c.Below(numDrawn)),
		uint32(g.c.Bits(3)))
	g.decide()
}

// decided decides by the chain.
func (g *Generator) decided() {
	g.settle()
	wide := g.link()
	if g.c.Chance(4) {
		wide = units + uint32(g.c.Below(numUnits))
	}
	g.compareWith(wide, g.link(), uint32(g.c.Below(drawn)), uint32(g.c.Bits(3)))
	g.decide()
}

// compareWith appends a CMP; the operator for y is any.
func (g *Generator) compareWith(wide, narrow, desc, x uint32) {
	w, layout := g.operate(pica.CMP, desc, 0, wide, narrow), pica.CMP.Layout()
	setField(w, layout.CmpX, x)
	setField(w, layout.CmpY, uint32(g.c.Bits(3)))
}

// decide asks for both flags, one after the other and sometimes together.
func (g *Generator) decide() {
	if g.c.Bits(1) == 1 {
		g.test(pica.CondOr + uint32(g.c.Bits(1)))
	}
	first := uint32(g.c.Bits(1))
	g.test(pica.CondX + first)
	g.test(pica.CondY - first)
}

// tests are the opcodes that read a condition. BREAKC is rare among them, because each pass of a loop counts.
var tests = slices.Concat(flows(pica.FlowJump, onFlags), flows(pica.FlowJump, onFlags), flows(pica.FlowIf, onFlags),
	flows(pica.FlowIf, onFlags), flows(pica.FlowCall, onFlags), flows(pica.FlowCall, onFlags),
	flows(pica.FlowBreak, onFlags))

// test appends something that a condition decides; it sets no flag.
func (g *Generator) test(condition uint32) {
	x := &g.extent
	op := Pick(&g.c, tests)
	switch {
	case op == pica.BREAKC && (x.loops == 0 || x.nesting > 0):
		op = pica.IFC
	case op == pica.CALLC && len(x.procedures) == 0:
		op = pica.JMPC
	}
	at := len(g.code)
	switch layout := op.Layout(); op {
	case pica.CALLC:
		g.callPlaced(op, g.c.Below(len(x.procedures)))
		setField(&g.code[at], layout.CondOp, condition)
	case pica.BREAKC:
		setField(&g.code[g.flow(op)], layout.CondOp, condition)
		g.turnLink()
	default:
		setField(&g.code[g.flow(op)], layout.CondOp, condition)
		g.parts(at)
	}
}

// asked decides by a boolean uniform.
func (g *Generator) asked() {
	g.settle()
	op := Pick(&g.c, uniformOps)
	n := len(g.extent.procedures)
	isCall := pica.Opcodes[op].Flow == pica.FlowCall
	switch {
	case isCall && n > 0:
		g.callPlaced(op, g.c.Below(n))
	case isCall:
		g.parts(g.flow(pica.IFU))
	default:
		g.parts(g.flow(op))
	}
}

// parts appends the words that a jump skips, or the parts of an IF.
func (g *Generator) parts(at int) {
	x := &g.extent
	x.nesting++
	isIf := pica.Opcodes[pica.OpcodeOf(g.code[at])].Flow == pica.FlowIf
	empty := isIf && g.c.Bits(3) == 1
	if !empty {
		g.plainWords()
	}
	if isIf && !empty {
		g.unheeded()
	}
	then := len(g.code)
	if empty || isIf && g.c.Chance(12) {
		g.plainWords()
		if g.c.Chance(10) { // an else part is no scope: a jump over the next word is taken
			jump := g.flow(Pick(&g.c, jumps))
			g.aim(jump, jump+2, g.number())
		}
	}
	g.aim(at, then, len(g.code)-then)
	x.nesting--
	g.turnLink()
}

// unheeded appends a jump as the last word of a scope now and then: the end of the
// scope wins.
func (g *Generator) unheeded() {
	if g.c.Chance(4) {
		at := g.flow(Pick(&g.c, jumps))
		g.aim(at, at+1+g.c.Below(4), g.number())
	}
}

// plainWords appends a few words that set no flag.
func (g *Generator) plainWords() {
	g.turnLink()
	if n := g.c.Below(3); n > 0 {
		for range n {
			Pick(&g.c, plainStatements)(g)
		}
		g.settle()
		g.turnLink()
	}
}

// repeated appends a loop.
func (g *Generator) repeated() {
	x := &g.extent
	if x.loops == 2 || x.nesting > 0 {
		g.asked()
		return
	}
	g.settle()
	before := x.near
	at := g.flow(pica.LOOP)
	id := pica.LOOP.Layout().Int.Get(g.code[at])
	x.loops++
	x.near = id != farLoop
	if g.job.Ints[id][0] > 0 || g.c.Bits(1) == 1 {
		g.turnLink()
		for range 2 + g.c.Below(4) {
			Pick(&g.c, x.statements)(g)
		}
		g.settle()
		g.turnLink()
		g.loopEnd()
	}
	g.aim(at, len(g.code)-1, 0)
	x.loops--
	if x.loops > 0 {
		x.near = before
	}
	g.turnLink()
	if x.near {
		g.indexed(pica.IndexAL, usualAL)
	} else if x.loops == 0 {
		g.edgeIndexed(pica.IndexAL)
	}
	if x.loops == 0 {
		x.near = false
	}
}

// loopEnd sometimes ends a loop with a jump that is not taken, or together with an IF
// that holds.
func (g *Generator) loopEnd() {
	b := g.holding()
	if g.job.Bools>>b&1 == 0 || g.c.Chance(12) {
		g.unheeded()
		return
	}
	at := g.flow(pica.IFU)
	setField(&g.code[at], pica.IFU.Layout().Bool, b)
	g.turnLink()
	g.aim(at, len(g.code), 0)
}

// callSome appends a call if the program has a procedure.
func (g *Generator) callSome() {
	if n := len(g.extent.procedures); n > 0 {
		g.settle()
		g.callPlaced(Pick(&g.c, called), g.c.Below(n))
		return
	}
	g.computeOrdinary()
}

func (g *Generator) callPlaced(op pica.Opcode, n int) {
	p := &g.extent.procedures[n]
	g.aim(g.flow(op), p.start, p.words)
	p.called = true
	g.turnLink()
}

// maxTails is the number of procedures that may end together with their caller. The console loses the fourth return at
// once.
const maxTails = 2

// procedure appends a procedure, which may call earlier procedures.
func (g *Generator) procedure(words int) {
	x := &g.extent
	start := len(g.code)
	x.loops, x.nesting = 1, 1 // it may be called in a loop
	g.turnLink()
	for len(g.code) < start+min(words, maxPartWords) {
		switch {
		case g.c.Bits(3) == 1:
			g.callSome()
		case g.c.Bits(3) == 1:
			g.asked()
		default:
			Pick(&g.c, plainStatements)(g)
		}
	}
	g.settle()
	g.turnLink()
	tails := 0
	if n := len(x.procedures) - 1; n >= 0 && x.procedures[n].tails < maxTails && g.c.Chance(8) {
		g.callPlaced(pica.CALL, n)
		g.code = g.code[:len(g.code)-1] // nothing follows
		tails = x.procedures[n].tails + 1
	} else {
		g.unheeded()
	}
	x.loops, x.nesting = 0, 0
	x.procedures = append(x.procedures, placedProcedure{start: start, words: len(g.code) - start, tails: tails})
}
