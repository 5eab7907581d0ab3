package gen

import "github.com/picaproof/picaproof/pica"

// A long program loses no result. Four temporaries, the chain, take part in nearly every statement. A statement adds
// each result to the chain, scaled so that its last bit counts, and a rule that keeps differences reduces the chain
// again (see extend and reduce). Every flag decides a branch, every address selects an operand, and every scope begins
// and ends with a word that counts its executions. Numbers of ordinary size go into the chain. Results of infinities,
// NaN, zeros and subnormals go to output components that nothing else writes. At the end the chain goes to outputs.

// Words of a long program.
const (
	leastWords = 100
	mostWords  = 500
	overrun    = 110 // words of the last statement and of the end of the program, at most
)

// Registers of long programs.
const (
	links        = 4                        // r0-r3, the chain
	firstResult  = pica.SourceTemporary + 4 // r4-r14 hold results
	numResults   = 11
	whole        = pica.SourceTemporary + 15 // r15: the integer part of a link
	unitInputs   = 2                         // v0, v1: numbers from 1 to 2
	gainInput    = pica.SourceInput + 2      // v2: numbers from 17 to 18
	vertexInput  = pica.SourceInput + 3      // v3: 0 for the first vertex, 2 for the others
	edgeInput    = pica.SourceInput + 4      // v4-v7: any numbers
	numEdgeIn    = 4
	longInputs   = 8
	units        = pica.SourceUniform // c0-c63: numbers from 1 to 2
	numUnits     = 64
	gains        = units + numUnits // c64-c68: numbers a little above 16 or 32
	numGains     = 5
	fours        = gains + numGains // c69-c72: numbers a little above 4
	numFours     = 4
	nearOnes     = fours + numFours // c73-c75: numbers a little above 1
	numOnes      = 3
	reducers     = nearOnes + numOnes // c76-c79: numbers a little above -1
	numReducers  = 4
	edgeUniforms = reducers + numReducers // c80-c95: any numbers
	numEdges     = 16
	farLoop      = pica.NumInts - 1 // i3: its aL goes beyond the numbers from 1 to 2
	usualAL      = 36               // the largest aL of the other loops
	chainOutputs = links            // o0-o3 show the chain, the next one in the first vertex alone
	edgeOutputs  = links + 1        // the other outputs show results of edges
)

// Descriptors of long programs. MAD can address the first 32.
const (
	extending    = 0 // all components; the first and the third source permuted, the chain turned
	numExtending = 8
	reducing     = 8 // the first and the third source permuted alike
	numReducing  = 4
	drawn        = 12 // anything
	numDrawn     = 12
	edged        = 24 // drawn for one instruction each
	numEdged     = 8
	plain        = 32 // nothing swizzled
	turning      = 33 // the first source turned
	numTurning   = 6
	maxPartWords = 14
)

// bounds are the least and the greatest number that a component can be.
type bounds struct{ low, high float64 }

// Bounds of inputs, links and results. They are fixed, not computed.
var (
	unitBounds   = bounds{1, 2}
	linkBounds   = bounds{-6, 7}
	resultBounds = bounds{-maxResult, maxResult}
)

// maxResult is the largest result that goes into the chain.
const maxResult = 64

// extent is the long program under construction.
type extent struct {
	statements []longStatement
	results    [numResults]bounds
	pending    [numResults]bool // not in the chain yet
	free       [pica.NumOutputs]uint8
	edges      int // descriptors of MAD that are drawn
	loops      int
	near       bool // aL names a number from 1 to 2
	nesting    int
	procedures []placedProcedure
	store      [maxProcedures]placedProcedure
}

// placedProcedure is a procedure that later words may call.
type placedProcedure struct {
	start, words int
	tails        int // procedures that end with it
	called       bool
}

// long makes a long program.
func (g *Generator) long() {
	x := &g.extent
	*x = extent{statements: longStatements}
	x.procedures = x.store[:0]
	x.forget()
	for k := edgeOutputs; k < pica.NumOutputs; k++ {
		x.free[k] = 15
	}
	g.longState()
	limit := leastWords + min(g.c.Below(mostWords-leastWords-overrun), g.c.Below(mostWords-leastWords-overrun))
	for range g.c.Below(pica.CallDepth + 1) {
		g.procedure(limit / 8)
	}
	g.job.Entry = len(g.code)
	g.opening()
	for len(g.code) < limit {
		Pick(&g.c, longStatements)(g)
	}
	g.closing()
}

// longState draws descriptors, uniforms and inputs.
func (g *Generator) longState() {
	for range numExtending {
		g.describe(15, [3]bool{}, [3]uint8{g.permutation(), uint8(g.c.Bits(8)), g.turn()})
	}
	for range numReducing {
		p := g.permutation()
		g.describe(15, [3]bool{}, [3]uint8{p, uint8(g.c.Bits(8)), p})
	}
	for range numDrawn + numEdged {
		g.describe(g.drawOperands())
	}
	g.describe(15, [3]bool{}, [3]uint8{pica.IdentitySwizzle, pica.IdentitySwizzle, pica.IdentitySwizzle})
	for range numTurning {
		g.describe(15, [3]bool{}, [3]uint8{g.turn(), uint8(g.c.Bits(8)), uint8(g.c.Bits(8))})
	}

	format := g.format()
	for k := range g.table {
		for c := range g.table[k] {
			g.table[k][c] = g.tabled(uint32(k), format)
		}
	}
	g.upload(0, format, g.table[:])
	g.job.Keep = g.c.Chance(4)
	g.decisions()
	for k := range g.job.Ints {
		g.job.Ints[k][0] = uint8(g.c.Below(4)+1) >> 1
		if k != farLoop {
			g.job.Ints[k][1], g.job.Ints[k][2] = uint8(g.c.Bits(4)), uint8(g.c.Bits(3))
		}
	}
	g.job.Ints[0][0] &= uint8(g.c.Bits(2)) // a loop of one pass may be empty
	g.vertices(1+int(g.c.Bits(2)+1)>>2, longInputs)
	for i, v := range g.job.Vertices {
		for k := range v {
			for c := range v[k] {
				v[k][c] = g.input(uint32(k), i, g.job.InputFormat)
			}
		}
	}
	if last := &g.rows[len(g.job.Vertices)-1]; g.c.Chance(4) {
		*last = (*last)[:edgeInput+1+g.c.Below(numEdgeIn)]
	}
}

