package oracle

import "github.com/picaproof/picaproof/pica"

// This file states the encoding: the fields of each instruction format, the format of each
// opcode, the operand descriptor, and which instructions trap. nihstro, picasso, Panda3DS and
// 3dbrew agree on the bits.

// The layouts, named after the instruction formats on 3dbrew.
var (
	format1 = Layout{Desc: Field{0, 7}, Sources: [3]Field{{12, 7}, {7, 5}}, Wide: 0,
		Index: Field{19, 2}, Dest: Field{21, 5}}
	format1u = Layout{Desc: Field{0, 7}, Sources: [3]Field{{12, 7}}, Wide: 0,
		Index: Field{19, 2}, Dest: Field{21, 5}}
	format1i = Layout{Desc: Field{0, 7}, Sources: [3]Field{{14, 5}, {7, 7}}, Wide: 1,
		Index: Field{19, 2}, Dest: Field{21, 5}}
	format1c = Layout{Desc: Field{0, 7}, Sources: [3]Field{{12, 7}, {7, 5}}, Wide: 0,
		Index: Field{19, 2}}
	format5 = Layout{Desc: Field{0, 5}, Sources: [3]Field{{17, 5}, {10, 7}, {5, 5}}, Wide: 1,
		Index: Field{22, 2}, Dest: Field{24, 5}}
	format5i = Layout{Desc: Field{0, 5}, Sources: [3]Field{{17, 5}, {12, 5}, {5, 7}}, Wide: 2,
		Index: Field{22, 2}, Dest: Field{24, 5}}
)

// encoding is the bit layout of the console. LOOP's integer id has two bits in all emulators
// and three in picasso; its width on the console is unknown.
var encoding = Encoding{
	Opcode: opcodeOf, Shapes: shapes,
	Num: Field{0, 8}, Target: Field{10, 12},
	Condition: Field{22, 2}, RefY: Field{24, 1}, RefX: Field{25, 1},
	Bool: Field{22, 4}, Int: Field{22, 2},
	Winding: Field{22, 1}, Primitive: Field{23, 1}, Vertex: Field{24, 2},
	CompareY: Field{21, 3}, CompareX: Field{24, 3},

	Mask:      Field{0, 4},
	Negate:    [3]Field{{4, 1}, {13, 1}, {22, 1}},
	Selectors: [3]Field{{5, 8}, {14, 8}, {23, 8}},
}

// Sets of lanes; see the package comment.
const (
	laneX   = 8
	laneY   = 4
	laneZ   = 2
	laneW   = 1
	laneXYZ = laneX | laneY | laneZ
	all     = laneXYZ | laneW
)

// shapes is indexed by the opcode that opcodeOf returns.
var shapes = func() (t [pica.NumOpcodes]Shape) {
	for _, op := range []pica.Opcode{pica.ADD, pica.MUL, pica.SGE, pica.SLT, pica.MAX, pica.MIN} {
		t[op] = Shape{Layout: &format1, Count: 2, masked: [3]uint8{all, all}}
	}
	for _, op := range []pica.Opcode{pica.SGEI, pica.SLTI} {
		t[op] = Shape{Layout: &format1i, Count: 2, masked: [3]uint8{all, all}}
	}
	for _, op := range []pica.Opcode{pica.MOV, pica.FLR} {
		t[op] = Shape{Layout: &format1u, Count: 1, masked: [3]uint8{all}}
	}
	for _, op := range []pica.Opcode{pica.EX2, pica.LG2, pica.RCP, pica.RSQ} {
		t[op] = Shape{Layout: &format1u, Count: 1, always: [3]uint8{laneX}}
	}
	t[pica.DP3] = Shape{Layout: &format1, Count: 2, always: [3]uint8{laneXYZ, laneXYZ}}
	t[pica.DP4] = Shape{Layout: &format1, Count: 2, always: [3]uint8{all, all}}
	t[pica.DPH] = Shape{Layout: &format1, Count: 2, always: [3]uint8{laneXYZ, all}}
	t[pica.DPHI] = Shape{Layout: &format1i, Count: 2, always: [3]uint8{laneXYZ, all}}
	t[pica.DST] = Shape{Layout: &format1, Count: 2, masked: [3]uint8{laneY | laneZ, laneY | laneW}}
	t[pica.DSTI] = Shape{Layout: &format1i, Count: 2, masked: [3]uint8{laneY | laneZ, laneY | laneW}}
	t[pica.LITP] = Shape{Layout: &format1u, Count: 1, always: [3]uint8{laneX | laneW}, masked: [3]uint8{laneY}}
	t[pica.MOVA] = Shape{Layout: &format1u, Count: 1, masked: [3]uint8{laneX | laneY}}
	t[pica.CMP] = Shape{Layout: &format1c, Count: 2, always: [3]uint8{laneX | laneY, laneX | laneY}}
	t[pica.MAD] = Shape{Layout: &format5, Count: 3, masked: [3]uint8{all, all, all}}
	t[pica.MADI] = Shape{Layout: &format5i, Count: 3, masked: [3]uint8{all, all, all}}
	return t
}()

// opcodeOf returns the opcode of a word. The opcode field has six bits. CMP uses the
// upper five, and the sixth belongs to an operator; MAD and MADI use the upper three,
// and the others belong to the destination.
func opcodeOf(word uint32) pica.Opcode {
	switch op := pica.Opcode(word >> 26); {
	case op>>1 == pica.CMP>>1:
		return pica.CMP
	case op>>3 == pica.MADI>>3:
		return pica.MADI
	case op>>3 == pica.MAD>>3:
		return pica.MAD
	default:
		return op
	}
}

// admission traps on reserved opcodes, and on EMIT and SETEMIT in a vertex program. The console's
// behaviour is unknown.
var admission = func() (t [pica.NumOpcodes]func(c *Control) bool) {
	for _, op := range []pica.Opcode{0x10, 0x11, 0x14, 0x15, 0x16, 0x17, 0x1C, 0x1D, 0x1E, 0x1F} {
		t[op] = func(c *Control) bool {
			c.Trap(pica.TrapReserved)
			return false
		}
	}
	for _, op := range []pica.Opcode{pica.EMIT, pica.SETEMIT} {
		t[op] = func(c *Control) bool {
			if c.Job.Stage == pica.Vertex {
				c.Trap(pica.TrapEmitInVertex)
			}
			return !c.Trapped()
		}
	}
	return t
}()
