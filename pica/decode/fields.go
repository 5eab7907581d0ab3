package decode

import "github.com/picaproof/picaproof/pica"

// opcodeField is the whole opcode field; some formats lend its low bits to
// another field.
var opcodeField = pica.Field{Lo: 26, Width: 6}

// covered holds the bits of a word that the opcode and the fields occupy.
var covered = func() (t [pica.NumOpcodes]uint32) {
	for op := range t {
		t[op] = opcodeField.Mask()
		for _, f := range fieldList(pica.Opcode(op).Layout()) {
			t[op] |= f.Mask()
		}
	}
	return t
}()

// fieldList returns the fields of a layout, absent ones included.
func fieldList(l *pica.Layout) [18]pica.Field {
	return [...]pica.Field{l.Desc, l.Src[0], l.Src[1], l.Src[2], l.Index, l.Dest, l.CmpX, l.CmpY,
		l.Num, l.Dst, l.CondOp, l.RefX, l.RefY, l.Bool, l.Int, l.Winding, l.Primitive, l.Vertex}
}

// Ignored returns the bits of a word that no known reader interprets: the bits
// that the instruction table calls unread, and the reference to a flag that the
// condition does not test. Of a reserved instruction only the opcode is known, so
// all other bits are ignored.
func Ignored(word uint32) uint32 {
	op := pica.OpcodeOf(word)
	mask, l := pica.Opcodes[op].Unread, op.Layout()
	switch l.CondOp.Get(word) { // a field that the format lacks reads 0
	case pica.CondX:
		mask |= l.RefY.Mask()
	case pica.CondY:
		mask |= l.RefX.Mask()
	}
	return mask
}
