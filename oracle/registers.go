package oracle

import "github.com/picaproof/picaproof/pica"

// operands are the rules of the console: only float uniforms are displaced, and CMP
// compares x for cc.x and y for cc.y.
var operands = Operands{
	Address: address, Relative: pica.SourceUniform, Displace: displace, Swizzle: swizzle, Dest: dest, Write: store,
	MOVA: mova, CMP: compareBoth, Compared: [2]int{0, 1}, Flags: flags,
}

func address(s *pica.State, index int) int32 {
	if index == pica.IndexAL {
		return s.AL
	}
	return s.Address[index-pica.IndexA0X]
}

// displace adds the offset modulo 128. An offset outside of -128 to 127 is replaced by 0
// (Steveice10; 3dbrew disagrees: the source is zeros), and c96 to c127 read as ones
// (Steveice10 on a console).
func displace(n int, offset int32) int {
	if offset < -128 || offset > 127 {
		offset = 0
	}
	c := (n - pica.SourceUniform + int(offset)) & 0x7F
	if c >= pica.NumFloats {
		return Ones
	}
	return pica.SourceUniform + c
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

// flags sets both flags; the mask has no effect (GasInfinity on a console).
func flags(_ pica.Opcode, cc *[2]bool, v [2]bool, _ uint8) { *cc = v }
