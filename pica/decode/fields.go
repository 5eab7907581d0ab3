package decode

import "github.com/picaproof/picaproof/pica"

// opcodeField is the whole opcode field; some formats lend its low bits to
// another field.
var opcodeField = pica.Field{Lo: 26, Width: 6}

// layouts holds, for each value of the opcode field, the fields that the
// instruction has: those of its format, of which LOOP takes the integer uniform
// and the other instructions of that format the boolean one. A reserved opcode
// has none.
var layouts = func() (t [pica.NumOpcodes]pica.Layout) {
	for op := range t {
		t[op] = *pica.Opcodes[op].Format.Layout()
		if pica.Opcodes[op].Base == pica.LOOP {
			t[op].Bool = pica.Field{}
		} else {
			t[op].Int = pica.Field{}
		}
	}
	return t
}()

// Fields returns where the fields of an instruction are. Only the low six bits
// of op count.
func Fields(op pica.Opcode) *pica.Layout { return &layouts[op%pica.NumOpcodes] }

// opcodeBits returns the bits of the word that tell an instruction from others.
func opcodeBits(l *pica.Layout) uint32 {
	return pica.Field{Lo: opcodeField.Lo + l.DestInOpcode, Width: opcodeField.Width - l.DestInOpcode}.Mask()
}

// covered holds the bits of a word that the opcode and the fields occupy.
var covered = func() (t [pica.NumOpcodes]uint32) {
	for op := range t {
		l := &layouts[op]
		t[op] = opcodeBits(l)
		for _, f := range fieldList(l) {
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

// unread holds the fields that an instruction has room for and that no known
// reader looks at.
var unread = func() (t [pica.NumOpcodes]uint32) {
	f1u, f2, f3 := pica.Format1u.Layout(), pica.Format2.Layout(), pica.Format3.Layout()
	t[pica.MOVA] = f1u.Dest.Mask()
	t[pica.BREAKC] = f2.Num.Mask() | f2.Dst.Mask()
	t[pica.CALL] = f2.CondOp.Mask() | f2.RefX.Mask() | f2.RefY.Mask()
	t[pica.JMPC] = f2.Num.Mask()
	t[pica.LOOP] = f3.Num.Mask()
	t[pica.JMPU] = f3.Num.Mask() &^ 1 // bit 0 inverts the condition
	return t
}()

// Ignored returns the bits of a word that do not change what the instruction
// does in any known reader: those outside all fields, and fields the
// instruction has no use for. The opcode of a reserved instruction is all that
// is known of it, so everything below is ignored.
func Ignored(word uint32) uint32 {
	op := pica.OpcodeOf(word)
	mask := ^covered[op] | unread[op]
	l := &layouts[op]
	if l.CondOp.Width != 0 {
		switch l.CondOp.Get(word) {
		case pica.CondX:
			mask |= l.RefY.Mask()
		case pica.CondY:
			mask |= l.RefX.Mask()
		}
	}
	return mask
}
