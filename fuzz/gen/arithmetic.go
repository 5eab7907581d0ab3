package gen

import "github.com/picaproof/picaproof/pica"

// arithmeticOps are the instructions that compute and fall through.
var arithmeticOps = pica.OpcodesWhere(func(i *pica.OpcodeInfo) bool { return i.Sources > 0 })

// afterMova reports whether the last instruction sets an address register.
func (g *Generator) afterMova() bool {
	n := len(g.code)
	return n > 0 && pica.Opcodes[pica.OpcodeOf(g.code[n-1])].Writes&pica.WritesAddress != 0
}

// compute appends a computing instruction with the given sources.
func (g *Generator) compute(op pica.Opcode, sources [3]uint32) *uint32 {
	layout := op.Layout()
	w := g.write(op, g.descriptor(1<<layout.Desc.Width), g.destination(), sources)
	if g.c.Chance(3) {
		setField(w, layout.Index, uint32(g.c.Bits(2)))
	}
	setField(w, layout.CmpX, uint32(g.c.Bits(3)))
	setField(w, layout.CmpY, uint32(g.c.Bits(3)))
	return w
}

// arithmetic appends one computing instruction. Hazards are left out: two MOVA
// in a row, two different inputs.
func arithmetic(g *Generator, _ scope) {
	op := Pick(&g.c, arithmeticOps)
	if pica.Opcodes[op].Writes&pica.WritesAddress != 0 && g.afterMova() {
		op = pica.MOV
	}
	var sources [3]uint32
	input := g.usually(usualInputs, pica.NumInputs)
	for k, field := range op.Layout().Src {
		if field.Width > 0 {
			sources[k] = g.source(field, input)
		}
	}
	g.compute(op, sources)
}

// relative appends a MOVA, and an instruction whose operand that address register displaces.
func relative(g *Generator, s scope) {
	arithmetic(g, s) // no MOVA before
	if g.afterMova() {
		return
	}
	uniform := pica.SourceUniform + g.usually(usualUniforms, pica.NumFloats)
	g.compute(pica.MOVA, [3]uint32{uniform})
	op := Pick(&g.c, relativeOps)
	var sources [3]uint32
	for k, field := range op.Layout().Src {
		sources[k] = g.source(field, 0)
	}
	sources[op.Layout().Indexed] = pica.SourceUniform + Pick(&g.c, bases)
	setField(g.compute(op, sources), op.Layout().Index, pica.IndexA0X+uint32(g.c.Bits(1)))
}

// bases meet the edges of the window and of the register file with the offsets
// of values.go.
var bases = []uint32{0, 32, 40, 95}

// relativeOps are opcodes whose result shows which register their operand was.
var relativeOps = []pica.Opcode{pica.MOV, pica.ADD, pica.MUL, pica.MAD, pica.MADI, pica.DPHI, pica.SGEI, pica.MAX}
