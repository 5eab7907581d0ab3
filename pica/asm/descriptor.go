package asm

import "github.com/picaproof/picaproof/pica"

// shown holds, by opcode, the bits of the operand descriptor that the text of an
// instruction shows.
var shown = func() (t [pica.NumOpcodes]uint32) {
	for op := range t {
		info := &pica.Opcodes[op]
		if info.Writes&(pica.WritesDest|pica.WritesAddress) != 0 {
			t[op] = pica.DescriptorMask.Mask()
		}
		for k := range info.Sources {
			t[op] |= pica.DescriptorNegate[k].Mask() | pica.DescriptorSelectors[k].Mask()
		}
	}
	return t
}()

// firstMatch returns the number of the first descriptor with the bits of d that the
// text of the instruction shows, or -1.
func firstMatch(op pica.Opcode, d pica.Descriptor, descriptors []uint32) int {
	for k, other := range descriptors {
		if (uint32(d)^other)&shown[op] == 0 {
			return k
		}
	}
	return -1
}
