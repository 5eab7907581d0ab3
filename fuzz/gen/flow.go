package gen

import "github.com/picaproof/picaproof/pica"

// Flow programs compute with small non-negative integers. No instruction makes
// the largest of them grow by more than largestInteger, so that after two
// vertices of flowBudget instructions all are below 2^16 and exact in every
// numeric model.
const (
	largestInteger = 7
	flowBudget     = 4096
)

// Registers of flow programs. Uniform k is (k&7, k>>3&7, ...).
const (
	traces   = 4                        // r0-r3 hold the trace of the way taken
	counter  = pica.SourceTemporary + 7 // passes through words that go back
	pairOnes = pica.SourceUniform + 9   // (1, 1, ...)
	integers = pica.SourceInput + 0     // v0: small integers
	switches = pica.SourceInput + 1     // v1: zeros and ones
)

// Descriptors of flow programs; some drawn ones follow.
const (
	plain           = iota // all components, nothing swizzled
	rotated                // the second source is .wxyz
	drawn                  // the first drawn one
	flowDescriptors = 8
)

// flowState draws inputs, uniforms and descriptors.
func (g *Generator) flowState() {
	g.job.Budget = flowBudget
	g.uniformFlow()
	for k := range g.floats {
		small := [4]int{k & 7, k >> 3 & 7, int(g.c.Bits(3)), int(g.c.Bits(3))}
		for c, n := range small {
			g.floats[k][c] = smallInteger(n)
		}
	}
	g.uploads[0] = pica.Upload{Form: pica.Raw24, Values: g.floats[:]}
	g.job.Floats = g.uploads[:1]
	vertices := 1 + int(g.c.Bits(1))
	for i := range vertices {
		for c := range 4 {
			g.inputs[i][0][c] = smallInteger(int(g.c.Bits(3)))
			g.inputs[i][1][c] = smallInteger(int(g.c.Bits(1)))
		}
		g.rows[i] = g.inputs[i][:2]
	}
	g.job.Vertices = g.rows[:vertices]
	identity := [3]uint8{pica.IdentitySwizzle, pica.IdentitySwizzle, pica.IdentitySwizzle}
	g.descs = append(g.descs, uint32(pica.MakeDescriptor(15, [3]bool{}, identity)))
	g.descs = append(g.descs, uint32(pica.MakeDescriptor(15, [3]bool{}, [3]uint8{pica.IdentitySwizzle, 0xC6})))
	for range flowDescriptors - drawn {
		g.descs = append(g.descs, uint32(pica.MakeDescriptor(
			uint8(1+g.c.Below(15)), [3]bool{}, [3]uint8{uint8(g.c.Bits(8)), uint8(g.c.Bits(8))})))
	}
}

// uniformFlow draws the uniforms that decide about flow.
func (g *Generator) uniformFlow() {
	for k := range g.job.Ints {
		i := &g.job.Ints[k]
		*i = [4]uint8{uint8(g.c.Bits(2)), uint8(g.c.Bits(3)), uint8(g.c.Bits(2)), 0}
		switch g.c.Bits(4) {
		case 1:
			i[1] = uint8(128 + g.c.Bits(7))
		case 2:
			i[2] = uint8(g.c.Bits(8))
		}
	}
	if g.c.Bits(6) == 1 {
		g.job.Ints[3][0] = 255
	}
	g.job.Bools = uint16(g.c.Bits(16))
}

// flowStatements are what flow programs are made of.
var flowStatements = vocabulary(
	choice{13, trace}, choice{3, decide}, choice{2, address}, choice{5, branch}, choice{4, loop}, choice{2, leave}, choice{3, procedure},
	choice{3, bare}, choice{2, back}, choice{1, tower}, choice{1, stop}, choice{1, nop},
)

