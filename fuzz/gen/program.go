package gen

import "github.com/picaproof/picaproof/pica"

// arithmeticOps are the instructions that compute and fall through.
var arithmeticOps = func() (ops []pica.Opcode) {
	for op, info := range pica.Opcodes {
		if info.Base == pica.Opcode(op) && info.Name != "" &&
			info.Writes&(pica.WritesDest|pica.WritesAddress|pica.WritesCC) != 0 {
			ops = append(ops, pica.Opcode(op))
		}
	}
	return ops
}()

// Limits of a mixed program. Loops run at most four times and nest at most
// twice, so that every program ends well within the budget.
const (
	maxNesting    = 4
	maxLoops      = 2
	maxWords      = 200
	maxProcedures = 3
)

// emit appends an instruction without operands.
func (g *Generator) emit(op pica.Opcode) { g.code = append(g.code, uint32(op)<<26) }

// descriptor returns the number of a descriptor, a new one or one in use; limit
// is how many the instruction can address.
func (g *Generator) descriptor(limit int) uint32 {
	if n := len(g.descs); n > 0 && (n >= limit || g.c.Chance(6)) {
		return uint32(g.c.Below(min(n, limit)))
	}
	mask := uint8(15)
	if g.c.Chance(8) {
		mask = uint8(g.c.Bits(4))
	}
	var negate [3]bool
	selectors := [3]uint8{pica.IdentitySwizzle, pica.IdentitySwizzle, pica.IdentitySwizzle}
	for k := range selectors {
		negate[k] = g.c.Chance(3)
		if g.c.Chance(8) {
			selectors[k] = uint8(g.c.Bits(8))
		}
	}
	g.descs = append(g.descs, uint32(pica.MakeDescriptor(mask, negate, selectors)))
	return uint32(len(g.descs) - 1)
}

// register returns a source register for a field of the given width: inputs and
// temporaries that programs use, and in wide fields mostly uniforms.
func (g *Generator) register(wide bool) uint32 {
	switch {
	case wide && g.c.Chance(7):
		if g.c.Chance(4) {
			return pica.SourceUniform + uint32(g.c.Below(pica.NumFloats))
		}
		return pica.SourceUniform + uint32(g.c.Below(8))
	case g.c.Chance(8):
		return pica.SourceInput + uint32(g.c.Below(4))
	}
	return pica.SourceTemporary + uint32(g.c.Below(6))
}

// arithmetic appends one computing instruction.
func (g *Generator) arithmetic() {
	op := Pick(&g.c, arithmeticOps)
	layout := pica.Opcodes[op].Format.Layout()
	w := layout.Desc.Put(uint32(op)<<26, g.descriptor(1<<layout.Desc.Width))
	for _, field := range layout.Src {
		if field.Width > 0 {
			w = field.Put(w, g.register(field.Width == 7))
		}
	}
	if g.c.Chance(3) {
		w = layout.Index.Put(w, uint32(g.c.Bits(2)))
	}
	dest := uint32(pica.DestTemporary + g.c.Below(6))
	if g.c.Chance(4) {
		dest = pica.DestOutput + uint32(g.c.Below(pica.NumOutputs))
	}
	if layout.Dest.Width > 0 {
		w = layout.Dest.Put(w, dest)
	}
	w = layout.CmpX.Put(w, uint32(g.c.Bits(3)))
	w = layout.CmpY.Put(w, uint32(g.c.Bits(3)))
	g.code = append(g.code, w)
}

// call is a CALL whose target is filled in when the procedures are placed.
type call struct{ at, procedure int }

// block is the state of the recursive descent that writes a program.
type block struct {
	g       *Generator
	calls   []call
	callees int // procedures from this number up may be called
}

// mixed writes a main program, END, and the procedures it calls. A procedure
// calls only later ones, so every program ends.
func (g *Generator) mixed() {
	b := block{g: g}
	procedures := g.c.Below(maxProcedures + 1)
	b.body(4+g.c.Below(16), 0, 0, procedures)
	g.emit(pica.END)
	var starts, lengths [maxProcedures]uint32
	for p := range procedures {
		starts[p] = uint32(len(g.code))
		b.callees = p + 1
		b.body(1+g.c.Below(6), 2, maxLoops, procedures)
		lengths[p] = min(uint32(len(g.code))-starts[p], 255)
	}
	g.emit(pica.END)
	for _, c := range b.calls {
		layout := pica.OpcodeOf(g.code[c.at]).Layout()
		g.code[c.at] = layout.Num.Put(layout.Dst.Put(g.code[c.at], starts[c.procedure]), lengths[c.procedure])
	}
}