// permutation draws selectors that name each component once.
func (g *Generator) permutation() (selectors uint8) {
	left := [4]uint8{0, 1, 2, 3}
	for k := range 4 {
		at := g.c.Below(4 - k)
		selectors = selectors<<2 | left[at]
		copy(left[at:], left[at+1:])
	}
	return selectors
}

// turn draws selectors that move each component to another place.
func (g *Generator) turn() uint8 {
	return Pick(&g.c, []uint8{0x93, 0x39, 0x4E, 0xB1, 0x1B ^ 0xFF})
}

// drawOperands draws any descriptor that writes something.
func (g *Generator) drawOperands() (mask uint8, negate [3]bool, selectors [3]uint8) {
	mask = 15
	if g.c.Chance(6) {
		mask = uint8(1 + g.c.Below(15))
	}
	for k := range selectors {
		negate[k], selectors[k] = g.c.Chance(4), uint8(g.c.Bits(8))
	}
	return mask, negate, selectors
}

// tabled draws a component of a uniform.
func (g *Generator) tabled(k uint32, format pica.NumberFormat) uint32 {
	switch k += pica.SourceUniform; {
	case k < gains:
		return g.c.close(format, 0x3F0000|uint32(g.c.Bits(16)))
	case k < fours:
		return g.c.close(format, 0x430000+k&1<<16|uint32(g.c.Bits(12)))
	case k < nearOnes:
		return g.c.close(format, 0x410000|uint32(g.c.Bits(12)))
	case k < reducers:
		return g.c.close(format, 0x3F0000|uint32(g.c.Bits(12)))
	case k < edgeUniforms:
		return g.c.close(format, 0xBEF800|uint32(g.c.Bits(11)))
	}
	return g.c.in(format, g.c.operand())
}

// input draws a component of an input.
func (g *Generator) input(k uint32, vertex int, format pica.NumberFormat) uint32 {
	switch {
	case k < unitInputs:
		return g.c.close(format, 0x3F0000|uint32(g.c.Bits(16)))
	case k == gainInput:
		return g.c.close(format, 0x430000|uint32(g.c.Bits(12)))
	case k == vertexInput:
		return format.Integer(int64(2 * min(vertex, 1)))
	}
	return g.c.in(format, g.c.operand())
}

// opening reads the state from the vertex before, so that outputs show it.
func (g *Generator) opening() {
	for link := range uint32(links) {
		g.extend(link, units+uint32(g.c.Below(numUnits)), unitBounds, pica.IndexNone)
		g.reduce(link)
	}
	if len(g.job.Vertices) == 1 {
		return
	}
	for index := uint32(pica.IndexA0X); index <= pica.IndexAL; index++ {
		g.edgeIndexed(index)
	}
	g.test(pica.CondX)
	g.test(pica.CondY)
	for link := range uint32(links) {
		for k := link; k < numResults; k += links {
			r := pica.SourceTemporary + link
			g.operate(pica.ADD, plain, r, firstResult+k, r)
		}
		g.reduce(link)
	}
}

// closing ends the program.
func (g *Generator) closing() {
	g.settle()
	for k := range g.extent.procedures {
		if !g.extent.procedures[k].called {
			g.callPlaced(pica.CALL, k)
		}
	}
	g.compareWith(units+uint32(g.c.Below(numUnits)), vertexInput, plain, pica.CmpGT)
	at := g.flow(pica.JMPC)
	setField(&g.code[at], pica.JMPC.Layout().CondOp, pica.CondX)
	setField(&g.code[at], pica.JMPC.Layout().RefX, 0)
	g.operate(pica.MOV, g.turned(), chainOutputs, g.link(), 0)
	g.aim(at, len(g.code), g.number())
	switch g.c.Bits(3) {
	case 1: // END in a loop
		at := g.flow(pica.LOOP)
		g.show()
		g.turnLink()
		g.aim(at, len(g.code)-1, 0)
		g.turnLink()
	case 2: // END in a procedure
		at := g.flow(pica.CALL)
		g.aim(at, len(g.code)+links+2, links+1)
		g.turnLink()
	}
	g.show()
}

// show ends the program with the chain in outputs.
func (g *Generator) show() {
	for k := range uint32(links) {
		g.operate(pica.MOV, g.turned(), pica.DestOutput+k, pica.SourceTemporary+k, 0)
	}
	g.emit(pica.END)
}

func (g *Generator) turned() uint32 { return turning + uint32(g.c.Below(numTurning)) }

// link draws a register of the chain.
func (g *Generator) link() uint32 { return pica.SourceTemporary + uint32(g.c.Below(links)) }
