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

// descriptor returns the number of a descriptor, a new one or one in use; limit
// is how many the instruction can address.
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
	g.descs = append(g.descs, uint32(pica.MakeDescriptor(mask, negate, selectors)))
	return uint32(len(g.descs) - 1)
}

// register returns a source register for a field of the given width: inputs and
// temporaries that programs use, and in wide fields mostly uniforms.
func (g *Generator) register(wide bool) uint32 {
	switch {
	case wide && g.c.Chance(7):
		if g.c.Chance(4) {
			return pica.SourceUniform + uint32(g.c.Below(pica.NumFloats))
		}
		return pica.SourceUniform + uint32(g.c.Below(8))
	case g.c.Chance(8):
		return pica.SourceInput + uint32(g.c.Below(4))
	}
	return pica.SourceTemporary + uint32(g.c.Below(6))
}

// arithmetic appends one computing instruction.
func arithmetic(g *Generator, _ scope) {
	op := Pick(&g.c, arithmeticOps)
	layout := pica.Opcodes[op].Format.Layout()
	w := layout.Desc.Put(uint32(op)<<26, g.descriptor(1<<layout.Desc.Width))
	for _, field := range layout.Src {
		if field.Width > 0 {
			w = field.Put(w, g.register(field.Width == 7))
		}
	}
	if g.c.Chance(3) {
		w = layout.Index.Put(w, uint32(g.c.Bits(2)))
	}
	dest := uint32(pica.DestTemporary + g.c.Below(6))
	if g.c.Chance(4) {
		dest = pica.DestOutput + uint32(g.c.Below(pica.NumOutputs))
	}
	if layout.Dest.Width > 0 {
		w = layout.Dest.Put(w, dest)
	}
	w = layout.CmpX.Put(w, uint32(g.c.Bits(3)))
	w = layout.CmpY.Put(w, uint32(g.c.Bits(3)))
	g.code = append(g.code, w)
}

// vertex appends an EMIT, mostly with a SETEMIT before.
func vertex(g *Generator, _ scope) {
	if g.c.Chance(12) {
		layout := pica.SETEMIT.Layout()
		w := layout.Vertex.Put(uint32(pica.SETEMIT)<<26, uint32(g.c.Below(3)))
		g.code = append(g.code, layout.Primitive.Put(layout.Winding.Put(w, uint32(g.c.Bits(1))), uint32(g.c.Bits(1))))
	}
	g.emit(pica.EMIT)
}
