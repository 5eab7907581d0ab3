package gen

import "github.com/picaproof/picaproof/pica"

// wordsBudget ends most programs of words before they have run off their end
// through the whole program memory.
const wordsBudget = 500

// words fills the program with words whose opcode is any, most of them defined.
func (g *Generator) words() {
	if !g.c.Chance(1) {
		g.job.Budget = wordsBudget
	}
	for range 4 + g.c.Below(28) {
		w := uint32(g.c.Bits(32))
		if g.c.Chance(12) {
			w = uint32(Pick(&g.c, arithmeticOps))<<26 | w&(1<<26-1)
		}
		w = pica.OpcodeOf(w).Layout().Dst.Put(w, uint32(g.c.Below(40)))
		g.code = append(g.code, w)
	}
	g.emit(pica.END)
	for range 1 + g.c.Below(16) {
		g.descs = append(g.descs, uint32(g.c.Bits(32)))
	}
}
