package gen

import "github.com/picaproof/picaproof/pica"

// aluVertices is the number of vertices of an alu job.
const aluVertices = 4

// uniformChance[n] is the probability, in sixteenths, that the wide operand of an n-operand instruction reads a
// uniform. A lone operand is mostly an input, so that it differs between the vertices.
var uniformChance = [...]int{1: 4, 2: 13, 3: 13}

// alu makes a program of one instruction, whose operands have every pair of
// value classes and are often close to one another. The uniform is the same for
// all vertices, the input is not.
func (g *Generator) alu(hazardous bool) {
	input, uniform := uint32(0), uint32(0)
	if g.c.Bits(3) == 1 {
		input, uniform = uint32(g.c.Bits(4)), uint32(g.c.Below(pica.NumFloats))
	}
	format := g.format()
	values := &g.runs[0][0]
	for c := range values {
		values[c] = g.c.operand()
	}
	g.vertices(aluVertices, int(input)+1)
	for _, v := range g.job.Vertices {
		clear(v[:input])
		for c := range values {
			v[input][c] = g.c.in(g.job.InputFormat, g.c.partner(values[c]))
		}
	}
	for c := range values {
		values[c] = g.c.in(format, values[c])
	}
	g.upload(int(uniform), format, g.runs[0][:1])

	if hazardous {
		Pick(&g.c, hazards)(g, scope{})
		g.emit(pica.END)
		return
	}
	op := Pick(&g.c, arithmeticOps)
	var sources [3]uint32
	for k, field := range op.Layout().Src {
		sources[k] = pica.SourceInput + input
		if field.Width == 7 && g.c.Chance(uniformChance[pica.Opcodes[op].Sources]) {
			sources[k] = pica.SourceUniform + uniform
		}
	}
	g.compute(op, sources)
	g.emit(pica.END)
}
