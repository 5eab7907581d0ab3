package gen

import (
	"math"

	"github.com/picaproof/picaproof/pica"
)

// ranges has for each opcode the bounds of the result, from the bounds of the operands. Long programs do not use other
// opcodes with numbers of ordinary size. A result without bounds is not computed.
var ranges = map[pica.Opcode]func(a, b, c bounds) (bounds, bool){
	pica.ADD: func(a, b, _ bounds) (bounds, bool) { return sum(a, b), true },
	pica.MUL: func(a, b, _ bounds) (bounds, bool) { return product(a, b), true },
	pica.MAD: func(a, b, c bounds) (bounds, bool) { return sum(product(a, b), c), true },
	pica.DP3: func(a, b, _ bounds) (bounds, bool) { p := product(a, b); return sum(p, sum(p, p)), true },
	pica.DP4: func(a, b, _ bounds) (bounds, bool) { p := product(a, b); return sum(sum(p, p), sum(p, p)), true },
	pica.DPH: func(a, b, _ bounds) (bounds, bool) { p := product(a, b); return sum(sum(p, p), sum(p, b)), true },
	pica.DST: func(a, b, _ bounds) (bounds, bool) {
		return union(union(bounds{1, 1}, product(a, b)), union(a, b)), true
	},
	pica.MOV: func(a, _, _ bounds) (bounds, bool) { return a, true },
	pica.FLR: func(a, _, _ bounds) (bounds, bool) { return bounds{a.low - 1, a.high}, true },
	pica.MAX: func(a, b, _ bounds) (bounds, bool) { return union(a, b), true },
	pica.MIN: func(a, b, _ bounds) (bounds, bool) { return union(a, b), true },
	pica.SGE: func(_, _, _ bounds) (bounds, bool) { return bounds{0, 1}, true },
	pica.SLT: func(_, _, _ bounds) (bounds, bool) { return bounds{0, 1}, true },
	pica.RCP: func(a, _, _ bounds) (bounds, bool) { return bounds{1 / a.high, 1 / a.low}, a.low >= 0.25 },
	pica.RSQ: func(a, _, _ bounds) (bounds, bool) {
		return bounds{math.Sqrt(1 / a.high), math.Sqrt(1 / a.low)}, a.low >= 0.25
	},
	pica.EX2: func(a, _, _ bounds) (bounds, bool) {
		return bounds{math.Ldexp(1, int(math.Floor(a.low))), math.Ldexp(1, int(math.Ceil(a.high)))}, a.low >= -5
	},
	pica.LG2: func(a, _, _ bounds) (bounds, bool) {
		_, least := math.Frexp(a.low)
		_, most := math.Frexp(a.high)
		return bounds{float64(least - 1), float64(most)}, a.low >= 0.25
	},
}

func sum(a, b bounds) bounds   { return bounds{a.low + b.low, a.high + b.high} }
func union(a, b bounds) bounds { return bounds{min(a.low, b.low), max(a.high, b.high)} }

// product keeps each product on its own, so that no platform adds without rounding it.
func product(a, b bounds) bounds {
	w, x, y, z := float64(a.low*b.low), float64(a.low*b.high), float64(a.high*b.low), float64(a.high*b.high)
	return bounds{min(w, x, y, z), max(w, x, y, z)}
}

// ordinaryOps are the instructions of ranges, and the forms of them that have their
// operands elsewhere.
var ordinaryOps = pica.OpcodesWhere(func(i *pica.OpcodeInfo) bool { return ranges[i.Plain] != nil })

// edgeOps are the instructions whose result goes to outputs.
var edgeOps = pica.OpcodesWhere(func(i *pica.OpcodeInfo) bool { return i.Writes == pica.WritesDest })

// extend adds a scaled number to a link, so that a difference in its last bit is
// seldom rounded away. MAD has room for a uniform in one place: the number or the
// scale.
func (g *Generator) extend(link, number uint32, b bounds, index uint32) {
	scale, wide := uint32(gains+g.c.Below(numGains)), number
	switch most := max(-b.low, b.high); {
	case most > 16:
		scale = uint32(nearOnes + g.c.Below(numOnes))
	case most > 4:
		scale = uint32(fours + g.c.Below(numFours))
	}
	if number >= pica.SourceUniform {
		number, scale = gainInput, wide
	}
	link += pica.SourceTemporary
	w := g.write(pica.MAD, extending+uint32(g.c.Below(numExtending)), link, [3]uint32{number, scale, link})
	setField(w, pica.MAD.Layout().Index, index)
}

// reduce subtracts the integer part of a link, scaled by a factor that changes. With a constant factor a difference of
// 1 would get lost.
func (g *Generator) reduce(link uint32) {
	link += pica.SourceTemporary
	g.write(pica.FLR, plain, whole, [3]uint32{link})
	factor := reducers + uint32(g.c.Below(numReducers))
	g.write(pica.MAD, reducing+uint32(g.c.Below(numReducing)), link, [3]uint32{whole, factor, link})
}

// include brings results into the chain, some of them two at a time.
func (g *Generator) include(results ...int) {
	x := &g.extent
	link, held := uint32(g.c.Below(links)), 0
	for _, k := range results {
		g.extend(link, firstResult+uint32(k), x.results[k], pica.IndexNone)
		x.pending[k] = false
		if held++; held == 2 {
			g.reduce(link)
			link, held = uint32(g.c.Below(links)), 0
		}
	}
	if held > 0 {
		g.reduce(link)
	}
}

