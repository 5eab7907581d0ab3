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

// compute appends a computing instruction with the given sources.
func (g *Generator) compute(op pica.Opcode, sources [3]uint32) *uint32 {
	layout := op.Layout()
	w := g.write(op, g.descriptor(1<<layout.Desc.Width), g.destination(), sources)
	if g.c.Chance(3) {
		put(w, layout.Index, uint32(g.c.Bits(2)))
	}
	put(w, layout.CmpX, uint32(g.c.Bits(3)))
	put(w, layout.CmpY, uint32(g.c.Bits(3)))
	return w
}

// arithmetic appends one computing instruction. Hazards are left out: two MOVA
// in a row, two different inputs.
func arithmetic(g *Generator, _ scope) {
	op := Pick(&g.c, arithmeticOps)
	if n := len(g.code); op == pica.MOVA && n > 0 && pica.OpcodeOf(g.code[n-1]) == pica.MOVA {
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

// relative appends MOVA and an instruction that is indexed by what it set.
func relative(g *Generator, s scope) {
	arithmetic(g, s) // no MOVA before
	if pica.OpcodeOf(g.code[len(g.code)-1]) == pica.MOVA {
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
	put(g.compute(op, sources), op.Layout().Index, pica.IndexA0X+uint32(g.c.Bits(1)))
}

// bases meet the edges of the window and of the register file with the offsets
// of values.go.
var bases = []uint32{0, 32, 40, 95}

// relativeOps show what they were given.
var relativeOps = []pica.Opcode{pica.MOV, pica.ADD, pica.MUL, pica.MAD, pica.MADI, pica.DPHI, pica.SGEI, pica.MAX}
