package oracle

import "github.com/picaproof/picaproof/pica"

// operands are the rules of the console: only float uniforms are displaced, and CMP
// compares x for cc.x and y for cc.y.
var operands = Operands{
	Offset: offset, Displace: displace, Swizzle: swizzle, Dest: dest, Write: store,
	MOVA: mova, CMP: compareBoth, Compared: [2]int{0, 1}, Flags: storeFlags,
}

func offset(s *pica.State, index int) int32 {
	if index == pica.IndexAL {
		return s.AL // all 32 bits (Azahar)
	}
	return s.Address[index-pica.IndexA0X]
}

// displace displaces float uniforms alone (Steveice10 on a console; Azahar, Panda3DS's
// interpreter).
func displace(c *Control, n, index int) int {
	if n < pica.SourceUniform {
		return n
	}
	offset := c.Offset(index)
	if offset < -128 || offset > 127 {
		offset = 0 // Steveice10; 3dbrew disagrees: the source is zeros
	}
	n = (n - pica.SourceUniform + int(offset)) & 0x7F
	if n >= pica.NumFloats {
		return Ones
	}
	return pica.SourceUniform + n
}

// selected returns the component, 0 to 3, that a selector byte selects for a lane.
func selected(selectors, lane int) int { return selectors >> (6 - 2*lane) & 3 }

func swizzle(v *pica.Vec4, selectors int) pica.Vec4 {
	return pica.Vec4{
		v[selected(selectors, 0)], v[selected(selectors, 1)], v[selected(selectors, 2)], v[selected(selectors, 3)],
	}
}

func dest(s *pica.State, n int) *pica.Vec4 {
	if n >= pica.DestTemporary {
		return &s.R[n-pica.DestTemporary]
	}
	return &s.O[n]
}

func store(_ pica.Opcode, to, v *pica.Vec4, mask uint8) {
	for lane := range to {
		if mask&(laneX>>lane) != 0 {
			to[lane] = v[lane]
		}
	}
}

// compareBoth applies an operator to each of the two lanes that Compared names.
func compareBoth(c *Control, operators [2]uint32, a, b *pica.Vec4) (flags [2]bool) {
	u := &c.Rules.Unit
	for i, op := range operators {
		k := c.Rules.Operands.Compared[i]
		flags[i] = u.Ops.Compare(u, op, a[k], b[k])
	}
	return flags
}

// mova stores the lanes x and y that the mask contains.
func mova(address *[2]int32, v [2]int32, mask uint8) {
	for i := range address {
		if mask&(laneX>>i) != 0 {
			address[i] = v[i]
		}
	}
}

// storeFlags sets both flags; the mask has no effect (GasInfinity on a console).
func storeFlags(_ pica.Opcode, cc *[2]bool, v [2]bool, _ uint8) { *cc = v }
