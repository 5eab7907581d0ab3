package gen

import "github.com/picaproof/picaproof/pica"

// words fills the program with words whose opcode is any, most of them defined.
func (g *Generator) words() {
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
