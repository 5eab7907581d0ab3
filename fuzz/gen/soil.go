package gen

import "github.com/picaproof/picaproof/pica"

// unread holds, for every opcode, the bits of its words that nothing reads.
var unread = func() (masks [pica.NumOpcodes]uint32) {
	for op := range masks {
		o := pica.Opcode(op)
		l := o.Layout()
		read := []pica.Field{l.Desc, l.Src[0], l.Src[1], l.Src[2], l.Index, l.Dest, l.CmpX, l.CmpY, l.Winding, l.Primitive, l.Vertex}
		switch o.Base() {
		case pica.MOVA:
			read = []pica.Field{l.Desc, l.Src[0], l.Index}
		case pica.CALL:
			read = []pica.Field{l.Dst, l.Num}
		case pica.CALLC, pica.IFC:
			read = []pica.Field{l.Dst, l.Num, l.CondOp, l.RefX, l.RefY}
		case pica.JMPC:
			read = []pica.Field{l.Dst, l.CondOp, l.RefX, l.RefY}
		case pica.BREAKC:
			read = []pica.Field{l.CondOp, l.RefX, l.RefY}
		case pica.CALLU, pica.IFU:
			read = []pica.Field{l.Dst, l.Num, l.Bool}
		case pica.JMPU:
			read = []pica.Field{l.Dst, {Lo: l.Num.Lo, Width: 1}, l.Bool}
		case pica.LOOP:
			read = []pica.Field{l.Dst, l.Int}
		}
		masks[op] = 1<<26 - 1
		for _, field := range read {
			masks[op] &^= field.Mask()
		}
	}
	return masks
}()

// soil puts anything into the bits of the program that nothing reads.
func (g *Generator) soil() {
	for k := range g.code[g.program.origin:] {
		w := &g.code[g.program.origin+k]
		*w |= uint32(g.c.Bits(26)) & unread[pica.OpcodeOf(*w)]
	}
	for k := range g.descs {
		g.descs[k] |= uint32(g.c.Bits(1)) << 31
	}
}