// body appends about n instructions at the given depths of nesting.
func (b *block) body(n, nesting, loops, procedures int) {
	g := b.g
	for range n {
		if len(g.code) > maxWords {
			return
		}
		switch shape := g.c.Bits(5); {
		case shape < 2 && nesting < maxNesting:
			b.branch(nesting, loops, procedures)
		case shape == 2 && loops < maxLoops:
			b.loop(nesting, loops, procedures)
		case shape == 3 && b.callees < procedures:
			op := Pick(&g.c, []pica.Opcode{pica.CALL, pica.CALLC, pica.CALLU})
			b.calls = append(b.calls, call{len(g.code), b.callees + g.c.Below(procedures-b.callees)})
			g.code = append(g.code, g.condition(op))
		case shape == 4:
			b.skip()
		case shape == 5:
			g.emit(pica.NOP)
		case shape < 12 && g.job.Stage == pica.Geometry:
			g.vertex()
		default:
			g.arithmetic()
		}
	}
}

// condition returns a flow instruction with its condition or uniform drawn.
func (g *Generator) condition(op pica.Opcode) uint32 {
	layout := pica.Opcodes[op].Format.Layout()
	w := uint32(op) << 26
	for _, f := range []pica.Field{layout.CondOp, layout.RefX, layout.RefY, layout.Bool} {
		w = f.Put(w, uint32(g.c.Bits(4)))
	}
	return w
}

// branch appends IFC or IFU with a then part and perhaps an else part.
func (b *block) branch(nesting, loops, procedures int) {
	g := b.g
	at := len(g.code)
	g.code = append(g.code, g.condition(Pick(&g.c, []pica.Opcode{pica.IFC, pica.IFU})))
	b.body(g.c.Below(5), nesting+1, loops, procedures)
	end := len(g.code)
	if g.c.Chance(8) {
		b.body(g.c.Below(5), nesting+1, loops, procedures)
	}
	layout := pica.OpcodeOf(g.code[at]).Layout()
	num := min(len(g.code)-end, 255)
	g.code[at] = layout.Num.Put(layout.Dst.Put(g.code[at], uint32(end)), uint32(num))
}

// loop appends LOOP with a body of at least one word, in which BREAKC may
// stand.
func (b *block) loop(nesting, loops, procedures int) {
	g := b.g
	at := len(g.code)
	g.code = append(g.code, pica.Format3.Layout().Int.Put(uint32(pica.LOOP)<<26, uint32(g.c.Bits(2))))
	b.body(g.c.Below(4), nesting+1, loops+1, procedures)
	if g.c.Chance(4) {
		g.code = append(g.code, g.condition(pica.BREAKC))
	}
	g.arithmetic()
	g.code[at] = pica.Format3.Layout().Dst.Put(g.code[at], uint32(len(g.code)-1))
}

// vertex appends an EMIT, mostly with a SETEMIT before.
func (g *Generator) vertex() {
	if g.c.Chance(12) {
		layout := pica.SETEMIT.Layout()
		w := layout.Vertex.Put(uint32(pica.SETEMIT)<<26, uint32(g.c.Below(3)))
		g.code = append(g.code, layout.Primitive.Put(layout.Winding.Put(w, uint32(g.c.Bits(1))), uint32(g.c.Bits(1))))
	}
	g.emit(pica.EMIT)
}

// skip appends a forward jump over one instruction.
func (b *block) skip() {
	g := b.g
	op := Pick(&g.c, []pica.Opcode{pica.JMPC, pica.JMPU})
	w := g.condition(op)
	layout := pica.Opcodes[op].Format.Layout()
	w = layout.Num.Put(w, uint32(g.c.Bits(1)))
	g.code = append(g.code, layout.Dst.Put(w, uint32(len(g.code)+2)))
	g.arithmetic()
}
