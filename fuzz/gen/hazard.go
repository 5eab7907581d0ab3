package gen

import "github.com/picaproof/picaproof/pica"

// hazards append known defects of the console, instructions with unknown effect, and flow that leaves the bounds of a
// run. One job in 64 has one of them on purpose; the others avoid them.
var hazards = vocabulary(
	choice{1, func(g *Generator, _ scope) { // two different inputs
		v := uint32(g.c.Below(pica.NumInputs - 1))
		g.write(Pick(&g.c, severalOps), 0, g.destination(), [3]uint32{v, v + 1, v})
	}},
	choice{1, func(g *Generator, _ scope) {
		g.write(pica.MOVA, 0, 0, [3]uint32{})
		g.write(pica.MOVA, 0, 0, [3]uint32{})
	}},
	choice{1, func(g *Generator, _ scope) { g.emit(pica.BREAK) }},
	choice{1, func(g *Generator, _ scope) { g.flow(pica.BREAKC) }},
	choice{1, func(g *Generator, _ scope) { g.emit(pica.EMIT) }},
	choice{1, func(g *Generator, _ scope) {
		g.setEmit(3)
		g.emit(pica.EMIT)
	}},
	choice{1, func(g *Generator, _ scope) { g.emit(Pick(&g.c, reservedOps)) }},
	choice{1, func(g *Generator, _ scope) { g.aim(g.flow(Pick(&g.c, jumps)), pica.MaxCode-1-g.c.Below(4), 0) }},
	choice{1, func(g *Generator, _ scope) { g.job.Budget = 1 + g.c.Below(20) }},
)

// severalOps holds the first instruction of each format with several operands.
var severalOps = func() (ops []pica.Opcode) {
	for format := range pica.NumFormats {
		same := pica.OpcodesWhere(func(i *pica.OpcodeInfo) bool { return i.Format == format && i.Sources > 1 })
		ops = append(ops, same[:min(1, len(same))]...)
	}
	return ops
}()

var reservedOps = func() (ops []pica.Opcode) {
	for op := range pica.Opcode(pica.NumOpcodes) {
		if op.Reserved() {
			ops = append(ops, op)
		}
	}
	return ops
}()
