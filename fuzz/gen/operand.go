package gen

import "github.com/picaproof/picaproof/pica"

// What programs use most: inputs, temporaries and uniforms from 0 up.
const (
	usualInputs      = 4
	usualTemporaries = 6
	usualUniforms    = 8
)

// usually draws a register number below usual, now and then below all.
func (g *Generator) usually(usual, all int) uint32 {
	if g.c.Bits(3) == 1 {
		return uint32(g.c.Below(all))
	}
	return uint32(g.c.Below(usual))
}

// descriptor returns the number of a descriptor, a new one or a used one. The instruction can address limit
// descriptors.
func (g *Generator) descriptor(limit int) uint32 {
	if n := len(g.descs); n > 0 && (n >= limit || g.c.Chance(6)) {
		return uint32(g.c.Below(min(n, limit)))
	}
	mask := uint8(15)
	if g.c.Chance(8) {
		mask = uint8(g.c.Bits(4))
	}
	var negate [3]bool
	selectors := [3]uint8{pica.IdentitySwizzle, pica.IdentitySwizzle, pica.IdentitySwizzle}
	for k := range selectors {
		negate[k] = g.c.Chance(3)
		if g.c.Chance(8) {
			selectors[k] = uint8(g.c.Bits(8))
		}
	}
	g.describe(mask, negate, selectors)
	return uint32(len(g.descs) - 1)
}

// describe appends a descriptor.
func (g *Generator) describe(mask uint8, negate [3]bool, selectors [3]uint8) {
	g.descs = append(g.descs, uint32(pica.MakeDescriptor(mask, negate, selectors)))
}

// crowd fills the front of the descriptor table of some jobs, so that new
// descriptors lie where only some instructions reach them.
func (g *Generator) crowd() {
	if g.c.Bits(4) != 1 {
		return
	}
	for range g.c.Below(pica.MaxDescriptors - 4) {
		g.descs = append(g.descs, uint32(g.c.Bits(32)))
	}
}

// source draws a register for a source field. It names no input other than the given one.
func (g *Generator) source(field pica.Field, input uint32) uint32 {
	switch {
	case field.Width == 7 && g.c.Chance(7):
		return pica.SourceUniform + g.usually(usualUniforms, pica.NumFloats)
	case g.c.Chance(8):
		return pica.SourceInput + input
	}
	return pica.SourceTemporary + g.usually(usualTemporaries, pica.NumTemporaries)
}

// destination draws a register for a destination field.
func (g *Generator) destination() uint32 {
	if g.c.Chance(4) {
		return pica.DestOutput + uint32(g.c.Below(pica.NumOutputs))
	}
	return pica.DestTemporary + g.usually(usualTemporaries, pica.NumTemporaries)
}

// write appends an instruction with operands.
func (g *Generator) write(op pica.Opcode, desc, dest uint32, sources [3]uint32) *uint32 {
	layout := op.Layout()
	w := layout.Dest.Put(layout.Desc.Put(uint32(op)<<26, desc), dest)
	for k, field := range layout.Src {
		w = field.Put(w, sources[k])
	}
	g.code = append(g.code, w)
	return &g.code[len(g.code)-1]
}

// put sets a field of an instruction in place.
func setField(w *uint32, field pica.Field, v uint32) { *w = field.Put(*w, v) }
