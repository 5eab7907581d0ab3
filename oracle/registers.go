package oracle

import "github.com/picaproof/picaproof/pica"

// This file states the registers: relative addressing of sources, the selection of their
// components, and what an instruction writes.

// CMP compares x for cc.x and y for cc.y (3dbrew).
var operands = Operands{
	Offset: offset, Displace: displace, Swizzle: swizzle, Dest: dest, Write: store,
	MOVA: mova, CMP: compareBoth, Compared: [2]int{0, 1}, Flags: storeFlags,
}

// offset returns an address register with all 32 bits, even aL (Azahar; the width on the
// console is unknown).
func offset(s *pica.State, index int) int32 {
	if index == pica.IndexAL {
		return s.AL
	}
	return s.Address[index-pica.IndexA0X]
}

// displace is relative addressing, from console tests of Steveice10; Azahar and Panda3DS's
// interpreter agree.
func displace(c *Control, n, index int) int {
	if n < pica.SourceUniform {
		return n // only float uniforms are displaced
	}
	by := c.Offset(index)
	if by < -128 || by > 127 {
		by = 0 // an offset beyond a byte counts as 0; on 3dbrew the source is zeros
	}
	k := (n - pica.SourceUniform + int(by)) & 0x7F // the sum has seven bits
	if k >= pica.NumFloats {
		return Ones // c96 to c127 are ones
	}
	return pica.SourceUniform + k
}

// selected returns the component, 0 to 3, that a selector byte selects for a lane; lane x
// has the high bits (nihstro, picasso).
func selected(selectors, lane int) int { return selectors >> (6 - 2*lane) & 3 }

// swizzle selects the component of each lane (nihstro, picasso, all emulators).
func swizzle(_ *Control, _ int, v *pica.Vec4, selectors int) pica.Vec4 {
	return pica.Vec4{
		v[selected(selectors, 0)], v[selected(selectors, 1)], v[selected(selectors, 2)], v[selected(selectors, 3)],
	}
}

// dest numbers o0 to o15 from 0 and r0 to r15 from 16 (nihstro, picasso).
func dest(s *pica.State, n int) *pica.Vec4 {
	if n >= pica.DestTemporary {
		return &s.R[n-pica.DestTemporary]
	}
	return &s.O[n]
}

// store keeps the lanes that the mask does not contain (all emulators).
func store(_ pica.Opcode, to, v *pica.Vec4, mask uint8) {
	for lane := range to {
		if mask&(laneX>>lane) != 0 {
			to[lane] = v[lane]
		}
	}
}

// mova stores the lanes x and y that the mask contains (picasso, all emulators).
func mova(address *[2]int32, v [2]int32, mask uint8) {
	for i := range address {
		if mask&(laneX>>i) != 0 {
			address[i] = v[i]
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

// storeFlags sets both flags; the mask has no effect (CMP: GasInfinity on a console; LITP:
// Panda3DS's interpreter).
func storeFlags(_ pica.Opcode, cc *[2]bool, v [2]bool, _ uint8) { *cc = v }