// write appends an instruction with operands: wide and narrow go to the fields
// of seven and of five bits.
func (g *Generator) write(op pica.Opcode, desc, dest, wide, narrow uint32) {
	layout := op.Layout()
	w := layout.Dest.Put(layout.Desc.Put(uint32(op)<<26, desc), dest)
	for _, field := range layout.Src {
		operand := wide
		if field.Width == 5 {
			operand = narrow
		}
		w = field.Put(w, operand)
	}
	g.code = append(g.code, w)
}

// index sets the address register of the last word.
func (g *Generator) index(register uint32) {
	w := &g.code[len(g.code)-1]
	*w = pica.OpcodeOf(*w).Layout().Index.Put(*w, register)
}

// tracer draws a register of the trace, as a source and destination number.
func (g *Generator) tracer() uint32 { return pica.SourceTemporary + uint32(g.c.Below(traces)) }

// uniform draws a float uniform.
func (g *Generator) uniform() uint32 { return pica.SourceUniform + uint32(g.c.Below(pica.NumFloats)) }

// trace leaves a mark of having been here: mostly it turns the components of a
// register and adds a uniform, so that both the number and the order of traces
// tell.
func trace(g *Generator, _ scope) {
	to, from, desc := g.tracer(), g.tracer(), uint32(g.c.Below(flowDescriptors))
	switch kind := g.c.Bits(4); kind {
	default:
		g.write(pica.ADD, rotated, to, g.uniform(), to)
	case 8, 9:
		g.write(pica.ADD, desc, to, g.uniform(), from)
		g.index(uint32(g.c.Bits(2)))
	case 10:
		g.write(pica.ADD, rotated, to, g.uniform(), to)
		g.index(pica.IndexAL)
	case 11:
		g.write(pica.ADD, desc, to, integers, from)
	case 12:
		g.write(pica.MUL, desc, to, switches, from)
	case 13:
		g.write(pica.MOV, desc, to, from, 0)
	case 14:
		g.write(pica.MOV, desc, to, g.uniform(), 0)
		g.index(uint32(g.c.Bits(2)))
	case 15:
		g.write(Pick(&g.c, []pica.Opcode{pica.SGE, pica.SLT, pica.SGEI, pica.SLTI}), desc, to, g.uniform(), from)
	}
}

// decide appends a CMP.
func decide(g *Generator, _ scope) {
	g.compare(g.uniform(), g.tracer(), g.c.Below(pica.CmpGE+1), g.c.Below(pica.CmpGE+1))
}

// compare appends a CMP of a uniform with a narrow register.
func (g *Generator) compare(uniform, narrow uint32, x, y int) {
	g.write(pica.CMP, plain, 0, uniform, narrow)
	w := &g.code[len(g.code)-1]
	layout := pica.CMP.Layout()
	*w = layout.CmpY.Put(layout.CmpX.Put(*w, uint32(x)), uint32(y))
}

// address appends MOVA and a trace that depends on it. Two MOVA never follow
// one another.
func address(g *Generator, _ scope) {
	from := g.tracer()
	if g.c.Chance(8) {
		from = g.uniform()
	}
	g.write(pica.MOVA, uint32(g.c.Below(flowDescriptors)), 0, from, 0)
	to := g.tracer()
	g.write(pica.ADD, rotated, to, g.uniform(), to)
	g.index(pica.IndexA0X + uint32(g.c.Bits(1)))
}

// bare appends a word whose target is anywhere ahead: a scope that crosses
// others, a call into the middle of something, a jump into or out of scopes.
func bare(g *Generator, s scope) {
	op := Pick(&g.c, []pica.Opcode{pica.JMPC, pica.JMPU, pica.IFC, pica.IFU, pica.CALL, pica.CALLC, pica.CALLU, pica.LOOP})
	if op == pica.LOOP && s.loops >= 2 {
		return
	}
	g.open = append(g.open, g.flow(op))
}

