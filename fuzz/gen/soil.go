package gen

import "github.com/picaproof/picaproof/pica"

// drawUnread draws any values into the bits of the program that nothing reads.
func (g *Generator) drawUnread() {
	for k := range g.code[g.program.origin:] {
		w := &g.code[g.program.origin+k]
		*w |= uint32(g.c.Bits(26)) & pica.Opcodes[pica.OpcodeOf(*w)].Unread
	}
	for k := range g.descs {
		g.descs[k] |= uint32(g.c.Bits(1)) << 31
	}
}
