package gen

import "github.com/picaproof/picaproof/pica"

// mixedStatements and geometryStatements are the statements of mixed and of geometry programs.
var (
	mixedStatements = vocabulary(
		choice{22, arithmetic}, choice{2, branch}, choice{2, loop}, choice{2, leave}, choice{1, procedure},
		choice{2, skip}, choice{1, relative}, choice{1, nop},
	)
	geometryStatements = append(vocabulary(choice{7, vertex}, choice{1, slot}), mixedStatements...)
)

// vertex appends an EMIT, mostly with a SETEMIT before, now and then with one
// more that counts for nothing.
func vertex(g *Generator, s scope) {
	twice := g.c.Bits(4) == 1
	if twice {
		g.setEmit(uint32(g.c.Bits(2)))
		arithmetic(g, s)
	}
	if twice || g.c.Chance(12) {
		g.setEmit(uint32(g.c.Below(3)))
	}
	g.emit(pica.EMIT)
}

// slot appends a SETEMIT that holds for a later EMIT.
func slot(g *Generator, _ scope) { g.setEmit(uint32(g.c.Below(3))) }

// setEmit appends a SETEMIT.
func (g *Generator) setEmit(n uint32) {
	layout := pica.SETEMIT.Layout()
	w := layout.Vertex.Put(uint32(pica.SETEMIT)<<26, n)
	g.code = append(g.code, layout.Primitive.Put(layout.Winding.Put(w, uint32(g.c.Bits(1))), uint32(g.c.Bits(1))))
}