// back counts, and while the count is low goes back to somewhere before, by a
// jump, a call or an IF that does not hold.
func back(g *Generator, _ scope) {
	target := max(g.job.Entry, len(g.code)-1-g.c.Below(12))
	if n := len(g.marks); n > 0 && g.c.Chance(4) {
		target = g.marks[n-1]
	}
	g.write(pica.ADD, plain, counter, pairOnes, counter)
	limit := pica.SourceUniform + 1 + uint32(g.c.Bits(1))
	g.compare(limit, counter, pica.CmpGT, g.c.Below(pica.CmpGE+1))
	op := Pick(&g.c, []pica.Opcode{pica.JMPC, pica.CALLC, pica.IFC})
	at, layout := g.flow(op), op.Layout()
	// JMPC and CALLC go back when cc.x holds, IFC when it does not hold that cc.x
	// does not.
	test, holds := uint32(pica.CondAnd), uint32(1)
	if op == pica.IFC {
		test, holds = pica.CondOr, 0
	}
	if g.c.Chance(8) {
		test = pica.CondX
	}
	g.code[at] = layout.RefX.Put(layout.CondOp.Put(g.code[at], test), holds)
	g.aim(at, target, g.number())
}

// tower nests IFs or LOOPs, up to two more than there is room for on the stack.
// The IFs all hold.
func tower(g *Generator, s scope) {
	if s.nesting > 0 || len(g.code) > g.limit-usualWords/4 {
		return
	}
	op, most := pica.IFU, pica.IfDepth
	if g.c.Chance(8) {
		op, most = pica.LOOP, pica.LoopDepth
	}
	g.level(op, 1+g.c.Below(most+2))
}

// level appends one storey of a tower and those inside it.
func (g *Generator) level(op pica.Opcode, storeys int) {
	if storeys == 0 {
		trace(g, scope{})
		return
	}
	at := g.flow(op)
	if op == pica.IFU {
		g.code[at] = op.Layout().Bool.Put(g.code[at], g.holding())
	} else {
		g.code[at] = op.Layout().Int.Put(g.code[at], g.shortest())
	}
	if g.c.Chance(8) {
		trace(g, scope{})
	}
	g.level(op, storeys-1)
	if g.c.Chance(8) {
		trace(g, scope{})
	}
	g.mark()
	end := len(g.code)
	if op == pica.LOOP {
		g.aim(at, end-1, 0)
		return
	}
	if g.c.Chance(12) {
		trace(g, scope{})
	}
	g.aim(at, end, len(g.code)-end)
}

// holding draws a boolean uniform that is true, if there is one.
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
	if s.nesting > 0 && s.callees == 0 || s.callees > 0 && g.c.Chance(3) {
		epilogue(g, s)
		g.emit(pica.END)
	}
}

// epilogue shows the trace, and what aL points to, in the outputs.
func epilogue(g *Generator, _ scope) {
	for k := range uint32(traces) {
		g.write(pica.MOV, plain, pica.DestOutput+k, pica.SourceTemporary+k, 0)
	}
	g.write(pica.MOV, plain, pica.DestOutput+traces, pica.SourceUniform, 0)
	g.index(pica.IndexAL)
}

// spoil moves the ends and targets of a few words by a little, or to those of
// others, always ahead of the word.
func (g *Generator) spoil() {
	for range g.c.Below(4) {
		at := g.job.Entry + g.c.Below(len(g.code)-g.job.Entry)
		op := pica.OpcodeOf(g.code[at])
		layout := op.Layout()
		if layout.Dst.Width == 0 || op == pica.BREAKC {
			continue
		}
		target := int(layout.Dst.Get(g.code[at]))
		num := int(layout.Num.Get(g.code[at]))
		least := at + 1
		if op == pica.LOOP {
			least = at
		}
		if target < least {
			continue
		}
		switch g.c.Bits(2) {
		case 0:
			target++
		case 1:
			target = max(target-1, least)
		case 2:
			num = g.number()
		case 3:
			if other := g.code[g.c.Below(len(g.code))]; pica.OpcodeOf(other).Layout().Dst.Width > 0 {
				target = max(int(layout.Dst.Get(other)), least)
			}
		}
		g.aim(at, min(target, len(g.code)-1), num)
	}
}