// settle adds all results to the chain and forgets their bounds, because the next word may be reached on another path.
func (g *Generator) settle() {
	x := &g.extent
	var all [numResults]int
	n := 0
	for k, pending := range x.pending {
		if pending {
			all[n] = k
			n++
		}
	}
	g.include(all[:n]...)
	x.forget()
}

// forget forgets the bounds of all results.
func (x *extent) forget() {
	for k := range x.results {
		x.results[k] = resultBounds
	}
}

// computeOrdinary appends an instruction whose result joins the chain before it is
// overwritten.
func (g *Generator) computeOrdinary() {
	x := &g.extent
	k := g.c.Below(numResults)
	if x.pending[k] {
		g.include(k)
	}
	op, desc := Pick(&g.c, ordinaryOps), uint32(drawn+g.c.Below(numDrawn))
	d := pica.Descriptor(g.descs[desc])
	input := uint32(g.c.Below(unitInputs))
	var sources [3]uint32
	var b [3]bounds
	for k, field := range op.Layout().Src {
		if field.Width > 0 {
			sources[k], b[k] = g.ordinary(field, input)
			if d.Negate(k) {
				b[k] = bounds{-b[k].high, -b[k].low}
			}
		}
	}
	result, ok := ranges[pica.Opcodes[op].Plain](b[0], b[1], b[2])
	if !ok || result.low < -maxResult || result.high > maxResult {
		op, result = pica.MOV, unitBounds
		desc = plain
		sources = [3]uint32{units + uint32(g.c.Below(numUnits))}
	}
	if d := pica.Descriptor(g.descs[desc]); d.Mask() != 15 {
		result = union(result, x.results[k])
	}
	g.idle(g.write(op, desc, firstResult+uint32(k), sources), sources)
	x.results[k], x.pending[k] = result, true
}

// ordinary draws a source of ordinary size.
func (g *Generator) ordinary(field pica.Field, input uint32) (uint32, bounds) {
	switch {
	case field.Width == 7 && g.c.Chance(6):
		return units + uint32(g.c.Below(numUnits)), unitBounds
	case g.c.Chance(4):
		return input, unitBounds
	case g.c.Chance(5):
		return g.link(), linkBounds
	}
	k := g.c.Below(numResults)
	return firstResult + uint32(k), g.extent.results[k]
}

// edgeResult appends an instruction with operands of any kind, whose result goes to
// components of an output that nothing else writes.
func (g *Generator) edgeResult(op pica.Opcode) *uint32 {
	x := &g.extent
	const outputs = pica.NumOutputs - edgeOutputs
	output, first := 0, g.c.Below(outputs)
	for k := range outputs {
		if output = edgeOutputs + (first+k)%outputs; x.free[output] != 0 {
			break
		}
	}
	if x.free[output] == 0 {
		return nil
	}
	mask, negate, selectors := g.drawOperands()
	if mask &= x.free[output]; mask == 0 && !g.c.Chance(2) {
		mask = x.free[output]
	}
	desc := len(g.descs)
	if limited := 1<<op.Layout().Desc.Width <= plain; limited {
		if desc = edged + x.edges; x.edges == numEdged {
			return nil
		}
		x.edges++
		g.descs[desc] = uint32(pica.MakeDescriptor(mask, negate, selectors))
	} else {
		if desc == pica.MaxDescriptors {
			return nil
		}
		g.describe(mask, negate, selectors)
	}
	x.free[output] &^= mask
	input := uint32(edgeInput + g.c.Below(numEdgeIn))
	var sources [3]uint32
	for k, field := range op.Layout().Src {
		if field.Width > 0 {
			sources[k] = g.edge(field, input)
		}
	}
	w := g.write(op, uint32(desc), uint32(output), sources)
	g.idle(w, sources)
	return w
}

// idle draws the index field where it has no effect, because the register is none that
// is indexed.
func (g *Generator) idle(w *uint32, sources [3]uint32) {
	if layout := pica.OpcodeOf(*w).Layout(); layout.Index.Width > 0 && sources[layout.Indexed] < pica.SourceUniform {
		setField(w, layout.Index, uint32(g.c.Bits(2)))
	}
}

// edge draws a source of any kind.
func (g *Generator) edge(field pica.Field, input uint32) uint32 {
	switch {
	case field.Width == 7 && g.c.Chance(12):
		return edgeUniforms + uint32(g.c.Below(numEdges))
	case g.c.Chance(13):
		return input
	}
	return g.link()
}

// edgeIndexed copies the register that an address register selects to an output.
func (g *Generator) edgeIndexed(index uint32) {
	op := Pick(&g.c, relativeOps)
	w := g.edgeResult(op)
	if w == nil {
		op = pica.MOV
		w = g.edgeResult(op)
	}
	if w != nil {
		setField(w, op.Layout().Index, index)
		setField(w, op.Layout().Src[op.Layout().Indexed], pica.SourceUniform+Pick(&g.c, bases))
	}
}

// edgeRoom returns the number of outputs with a free component.
func (x *extent) edgeRoom() (n int) {
	for _, free := range x.free {
		if free != 0 {
			n++
		}
	}
	return n
}
