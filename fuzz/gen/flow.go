package gen

import (
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// flowBudget is the step budget of a flow program. No instruction makes the
// largest number of a flow program grow by more than 7, so that after two
// vertices all are below 2^16, and exact in every numeric model.
const flowBudget = 4096

// Registers of flow programs. Uniform k is (k&7, k>>3&7, ...).
const (
	traces   = 4                        // r0-r3 hold the trace of the way taken
	counter  = pica.SourceTemporary + 7 // passes through words that go back
	ones     = pica.SourceUniform + 9   // 1 in x and y
	integers = pica.SourceInput + 0     // v0: small integers
	switches = pica.SourceInput + 1     // v1: zeros and ones
)

// Descriptors of flow programs.
const (
	straight        = iota // all components, nothing swizzled
	turned                 // the second source is .wxyz
	firstDrawn             // the others write some components of anything
	flowDescriptors = 8
)

// flowState draws inputs, uniforms and descriptors of a flow program.
func (g *Generator) flowState() {
	g.job.Budget = flowBudget
	g.job.Keep = g.c.Chance(4)
	g.decisions()
	format := g.format()
	g.upload(0, format, numbered[format][:])
	g.vertices(1+int(g.c.Bits(1)), 2)
	for _, v := range g.job.Vertices {
		for c := range 4 {
			v[integers][c] = g.small(3)
			v[switches][c] = g.small(1)
		}
	}
	g.describe(15, [3]bool{}, [3]uint8{pica.IdentitySwizzle, pica.IdentitySwizzle})
	g.describe(15, [3]bool{}, [3]uint8{pica.IdentitySwizzle, 0xC6})
	for range flowDescriptors - firstDrawn {
		g.describe(uint8(1+g.c.Below(15)), [3]bool{}, [3]uint8{uint8(g.c.Bits(8)), uint8(g.c.Bits(8))})
	}
}

// small draws an integer of so many bits as an input.
func (g *Generator) small(bits int) uint32 {
	return g.job.InputFormat.Integer(int64(g.c.Bits(bits)))
}

// flowStatements are the statements of flow programs.
var flowStatements = vocabulary(
	choice{13, trace}, choice{3, decide}, choice{2, address}, choice{5, branch}, choice{4, loop}, choice{2, leave},
	choice{3, procedure}, choice{3, bare}, choice{2, skip}, choice{2, back}, choice{1, tower}, choice{1, stop},
	choice{1, nop},
)

// operate appends an instruction of one or two operands. The narrow operand goes to the field of five bits.
func (g *Generator) operate(op pica.Opcode, desc, dest, wide, narrow uint32) *uint32 {
	if op.Layout().Src[0].Width == 5 {
		wide, narrow = narrow, wide
	}
	return g.write(op, desc, dest, [3]uint32{wide, narrow})
}

// tracer draws a register of the trace; source and destination fields number
// temporaries alike.
func (g *Generator) tracer() uint32 { return pica.SourceTemporary + uint32(g.c.Below(traces)) }

// uniform draws a float uniform.
func (g *Generator) uniform() uint32 { return pica.SourceUniform + uint32(g.c.Below(pica.NumFloats)) }

// trace leaves a mark of having been here: mostly it turns the components of a
// register and adds a uniform, so that both the number and the order of traces
// tell.
func trace(g *Generator, _ scope) {
	to, from, desc := g.tracer(), g.tracer(), uint32(g.c.Below(flowDescriptors))
	index := pica.ADD.Layout().Index
	switch g.c.Bits(4) {
	default:
		g.operate(pica.ADD, turned, to, g.uniform(), to)
	case 8, 9:
		setField(g.operate(pica.ADD, desc, to, g.uniform(), from), index, uint32(g.c.Bits(2)))
	case 10:
		setField(g.operate(pica.ADD, turned, to, g.uniform(), to), index, pica.IndexAL)
	case 11:
		g.operate(pica.ADD, desc, to, integers, from)
	case 12:
		g.operate(pica.MUL, desc, to, switches, from)
	case 13:
		g.operate(pica.MOV, desc, to, from, 0)
	case 14:
		setField(g.operate(pica.MOV, desc, to, g.uniform(), 0), index, uint32(g.c.Bits(2)))
	case 15:
		g.operate(Pick(&g.c, comparisons), desc, to, g.uniform(), from)
	}
}

var comparisons = pica.OpcodesWhere(func(i *pica.OpcodeInfo) bool { return i.Truth })

// decide appends a CMP.
func decide(g *Generator, _ scope) {
	g.compare(g.uniform(), g.tracer(), uint32(g.c.Below(pica.CmpGE+1)))
}

// compare appends a CMP of a uniform with a temporary; the operator for y is
// any.
func (g *Generator) compare(uniform, temporary, x uint32) {
	w, layout := g.operate(pica.CMP, straight, 0, uniform, temporary), pica.CMP.Layout()
	setField(w, layout.CmpX, x)
	setField(w, layout.CmpY, uint32(g.c.Below(pica.CmpGE+1)))
}

// address appends MOVA and a trace that depends on it, so that two MOVA hardly
// ever follow one another.
func address(g *Generator, _ scope) {
	from := g.tracer()
	if g.c.Chance(8) {
		from = g.uniform()
	}
	g.operate(pica.MOVA, uint32(g.c.Below(flowDescriptors)), 0, from, 0)
	to := g.tracer()
	setField(g.operate(pica.ADD, turned, to, g.uniform(), to), pica.ADD.Layout().Index, pica.IndexA0X+uint32(g.c.Bits(1)))
}

// bare appends a word whose target is anywhere ahead: a scope that crosses
// others, a call into the middle of something, a jump into or out of scopes.
func bare(g *Generator, s scope) {
	op := Pick(&g.c, bareOps)
	if pica.Opcodes[op].Flow == pica.FlowLoop && s.loops >= maxLoops {
		return
	}
	g.program.open = append(g.program.open, g.flow(op))
}

var bareOps = slices.Concat(jumps, ifs, called, asked, flows(pica.FlowLoop, always))

// back counts, and while the count is low goes back to somewhere before, by a
// jump, a call or an IF that does not hold; or by a word that asks a boolean
// uniform, out of an IF that asks the count.
func back(g *Generator, _ scope) {
	target := max(g.program.first, len(g.code)-1-g.c.Below(12))
	if n := len(g.program.marks); n > 0 && g.c.Chance(4) {
		target = g.program.marks[n-1]
	}
	g.operate(pica.ADD, straight, counter, ones, counter)
	g.compare(pica.SourceUniform+1+uint32(g.c.Bits(1)), counter, pica.CmpGT)

	// JMPC and CALLC go back when cc.x is set, IFC when it does not hold that
	// cc.x is clear.
	op, test, set := Pick(&g.c, backOps), uint32(pica.CondAnd), uint32(1)
	if pica.Opcodes[op].Flow == pica.FlowIf {
		test, set = pica.CondOr, 0
	}
	inside := g.c.Bits(2) == 1
	if inside {
		op, test, set = pica.IFC, pica.CondAnd, 1
	}
	if g.c.Chance(8) {
		test = pica.CondX
	}
	at, layout := g.flow(op), op.Layout()
	setField(&g.code[at], layout.CondOp, test)
	setField(&g.code[at], layout.RefX, set)
	if inside {
		g.aim(g.flow(Pick(&g.c, uniformOps)), target, g.number())
		g.emit(pica.NOP)
		g.mark()
		target = len(g.code)
	}
	g.aim(at, target, g.number())
}

var (
	backOps = slices.Concat(flows(pica.FlowJump, onFlags), flows(pica.FlowCall, onFlags),
		flows(pica.FlowIf, onFlags))
	uniformOps = slices.Concat(flows(pica.FlowJump, onUniform), flows(pica.FlowCall, onUniform),
		flows(pica.FlowIf, onUniform))
)

// tower nests IFs or LOOPs, up to two more than the stack has entries. The conditions of all IFs hold.
func tower(g *Generator, s scope) {
	switch {
	case s.nesting > 0:
	case g.c.Chance(8):
		g.storeys(pica.LOOP, g.c.Below(pica.LoopDepth+3))
	default:
		g.storeys(pica.IFU, g.c.Below(pica.IfDepth+3))
	}
}

// storeys appends the n inner levels of a tower.
func (g *Generator) storeys(op pica.Opcode, n int) {
	if n == 0 {
		trace(g, scope{})
		return
	}
	at := g.flow(op)
	if op == pica.IFU {
		setField(&g.code[at], op.Layout().Bool, g.holding())
	} else {
		setField(&g.code[at], op.Layout().Int, g.shortest())
	}
	g.maybeTrace(6)
	g.storeys(op, n-1)
	g.maybeTrace(8)
	g.mark()
	end := len(g.code)
	if op == pica.LOOP {
		g.aim(at, end-1, 0)
		return
	}
	g.maybeTrace(12)
	g.aim(at, end, len(g.code)-end)
}

// maybeTrace appends a trace n times out of 16.
func (g *Generator) maybeTrace(n int) {
	if g.c.Chance(n) {
		trace(g, scope{})
	}
}

// holding returns a boolean uniform that is true, if one is.
func (g *Generator) holding() uint32 {
	first := g.c.Below(pica.NumBools)
	for k := range pica.NumBools {
		if b := (first + k) % pica.NumBools; g.job.Bools>>b&1 != 0 {
			return uint32(b)
		}
	}
	return 0
}

// shortest returns the integer uniform that makes the fewest passes.
func (g *Generator) shortest() (least uint32) {
	for k := range g.job.Ints {
		if g.job.Ints[k][0] < g.job.Ints[least][0] {
			least = uint32(k)
		}
	}
	return least
}

// stop appends an END inside a scope.
func stop(g *Generator, s scope) {
	if s.nesting > 0 && (s.callees == 0 || g.c.Chance(3)) {
		epilogue(g, s)
		g.emit(pica.END)
	}
}

// epilogue copies the trace, and the uniform that aL selects, to outputs.
func epilogue(g *Generator, _ scope) {
	for k := range uint32(traces) {
		g.operate(pica.MOV, straight, pica.DestOutput+k, pica.SourceTemporary+k, 0)
	}
	setField(g.operate(pica.MOV, straight, pica.DestOutput+traces, pica.SourceUniform, 0), pica.MOV.Layout().Index,
		pica.IndexAL)
}

// spoil changes the ends and targets of a few words by 1, or copies the target of another word. No jump goes back.
func (g *Generator) spoil() {
	for range g.c.Below(4) {
		at := g.program.origin + g.c.Below(len(g.code)-g.program.origin)
		op := pica.OpcodeOf(g.code[at])
		layout, flow := op.Layout(), pica.Opcodes[op].Flow
		least, target := at+1, int(layout.Dst.Get(g.code[at]))
		if flow == pica.FlowLoop {
			least = at
		}
		if target < least { // no flow control, or it goes back
			continue
		}
		num := int(layout.Num.Get(g.code[at]))
		last := len(g.code) - 1
		switch g.c.Bits(3) {
		default:
			num = g.number()
		case 0:
			target++
		case 1:
			target--
		case 2, 3:
			other := Pick(&g.c, g.code)
			target = int(pica.OpcodeOf(other).Layout().Dst.Get(other))
		case 4: // a scope whose end lies beyond program memory
			if flow == pica.FlowLoop || flow == pica.FlowIf {
				target, last = pica.MaxCode-1, pica.MaxCode-1
			}
		}
		g.aim(at, min(max(target, least), last), num)
	}
}
